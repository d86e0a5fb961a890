"""Releases of claims that were judged against single articles or passages."""

import json

import mlcroissant
import pandas
import pytest

from datasets.options import ExportOptions
from datasets.releases.comparing import compared
from datasets.results.claims import released_claims
from datasets.splitting import UNDECIDED, split_records
from datasets.untold import untold
from tests.datasets.builders import label, make_item_of
from tests.datasets.importing import import_lines, make_target
from tests.datasets.releasing import make_release
from tests.datasets.test_export_formats import rationale, scifact_campaign
from tests.factories import make_claim, make_wave

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
CLAIMS = [
    {"id": 1, "claim": "Cells grow.", "cited_doc_ids": [12, 11], "evidence":
        {"11": [rationale("SUPPORT", 0, 2)], "12": [rationale("SUPPORT", 0)]}},
    {"id": 2, "claim": "Mice fly.", "cited_doc_ids": [11, 12], "evidence":
        {"12": [rationale("CONTRADICT", 0)]}},
    {"id": 3, "claim": "Cells sing.", "cited_doc_ids": [11], "evidence": {}},
    {"id": 4, "claim": "Mice sing.", "cited_doc_ids": [11, 12], "evidence":
        {"11": [rationale("SUPPORT", 1)], "12": [rationale("CONTRADICT", 0)]}},
]  # fmt: skip


@pytest.fixture
def campaign(tmp_path):
    return scifact_campaign(tmp_path, *CLAIMS, publishes_text=True)


def base_lines(release, name="all"):
    path = release.folder / f"data/ctkfacts/{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_release_of_scifact_claims_counts_them(campaign):
    release = make_release(campaign, formats=("scifact",), split="train=0.5,test=0.5")

    contents = release.contents
    counted = pandas.DataFrame(contents["labels"]).sum(axis=1).to_dict()
    assert contents["n_claims"] == 3
    assert counted == {S: 1, R: 1, N: 1}
    assert sum(contents["leaks"]["counts"].values()) == 3
    assert contents["formats"][0]["left_out"]["contradicted"] == 1
    assert contents["cues"]["n_claims"] == 3
    assert contents["judged_against"] == {"article": 2}
    card = (release.folder / "README.md").read_text()
    assert "- Claims: 3" in card
    assert "judged against 2 articles, each alone" in card
    assert "supports and another refutes is left out there." in card


def test_the_base_has_the_verdict_on_which_the_articles_agree(campaign):
    lines = {line["id"]: line for line in base_lines(make_release(campaign))}

    assert {n: line["label"] for n, line in lines.items()} == {1: S, 2: R, 3: N}
    assert lines[1]["evidence"] == [["11_1"], ["12_1"]]
    assert lines[2]["evidence"] == [["12_1"]]


def test_a_claim_that_is_supported_and_refuted_is_there_with_soft_labels(campaign):
    wave = make_wave(campaign, name="Work")
    claim, given = campaign.claims.get(number=4), {"11": S, "12": R}
    for name, verdict in given.items():
        article = {"article": campaign.corpus.articles.get(external_id=name), "article_version": 1}
        label(make_item_of(claim, wave, scope_kind="article", **article), "ben", verdict)

    release = make_release(campaign, ties="soft")
    lines = {line["id"]: line for line in base_lines(release)}

    assert lines[4]["label"] is None
    assert lines[4]["evidence"] == []
    assert lines[4]["soft_label"] == {S: 0.5, R: 0.5, N: 0}
    assert "refutes is undecided there" in (release.folder / "README.md").read_text()


def test_two_releases_of_scifact_claims_are_compared(campaign):
    old = make_release(campaign)
    wave = make_wave(campaign, name="Work")
    item = make_item_of(campaign.claims.get(number=3), wave)
    label(item, "ben", R)
    new = make_release(campaign, "1.1.0")

    found = compared(old, new)

    assert found["n_claims"] == {"before": 3, "after": 3}
    assert [each["claim"] for each in found["claims"]["relabelled"]] == [3]


def test_baselines_find_the_claims_of_scifact(campaign):
    released = released_claims(make_release(campaign))

    assert {claim.number: claim.label for claim in released.all} == {1: S, 2: R, 3: N}
    assert released.undecided == {"all": 0}
    assert released.all[0].evidence[0][0].text == "One. Two. Three."


def test_the_label_in_the_whole_scope_comes_first(tmp_path):
    campaign = make_target()
    wave = make_wave(campaign)
    claim = make_claim(wave, "It opened.")
    article = {"article": campaign.corpus.articles.get(external_id="a"), "article_version": 1}
    label(make_item_of(claim, wave, scope_kind="article", **article), "ben", R)
    whole = make_item_of(claim, wave)
    before = base_lines(make_release(campaign))

    label(whole, "ben", N)
    after = base_lines(make_release(campaign, "2"))

    assert [line["label"] for line in before] == [R]
    assert [line["label"] for line in after] == [N]


def test_a_release_of_passages_counts_each_claim_once(tmp_path):
    campaign = make_target(publishes_text=True)
    lines = [
        {"claim": "It opened.", "claim_id": 4, "wiki_page": "a", "wiki_passage": passage,
         "labels": {"method": "gold", "passage": given},
         "passage_annotations": [{"label": given, "worker": "w1", "relevant": True,
                                  "certain": True, "annotation_time": 8.5}]}
        for passage, given in (("a_1", "neutral"), ("a_2", "supporting"), ("a_3", "neutral"))
    ]  # fmt: skip
    import_lines(tmp_path, campaign, *lines, format="ambifc")

    release = make_release(campaign, formats=("ambifc",), ties="soft")

    (line,) = base_lines(release)
    assert (line["id"], line["label"]) == (4, S)
    assert line["soft_label"] == pytest.approx({S: 1 / 3, R: 0, N: 2 / 3})
    assert release.contents["judged_against"] == {"passage": 3}


def test_a_format_without_lines_is_no_record_set_and_no_configuration(campaign):
    release = make_release(campaign, formats=("fever", "scifact"))

    dataset = mlcroissant.Dataset(jsonld=str(release.folder / "croissant.json"))
    header = (release.folder / "README.md").read_text().split("---")[1]
    assert not dataset.metadata.issues.errors
    assert "data/fever/all" not in [each.id for each in dataset.metadata.record_sets]
    assert "data/ctkfacts/all.jsonl" in header
    assert "data/fever" not in header
    assert "Fields of fever" not in (release.folder / "card.html").read_text()


@pytest.mark.parametrize("ties", ["leave-out", "soft"])
def test_articles_decide_where_the_whole_scope_ties(tmp_path, ties):
    campaign = make_target()
    wave = make_wave(campaign)
    claim = make_claim(wave, "It opened.")
    article = {"article": campaign.corpus.articles.get(external_id="a"), "article_version": 1}
    label(make_item_of(claim, wave, scope_kind="article", **article), "ben", R)
    whole = make_item_of(claim, wave)
    label(whole, "ben", S)
    label(whole, "cyn", N)

    (line,) = base_lines(make_release(campaign, ties=ties))

    assert line["label"] == R
    assert line.get("soft_label") == ({S: 0.5, R: 0, N: 0.5} if ties == "soft" else None)


def test_splits_know_no_label_of_a_claim_that_is_supported_and_refuted(campaign):
    (wave,) = campaign.waves.all()
    options = ExportOptions(format="scifact", split="train=0.5,test=0.5")

    read = split_records(campaign, [wave], options, untold, "")
    records = {each.key: each for each in read}

    assert {number: each.label for number, each in records.items()} == {
        1: S,
        2: R,
        3: N,
        4: UNDECIDED,
    }
