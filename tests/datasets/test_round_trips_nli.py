"""Texts that look like ids, and ids that do not, stay what they are in pairs for inference."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.readers.nli import claim_of
from datasets.records import Cited, LabelledClaim
from datasets.writers import nli
from tests.datasets.builders import label, make_item_of
from tests.datasets.importing import import_lines, line, run
from tests.datasets.reading import label_in, one, places
from tests.datasets.test_round_trips import exported
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
S, N = "SUPPORTS", "NOT ENOUGH INFO"
URL, NOTE = "https://cs.example/page_12", "See section_3"
KINDS = [{}, {"is_joined": False}, {"per": "claim"}, {"evidence": "ids"},
         {"evidence": "ids", "per": "claim"}]  # fmt: skip
CLAIM = {"id": 7, "label": S, "claim": "It is.", "source": "a_1", "mutated_from": None,
         "verifiable": "VERIFIABLE"}  # fmt: skip


@pytest.fixture
def campaign():
    """Claims whose evidence, or source, is a text that ends as ids do."""
    corpus = make_corpus(publishes_text=True)
    article = make_article(corpus, URL, NOTE, "It is long.", external_id="a")
    wave = make_wave(make_campaign(slug="ours", corpus=corpus))
    url, note, plain = (paragraph_of(article, rank) for rank in (1, 2, 3))
    for n, sets in enumerate(([[url]], [[note]], [[url, note], [plain]], [[plain]])):
        label(make_item_of(make_claim(wave, f"It is {n}.", source=plain), wave), "ben", S, *sets)
    for source in (url, note):
        label(
            make_item_of(make_claim(wave, f"It is {source.text}.", source=source), wave), "ben", N
        )
    return wave.campaign


@pytest.mark.parametrize("with_corpus", [True, False])
@pytest.mark.parametrize("chosen", KINDS, ids=lambda chosen: "-".join(map(str, chosen.values())))
def test_texts_that_end_as_ids_do_come_back(campaign, tmp_path, chosen, with_corpus):
    first = exported(campaign, tmp_path / "first", "nli", **chosen)
    again = make_campaign(slug="again", corpus=campaign.corpus if with_corpus else None)

    run(again, first, format="nli", language="en")
    second = exported(again, tmp_path / "second", "nli", **{"evidence": "text", **chosen})

    assert (
        json.loads((tmp_path / "second/manifest.json").read_text())["left_out"]["sets_unnamed"] == 0
    )
    assert second.read_bytes() == first.read_bytes()


def test_only_lines_that_would_be_misread_say_what_their_evidence_is(campaign, tmp_path):
    file = exported(campaign, tmp_path / "out", "nli", is_joined=False)

    told = [json.loads(each) for each in file.read_text().splitlines()]

    assert [each["evidence"] for each in told if "evidence_is" in each] == [
        [URL], [NOTE], [URL, NOTE], [URL], [NOTE]
    ]  # fmt: skip
    assert {each.get("evidence_is") for each in told} == {"text", None}


@pytest.mark.parametrize("per", ["set", "claim"])
def test_ids_that_look_like_texts_come_back(tmp_path, per):
    campaign = make_campaign(slug="ours", corpus=None)
    import_lines(tmp_path, campaign, line(1, S, ["Barack"], ["a_1", "b"]), language="en")
    chosen = {"evidence": "ids", "per": per}
    first = exported(campaign, tmp_path / "first", "nli", **chosen)
    again = make_campaign(slug="again", corpus=None)

    run(again, first, format="nli", language="en")

    assert json.loads(first.read_text().splitlines()[0])["evidence_is"] == "ids"
    assert exported(again, tmp_path / "second", "nli", **chosen).read_bytes() == first.read_bytes()


def test_a_set_with_a_text_is_of_texts(tmp_path):
    claim = one(tmp_path, "nli", {**CLAIM, "evidence": [["a_1", "It is long."], ["b_2"]]})

    assert places(label_in(claim)) == [
        [("", "", "a_1"), ("", "", "It is long.")], [("b_2", "", "")]
    ]  # fmt: skip


@pytest.mark.parametrize(("form", "place"), [("text", ("", "", "b_2")), ("ids", ("b_2", "", ""))])
def test_a_line_may_say_what_its_evidence_is(tmp_path, form, place):
    claim = one(tmp_path, "nli", {**CLAIM, "evidence": ["b_2"], "evidence_is": form})

    assert places(label_in(claim)) == [[place]]
    assert claim.record == {}


@pytest.mark.parametrize("said", ["both", 3, ["ids"], None])
def test_a_field_of_others_by_that_name_says_nothing(tmp_path, said):
    claim = one(tmp_path, "nli", {**CLAIM, "evidence": ["b_2"], "evidence_is": said})

    assert places(label_in(claim)) == [[("b_2", "", "")]]
    assert claim.record == {"evidence_is": said}


TOLD = st.sampled_from(["a_1", "Algebraic logic_2", URL, NOTE, "It is long.", "x", "_1"])
SETS = st.lists(st.lists(TOLD, min_size=1, max_size=3), min_size=1, max_size=3)


@given(sets=SETS, chosen=st.sampled_from(KINDS))
def test_whatever_is_written_reads_as_it_was_meant(sets, chosen):
    groups = tuple(tuple(Cited(each, each) for each in dict.fromkeys(group)) for group in sets)
    claim = LabelledClaim(number=7, text="It is.", label=S, evidence=groups)
    written = [json.loads(line) for line in nli.lines(claim, **chosen)]

    read = [item for line in written for item in items_of(claim_of(line))]

    are_ids = chosen.get("evidence") == "ids"
    assert read
    assert all(bool(each.paragraph) is are_ids and bool(each.text) is not are_ids for each in read)


def items_of(claim):
    return [item for group in label_in(claim).evidence for item in group]


@pytest.mark.parametrize(("form", "evidence"), [("ids", ["a_1"]), ("text", "")])
def test_ids_beside_a_label_of_another_format_are_no_texts(form, evidence):
    told = {"format": "ctkfacts", "extra": {"evidence": [["a_1"]]}}
    claim = LabelledClaim(number=7, text="It is.", label=None, shares={}, **told)

    (line,) = nli.lines(claim, evidence=form)

    assert json.loads(line)["evidence"] == evidence
