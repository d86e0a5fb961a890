"""What a line of SciFact says of an abstract that was judged alone, and cited elsewhere, too."""

import json
from collections import Counter

import pytest

from annotation.models import Annotation, EvidenceItem, EvidenceSet
from corpus.models import Paragraph
from datasets.abstracts import by_abstract
from datasets.records import Cited, LabelledClaim
from datasets.scorers.scifact import gold_of
from tests.datasets.builders import label, labelled, make_item_of
from tests.datasets.importing import make_target, run
from tests.datasets.reading import one
from tests.datasets.test_export_formats import export, lines_of, rationale, scifact_campaign
from tests.datasets.test_round_trips import exported
from tests.factories import make_campaign, make_wave, paragraph_of

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


def about_cells(*rationales, cited=(11,)):
    evidence = {"11": list(rationales)} if rationales else {}
    return {"id": 1, "claim": "Cells grow.", "evidence": evidence, "cited_doc_ids": list(cited)}


def judge(campaign, given, *sets, article="11", kind="cross", scope=None, name="ben"):
    """A label of the claim by ben, of the whole scope if not said otherwise, citing sentences."""
    wave = campaign.waves.filter(name="Work").first() or make_wave(campaign, name="Work")
    item = make_item_of(campaign.claims.get(), wave, **(scope or {}))
    annotation = label(item, name, given, kind=kind)
    paragraph = Paragraph.objects.get(article__external_id=article, rank=1)
    units = {unit["external_id"]: unit["id"] for unit in paragraph.units}
    for number, sentences in enumerate(sets, start=1):
        row = EvidenceSet.objects.create(annotation=annotation, number=number)
        for n in sentences:
            EvidenceItem.objects.create(evidence_set=row, paragraph=paragraph, unit=units[str(n)])


def only(campaign, folder):
    """The only line, which our own scorer takes, and what was left out."""
    manifest = export(campaign, folder / "out", "scifact")
    (line,) = lines_of(folder / "out")
    gold_of(line)
    return line, {name: n for name, n in manifest["left_out"].items() if n}, manifest


def test_a_claim_that_names_no_abstract_is_about_the_whole_scope(tmp_path):
    (instance,) = one(tmp_path, "scifact", about_cells(cited=())).instances

    assert instance.name == "whole"
    assert [each.label for each in instance.annotations] == [N]


def test_a_blind_claim_that_names_no_abstract_has_no_label(tmp_path):
    (instance,) = one(tmp_path, "scifact", {"id": 1, "claim": "Cells grow."}).instances

    assert (instance.name, instance.annotations) == ("whole", [])


@pytest.mark.parametrize("with_corpus", [True, False])
def test_claims_of_the_whole_scope_without_a_verdict_come_back(tmp_path, with_corpus):
    ours = make_target()
    labelled(make_wave(ours), N, source=paragraph_of(ours.corpus.articles.get(external_id="a"), 1))
    first = exported(ours, tmp_path / "first", "scifact")
    again = make_campaign(slug="again", corpus=ours.corpus if with_corpus else None)

    report = run(again, first, format="scifact", language="en")

    second = exported(again, tmp_path / "second", "scifact")
    assert report["annotations"] == 1
    assert json.loads(first.read_text())["evidence"] == {}
    assert second.read_bytes() == first.read_bytes()


def test_people_outweigh_the_label_that_a_file_gave_of_an_abstract(tmp_path):
    campaign = scifact_campaign(tmp_path, about_cells(rationale("SUPPORT", 0, 1)))
    judge(campaign, R, [1])

    line, left_out, manifest = only(campaign, tmp_path)

    assert line["evidence"] == {"11": [rationale("CONTRADICT", 1)]}
    assert line["cited_doc_ids"] == [11]
    assert left_out == {"sets_too_many": 1}
    assert manifest["counts"]["labels"] == {S: 0, R: 1, N: 0}


def test_sets_of_both_scopes_share_no_sentence_and_equal_ones_stand_once(tmp_path):
    file = about_cells(rationale("SUPPORT", 1, 0), rationale("SUPPORT", 2))
    campaign = scifact_campaign(tmp_path, file)
    judge(campaign, S, [1], [2])

    line, left_out, _ = only(campaign, tmp_path)

    assert line["evidence"] == {"11": [rationale("SUPPORT", 1), rationale("SUPPORT", 2)]}
    assert left_out == {"sets_too_many": 1}


