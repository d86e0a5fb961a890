"""Small imports: a corpus whose articles the files cite, and what the command prints."""

import contextlib
import json
import tempfile
from io import StringIO
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.management import call_command

from annotation.models import Annotation
from datasets.importing.options import ImportOptions
from datasets.importing.uploads import keep_upload
from tests.datasets.reading import write_lines
from tests.factories import make_article, make_campaign, make_corpus

TEXTS = ("The bridge opened in May.", "It cost ten million.", "It is long.")


def make_target(*, slug="spring", **corpus):
    """A campaign over a corpus of two articles, a and b, of three paragraphs each."""
    corpus = make_corpus(**corpus)
    for name in ("a", "b"):
        make_article(corpus, *TEXTS, external_id=name)
    return make_campaign(slug=slug, corpus=corpus)


def run(campaign, *files, format="ctkfacts", **options):
    """What the command reports, as it prints it in JSON."""
    out = StringIO()
    call_command(
        "import_dataset",
        getattr(campaign, "slug", campaign),
        *map(str, files),
        format=format,
        json=True,
        stdout=out,
        stderr=StringIO(),
        **options,
    )
    return json.loads(out.getvalue())


def import_lines(folder, campaign, *lines, name="claims.jsonl", **options):
    return run(campaign, write_lines(folder, *lines, name=name), **options)


def make_dataset_import(campaign, *lines, by=None, **options):
    """Uploaded records that a job will read."""
    text = "".join(json.dumps(each) + "\n" for each in lines or [line()])
    options = ImportOptions(**{"format": "ctkfacts", "language": "en", **options})
    file = ContentFile(text.encode(), name="claims.jsonl")
    return keep_upload(campaign=campaign, files=[file], options=options, by=by)


def make_imported_claim(campaign, *sets, **fields):
    """A claim of an import, with its label."""
    with tempfile.TemporaryDirectory() as folder:
        import_lines(Path(folder), campaign, line(77, "SUPPORTS", *sets, **fields), language="en")
    return campaign.claims.get(number=77)


def line(number=7, label="SUPPORTS", *sets, text=None, **fields):
    """A claim in CTKFacts form."""
    return {
        "id": number, "label": label, "claim": text or f"Claim {number}.",
        "evidence": [list(group) for group in sets], "source": "a_1", "mutated_from": None,
        "verifiable": "NOT VERIFIABLE" if label == "NOT ENOUGH INFO" else "VERIFIABLE", **fields,
    }  # fmt: skip


def cited_by(annotation):
    """{number of each set: what it cites}."""
    return {
        each.number: [f"{i.paragraph.public_id}{i.unit and ':' + i.unit}" for i in each.items.all()]
        for each in annotation.evidence_sets.all()
    }


def only_label():
    return Annotation.objects.get(ended_at=None)


def doctor():
    """The rows that the doctor lists, by rule; nothing where all is well."""
    out = StringIO()
    with contextlib.suppress(SystemExit):
        call_command("doctor", "--json", stdout=out, stderr=StringIO())
    return {
        rule["rule"]: rule["rows"] for rule in json.loads(out.getvalue())["rules"] if rule["rows"]
    }
