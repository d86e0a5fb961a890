"""Files that are imported again: after the corpus grew, and after they were corrected."""

import json

import pytest

from accounts.models import User
from annotation.curation import fix_wording
from annotation.items import lock_items_of, settle_all
from annotation.models import Claim, Report, WaveItem
from datasets.bridge import initial_claims
from datasets.exporting import export_to
from datasets.importing.extra import from_text
from datasets.importing.known import known_claims
from datasets.options import ExportOptions
from datasets.readers.dispatch import read_claims
from tests.datasets.importing import (
    cited_by,
    doctor,
    import_lines,
    line,
    make_target,
    only_label,
)
from tests.datasets.reading import write_lines
from tests.factories import make_article, make_member

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


@pytest.fixture
def campaign():
    return make_target()


def kept_aside():
    """{number of each set: the paragraphs that it names}"""
    entries = from_text(Claim.objects.get().extra).get("unresolved", [])
    return {each["number"]: [item["paragraph"] for item in each["items"]] for each in entries}


def exported(campaign, folder):
    options = ExportOptions(format="ctkfacts")
    export_to(folder, campaign=campaign, options=options)
    return [json.loads(each) for each in (folder / "all.jsonl").read_text().splitlines()]


def test_evidence_of_a_known_label_stays_after_the_corpus_grew(campaign, tmp_path):
    claim = line(7, S, ["lost_1"], ["a_1"], ["gone_1"])
    import_lines(tmp_path, campaign, claim)
    make_article(campaign.corpus, "It is here now.", external_id="lost")

    report = import_lines(tmp_path, campaign, claim)

    assert report["annotations_same"] == 1
    assert kept_aside() == {1: ["lost_1"], 3: ["gone_1"]}
    (out,) = exported(campaign, tmp_path / "out")
    assert out["evidence"] == [["lost_1"], ["a_1"], ["gone_1"]]


def test_a_corrected_label_has_the_evidence_of_its_own_line_only(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, S, ["lost_1"], ["a_1"]))

    import_lines(tmp_path, campaign, line(7, R, ["a_2"]))

    assert cited_by(only_label()) == {1: ["a_2"]}
    assert kept_aside() == {}
    (out,) = exported(campaign, tmp_path / "out")
    assert (out["label"], out["evidence"]) == (R, [["a_2"]])


def test_a_label_whose_article_came_later_is_stored_and_kept_aside_no_more(campaign, tmp_path):
    claim = {"id": 9, "claim": "It opened.", "cited_doc_ids": ["late"],
             "evidence": {"late": [{"sentences": [0], "label": "SUPPORT"}]}}  # fmt: skip
    import_lines(tmp_path, campaign, claim, format="scifact")
    assert "unresolved" in from_text(Claim.objects.get().extra)
    make_article(campaign.corpus, "It opened.", external_id="late")

    import_lines(tmp_path, campaign, claim, format="scifact")

    assert cited_by(only_label()) == {1: ["late_1:s0"]}
    assert "unresolved" not in from_text(Claim.objects.get().extra)


def reworded(campaign, *texts, number=7):
    """A curator corrects the wording of a claim, from one text to the next."""
    cyn = User.objects.filter(username="cyn").first() or make_member(
        campaign, "cyn", role="curator"
    )
    for text in texts:
        report = Report.objects.create(claim=campaign.claims.get(number=number), reason="a typo")
        fix_wording(report=report, text=text, by=cyn)


def test_the_same_file_changes_nothing_after_a_curator_corrected_a_wording(campaign, tmp_path):
    lines = [line(7, S, ["a_1"], text="It oppened."), line(8, N)]
    import_lines(tmp_path, campaign, *lines)
    reworded(campaign, "It opened.")

    report = import_lines(tmp_path, campaign, *lines)

    assert (report["claims_same"], report["annotations_same"]) == (2, 2)
    assert (report["claims_new"], report["annotations"]) == (0, 0)
    assert campaign.claims.get(number=7).text == "It opened."