@pytest.mark.parametrize(
    ("alone", "kind", "expected"),
    [
        (S, "cross", {"11": [rationale("SUPPORT", 0)]}),
        (N, "cross", {}),
        (N, "adjudication", {"11": [rationale("CONTRADICT", 1)]}),
    ],
)
def test_of_two_labels_that_came_about_alike_that_of_the_abstract_stands(
    tmp_path, alone, kind, expected
):
    campaign = scifact_campaign(tmp_path, about_cells())
    article = campaign.corpus.articles.get(external_id="11")
    scope = {"scope_kind": "article", "article": article, "article_version": 1}
    judge(campaign, alone, *([] if alone == N else [[0]]), scope=scope)
    judge(campaign, R, [1], kind=kind, name="cyn")

    line, left_out, _ = only(campaign, tmp_path)

    assert line["evidence"] == expected
    assert left_out == ({} if kind == "adjudication" else {"sets_too_many": 1})


def test_the_whole_scope_speaks_of_abstracts_that_nobody_judged_alone(tmp_path):
    campaign = scifact_campaign(tmp_path, about_cells(cited=(11,)))
    judge(campaign, S, [0], article="12")

    line, left_out, _ = only(campaign, tmp_path)

    assert line["evidence"] == {"12": [rationale("SUPPORT", 0)]}
    assert (line["cited_doc_ids"], left_out) == ([11, 12], {})


def test_no_verdict_of_the_whole_scope_is_no_part_of_a_line_with_abstracts(tmp_path):
    campaign = scifact_campaign(tmp_path, about_cells(rationale("SUPPORT", 0)))
    judge(campaign, N)

    line, left_out, manifest = only(campaign, tmp_path)

    assert line["evidence"] == {"11": [rationale("SUPPORT", 0)]}
    assert left_out == {"no_evidence": 1}
    assert manifest["counts"]["labels"] == {S: 1, R: 0, N: 0}


def test_what_two_scopes_said_comes_back_byte_by_byte(tmp_path):
    file = about_cells(rationale("SUPPORT", 0), rationale("SUPPORT", 2), cited=(12, 11))
    campaign = scifact_campaign(tmp_path, file)
    judge(campaign, S, [1, 0])
    first = exported(campaign, tmp_path / "first", "scifact")
    again = make_campaign(slug="again", corpus=campaign.corpus)

    run(again, first, format="scifact")

    assert exported(again, tmp_path / "second", "scifact").read_bytes() == first.read_bytes()


def test_a_sentence_of_a_set_that_the_corpus_lacks_is_that_of_any_other_set(tmp_path):
    file = about_cells(rationale("SUPPORT", 0, 9), rationale("SUPPORT", 0))
    campaign = scifact_campaign(tmp_path, file)

    line, left_out, _ = only(campaign, tmp_path)

    assert line["evidence"] == {"11": [rationale("SUPPORT", 0)]}
    assert left_out == {"sets_too_many": 1}


def test_a_paragraph_and_its_sentence_are_no_sentence_twice(tmp_path):
    campaign = scifact_campaign(tmp_path, about_cells())
    judge(campaign, S, [1])
    row = EvidenceSet.objects.get(annotation=Annotation.objects.get(label=S))
    EvidenceItem.objects.create(evidence_set=row, paragraph=row.items.get().paragraph)

    line, _, _ = only(campaign, tmp_path)

    assert line["evidence"] == {"11": [rationale("SUPPORT", 1, 0, 2)]}


def test_what_no_line_cites_is_not_published(tmp_path):
    campaign = scifact_campaign(tmp_path, about_cells(cited=()), publishes_cited=True)
    judge(campaign, N, [0])

    line, left_out, _ = only(campaign, tmp_path)

    assert line["evidence"] == {}
    assert left_out == {"sets_too_many": 1}
    assert (tmp_path / "out/corpus.jsonl").read_text() == ""


class Counted(tuple):
    """Evidence that counts how often it is looked through."""

    n = 0

    def __iter__(self):
        self.n += 1
        return super().__iter__()


def test_sets_are_sorted_by_abstracts_once():
    sets = Counted((Cited(f"{n}_1", "0", external="0"),) for n in range(50))
    part = LabelledClaim(1, "It is.", S, evidence=sets, decided="majority")

    told = list(by_abstract([part], Counter()))

    assert [each.scope for each in told] == [str(n) for n in range(50)]
    assert sets.n < 5
