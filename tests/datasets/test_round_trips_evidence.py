"""Published files on their corpora, there and back again: paragraphs, sentences, cells, answers.

Of SciFact the first claims of each file with the abstracts that they name; the others are whole.
"""

import gzip
import json
from datetime import date
from itertools import islice

import pytest
from django.core.management import call_command

from annotation.models import Campaign
from corpus.models import Corpus
from datasets.importing.extra import from_text
from datasets.readers.dispatch import read_claims
from tests.corpus.test_readers_pages import PAGE
from tests.datasets.importing import run
from tests.datasets.reading import places, write_lines
from tests.datasets.scifact import corpus_file
from tests.datasets.test_importing_linked import corpus_of
from tests.datasets.test_round_trips import equal_parsed, exported
from tests.factories import make_campaign
from tests.shared import shared_data

pytestmark = pytest.mark.django_db
SAMPLE = 120
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
PLAYER = "Aramais Yepiskoposyan"


def head(path, folder):
    with path.open() as lines:
        return write_lines(folder, *(line.rstrip("\n") for line in islice(lines, SAMPLE)))


def manifest_in(folder):
    return json.loads((folder / "manifest.json").read_text())


def parsed(path):
    """{id: text, kept record and, by abstract, labels and rationales} of SciFact claims."""
    return {
        claim.external_id: (claim.text, claim.record, {i.name: judged(i) for i in claim.instances})
        for claim in read_claims([path], "scifact")
    }


def judged(instance):
    return [(a.label, sorted(sorted(group) for group in places(a))) for a in instance.annotations]


@pytest.mark.parametrize("name", ["claims_train.jsonl", "claims_test.jsonl"])
def test_real_scifact_claims_come_out_as_they_went_in(tmp_path, name):
    original = head(shared_data("scifact", name), tmp_path)
    wanted = {i.name for claim in read_claims([original], "scifact") for i in claim.instances}
    abstracts = corpus_file(shared_data("scifact", "scifact_hf_csv.zip"), tmp_path, wanted=wanted)
    call_command("import_corpus", "abstracts", str(abstracts), format="scifact", undated=True)

    report = run("real", original, format="scifact", corpus="abstracts")
    out = exported(Campaign.objects.get(slug="real"), tmp_path / "out", "scifact")

    left_out = manifest_in(tmp_path / "out")["left_out"]
    assert (report["claims_new"], report["evidence_unresolved"]) == (SAMPLE, 0)
    assert parsed(out) == parsed(original)
    assert {reason: n for reason, n in left_out.items() if n} == {}


@pytest.mark.parametrize(
    ("folder", "format", "reader"),
    [("fever_ctkId", "ctkfacts_fever", "ctkfacts"), ("nli_text", "nli", "nli")],
)
def test_real_czech_claims_come_out_of_their_corpus(tmp_path, folder, format, reader):
    paragraphs = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    call_command("import_corpus", "ctk", str(paragraphs), format="jsonl", language="cs",
                 map="article=did,rank=para,published_at=date", verbosity=0)  # fmt: skip
    Corpus.objects.update(publishes_text=True)  # here, so that texts can be compared
    original = shared_data("ctkfacts", folder, "validation.jsonl.gz")

    report = run("real", original, format=reader, corpus="ctk")
    chosen = {"evidence": "text", "per": "claim"} if format == "nli" else {}
    out = exported(Campaign.objects.get(slug="real"), tmp_path / "out", format, **chosen)

    left_out = manifest_in(tmp_path / "out")["left_out"]
    assert (report["claims_new"], report["sources_linked"]) == (332, 30)
    assert {reason: n for reason, n in left_out.items() if n} == {}
    equal_parsed(original, out, reader)


@pytest.mark.parametrize("with_corpus", [True, False])
def test_the_real_record_of_feverous_comes_out_as_it_went_in(tmp_path, with_corpus):
    original = shared_data("feverous", "feverous_official_shape.jsonl")
    rows = [[{"id": f"cell_0_{row}_{n}", "value": f"{row} {n}", "is_header": False}
             for n in range(2)] for row in range(7)]  # fmt: skip
    player = {"title": PLAYER, "order": ["table_0"], "table_0": {"caption": "", "table": rows}}
    if with_corpus:
        campaign = corpus_of(tmp_path, "feverous", PAGE, player)
    else:
        campaign = make_campaign(slug="pages", corpus=None)

    report = run(campaign, original, format="feverous", language="en")
    out = exported(campaign, tmp_path / "out", "feverous")

    empty, record = map(json.loads, original.read_text().splitlines())
    assert not any(empty.values())
    assert report["violations"] == {"empty_records": 1}
    assert report["evidence_unresolved"] == (0 if with_corpus else 2)
    assert json.loads(out.read_text()) == record


def test_the_real_claims_of_averitec_keep_their_day_their_label_and_their_answers(tmp_path):
    original = shared_data("averitec", "dev_1-250.json.gz")
    campaign = make_campaign(slug="real", corpus=None)
    run(campaign, original, format="averitec", language="en")

    out = exported(campaign, tmp_path / "out", "claims")

    with gzip.open(original) as file:
        told = json.load(file)
    claims = list(campaign.claims.order_by("number"))
    assert [claim.as_of.date() for claim in claims] == [day_of(each) for each in told]
    kept = [{"claim": c.text, **from_text(c.extra)["record"]} for c in claims]
    assert kept == told
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    spelt = {"Supported": S, "Refuted": R, "Not Enough Evidence": N}
    labelled = [(n, each) for n, each in enumerate(told, start=1) if each["label"] in spelt]
    assert [(line["id"], line["label"]) for line in lines] == [
        (number, spelt[each["label"]]) for number, each in labelled
    ]
    assert manifest_in(tmp_path / "out")["left_out"]["no_labels"] == len(told) - len(labelled)


def day_of(told):
    day, month, year = map(int, told["claim_date"].split("-"))
    return date(year, month, day)