def test_a_claim_without_an_id_is_known_by_the_text_that_its_file_had(campaign, tmp_path):
    told = {"claim": "It oppened.", "label": S}
    import_lines(tmp_path, campaign, told, format="claims")
    reworded(campaign, "It opened.", number=1)

    report = import_lines(tmp_path, campaign, told, format="claims")

    assert (report["claims_same"], report["annotations_same"]) == (1, 1)


@pytest.mark.parametrize("text", ["It oppened.", "It openned.", "It opened."])
def test_a_claim_is_known_by_each_wording_that_it_had(campaign, tmp_path, text):
    import_lines(tmp_path, campaign, line(7, text="It oppened."))
    reworded(campaign, "It openned.", "It opened.")

    report = import_lines(tmp_path, campaign, line(7, text=text))

    assert report["claims_same"] == 1
    assert campaign.claims.get(number=7).text == "It opened."


def test_wordings_are_looked_up_once_for_a_batch(campaign, tmp_path, django_assert_num_queries):
    lines = [line(number, text=f"It oppened {number}.") for number in (7, 8, 9)]
    import_lines(tmp_path, campaign, *lines)
    for number in (7, 8, 9):
        reworded(campaign, f"It opened {number}.", number=number)
    claims = [*read_claims([write_lines(tmp_path, *lines)], "ctkfacts")]

    with django_assert_num_queries(3):
        known = known_claims(campaign, claims)

    assert [known.reason_against(claim) for claim in claims] == ["", "", ""]


@pytest.mark.parametrize("change", ["withdrawn", "held"])
def test_labels_of_a_claim_that_was_withdrawn_or_reported_do_not_bring_it_back(
    campaign, tmp_path, change
):
    import_lines(tmp_path, campaign, abstract(7, "a"), format="scifact", name="one.jsonl")
    claim = campaign.claims.get()
    if change == "withdrawn":
        Claim.objects.update(withdrawn_at=claim.created_at)
        settle_all(lock_items_of(claim))
    else:
        Report.objects.create(claim=claim, reported_by=make_member(campaign), reason="No claim.")
        settle_all(lock_items_of(claim))

    import_lines(tmp_path, campaign, abstract(7, "b"), format="scifact", name="two.jsonl")

    assert {item.state for item in WaveItem.objects.all()} == {change}
    assert doctor() == {}


def abstract(number, name):
    """A claim with its label by one abstract."""
    evidence = {name: [{"sentences": [0], "label": "SUPPORT"}]}
    return {"id": number, "claim": f"Claim {number}.", "evidence": evidence,
            "cited_doc_ids": [name]}  # fmt: skip


def test_claims_that_name_each_other_as_parents_go_back_to_the_first_of_them(campaign, tmp_path):
    circle = [line(7, N, mutated_from=8), line(8, N, mutated_from=7), line(6, N, mutated_from=8)]
    import_lines(tmp_path, campaign, *circle)

    assert initial_claims(campaign) == {6: "7", 7: "7", 8: "7"}


def test_a_parent_that_comes_with_a_later_file_gets_its_earlier_children(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, N, mutated_from=8), name="children.jsonl")
    import_lines(tmp_path, campaign, line(8, N), name="parents.jsonl")

    assert Claim.objects.get(number=7).parent == Claim.objects.get(number=8)


@pytest.mark.parametrize("split", ["", "train=0.5,dev=0.5"])
def test_half_a_surrogate_pair_of_a_file_comes_out_as_it_came_in(tmp_path, split):
    campaign = make_target(publishes_text=True)
    import_lines(tmp_path, campaign, line(7, N, note="Část \ud83c"), line(8, N, note="Most"))

    export_to(tmp_path / "out", campaign=campaign,
              options=ExportOptions(format="ctkfacts", split=split))  # fmt: skip

    files = (tmp_path / "out").glob("*.jsonl")
    out = [json.loads(each) for file in files for each in file.read_text().splitlines()]
    assert {each["id"]: each["note"] for each in out} == {7: "Část \ud83c", 8: "Most"}
