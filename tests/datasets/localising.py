"""A small dataset in FEVER's form, its titles and translations; and how it is localised."""

import json
from io import StringIO

from django.core.files.base import ContentFile
from django.core.management import call_command
from django.utils import timezone

from datasets.localising.jobs import localise_job, start_localisation
from datasets.localising.options import LocalisingOptions
from operations.models import Job
from tests.datasets.reading import write_lines

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
FILM = "Soul_Food_-LRB-film-RRB-"
TITLES = [
    ("Soul Food (film)", "Jídlo (film)"),
    ("Bridge", "Most"),
    ("River", "Řeka"),
    ("Stream", "Řeka"),
]


def line(number, label, *sets, text=None):
    """A claim in FEVER's form; each set is a list of (page, line)."""
    ids = iter(range(number * 100 + 1, number * 100 + 100))
    evidence = [[[n := next(ids), n + 1000, *place] for place in group] for group in sets]
    return {
        "id": number, "verifiable": "NOT VERIFIABLE" if label == N else "VERIFIABLE",
        "label": label, "claim": text or f"Claim {number}.",
        "evidence": evidence or [[[number * 100, None, None, None]]],
    }  # fmt: skip


DATASET = [
    line(1, S, [(FILM, 0)], [(FILM, 1)], [(FILM, 0), ("Bridge", 2)]),
    line(2, R, [("Castle", 0)]),
    line(3, S, [(FILM, 0), ("Castle", 1)], [("Bridge", 0)]),
    line(4, N),
    line(5, S, [("River", 0)], [("Stream", 3)]),
    line(6, R),
    line(7, R, [("Bridge", 0)]),
    line(8, N),
]
TRANSLATED = {n: f"Tvrzení {n}." for n in (1, 2, 3, 4, 5, 6)} | {8: "  ", 99: "Cizí."}


def titles_file(folder, *rows, name="titles.tsv"):
    text = "source\ttarget\n" + "".join(f"{source}\t{target}\n" for source, target in rows)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def translations_file(folder, texts, name="translations.jsonl"):
    rows = ({"id": number, "claim": text} for number, text in texts.items())
    return write_lines(folder, *rows, name=name)


def localise(folder, *lines, titles=TITLES, texts=TRANSLATED, output="out", **options):
    """What `localise_dataset --json` prints for these lines."""
    files = [write_lines(folder, *(lines or DATASET), name="train.jsonl")]
    table = titles if not isinstance(titles, list) else titles_file(folder, *titles)
    given = translations_file(folder, texts) if isinstance(texts, dict) else texts
    return run(*files, titles=table, translations=given, output=folder / output, **options)


def run(*files, output, **options):
    out = StringIO()
    call_command(
        "localise_dataset", *map(str, files), output=output, json=True, stdout=out,
        stderr=StringIO(), **options,
    )  # fmt: skip
    return json.loads(out.getvalue())


def uploads(**more):
    """What is chosen on the page, as a form sends it."""
    titles = "source\ttarget\n" + "".join(f"{s}\t{t}\n" for s, t in TITLES)
    texts = ({"id": number, "claim": text} for number, text in TRANSLATED.items())
    return {
        "files": ContentFile(as_lines(DATASET), "train.jsonl"),
        "titles": ContentFile(titles.encode(), "titles.tsv"),
        "translations": ContentFile(as_lines(texts), "cs.jsonl"),
        **more,
    }  # fmt: skip


def as_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def make_localisation(*, by):
    """A localisation that is done."""
    chosen = uploads()
    job = start_localisation(
        files=[chosen["files"]],
        titles=chosen["titles"],
        translations=chosen["translations"],
        options=LocalisingOptions(),
        by=by,
    )
    localise_job(lambda *_: None, **job.arguments)
    Job.objects.filter(pk=job.pk).update(state="done", ended_at=timezone.now())
    return job


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
