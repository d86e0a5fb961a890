"""Lines of articles that the corpus lacks: no form takes their numbers for other numbers."""

from hashlib import sha256

import pytest

from tests.datasets.importing import import_lines, make_target
from tests.datasets.test_export_formats import export, lines_of, rationale
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
S = "SUPPORTS"


def half_found(folder, lines, *, corpus=True):
    """A claim with a set of line 2 of article a and of one that the corpus lacks, and another set,
    which is a_1 by either count."""
    campaign = make_target() if corpus else make_campaign(corpus=None)
    sets = [[["a", 2], ["gone", 2]], [["a", 0 if lines == "units" else 1]]]
    evidence = [[[7, 7, page, n] for page, n in group] for group in sets]
    claim = {"id": 7, "verifiable": "VERIFIABLE", "label": S, "claim": "It is.",
             "evidence": evidence}  # fmt: skip
    import_lines(folder, campaign, claim, format="fever", lines=lines, language="en")
    return campaign


def evidence_in(folder, campaign, format, **options):
    manifest = export(campaign, folder, format, **options)
    return [line["evidence"] for line in lines_of(folder)], manifest["left_out"]["sets_unnamed"]


@pytest.mark.parametrize(
    ("format", "options", "expected"),
    [
        ("ctkfacts", {}, [["a_1"]]),
        ("ctkfacts_fever", {}, [[[7, 7, "a_1", 0]]]),
        ("nli", {"evidence": "ids"}, ["a_1"]),
        ("fever", {}, [[[7, 7, "a", 1]]]),
    ],
)
def test_a_set_with_a_line_of_unknown_place_is_left_out_whole(tmp_path, format, options, expected):
    campaign = half_found(tmp_path, "units")
    lines = {"lines": "ranks"} if format == "fever" else {}

    found = evidence_in(tmp_path / "out", campaign, format, **options, **lines)

    assert found == ([expected], 1)


@pytest.mark.parametrize(("lines", "corpus"), [("ranks", True), ("", True), ("", False)])
def test_ranks_are_paragraphs(tmp_path, lines, corpus):
    campaign = half_found(tmp_path, lines, corpus=corpus)

    found = evidence_in(tmp_path / "out", campaign, "ctkfacts")

    assert found == ([[["a_2", "gone_2"], ["a_1"]]], 0)


@pytest.mark.parametrize("lines", ["units", "ranks"])
@pytest.mark.parametrize("corpus", [True, False])
def test_lines_come_back_as_they_were(tmp_path, lines, corpus):
    campaign = half_found(tmp_path, lines, corpus=corpus)

    (evidence,), unnamed = evidence_in(tmp_path / "out", campaign, "fever", lines=lines)

    assert unnamed == 0
    assert evidence[0] == [[7, 7, "a", 2], [7, 7, "gone", 2]]


@pytest.mark.parametrize("format", ["fever", "scifact"])
def test_ranks_are_no_numbers_of_sentences(tmp_path, format):
    campaign = half_found(tmp_path, "ranks")
    lines = {"lines": "units"} if format == "fever" else {}

    (evidence,), unnamed = evidence_in(tmp_path / "out", campaign, format, **lines)

    assert evidence == (
        [[[7, 7, "a", 0]]] if format == "fever" else {"a": [rationale("SUPPORT", 0)]}
    )
    assert unnamed == 1


@pytest.mark.parametrize(
    ("lines", "expected"), [("units", ["a:2", "gone:2"]), ("ranks", ["a_2", "gone_2"])]
)
def test_raw_annotations_tell_a_line_from_a_paragraph(tmp_path, lines, expected):
    campaign = half_found(tmp_path, lines)

    (evidence,), _ = evidence_in(tmp_path / "out", campaign, "raw")

    assert evidence[0] == expected


def unlike(n):
    """A text that is like no other."""
    digest = sha256(str(n).encode()).hexdigest()
    return " ".join(digest[place : place + 8] for place in range(0, 64, 8))


def test_claims_that_cite_the_same_lost_article_stay_together(tmp_path):
    campaign = make_campaign(corpus=None)
    lines = [{"id": n, "verifiable": "VERIFIABLE", "label": S, "claim": unlike(n),
              "evidence": [[[n, n, f"gone{n // 2}", n % 2]]]} for n in range(40)]  # fmt: skip
    import_lines(tmp_path, campaign, *lines, format="fever", lines="units", language="en")

    manifest = export(campaign, tmp_path / "out", "fever", lines="units", split="a=0.5,b=0.5")

    splits = [{line["evidence"][0][0][2] for line in lines_of(tmp_path / "out", f"{name}.jsonl")}
              for name in "ab"]  # fmt: skip
    assert not splits[0] & splits[1]
    assert all(splits)
    assert manifest["left_out"]["sets_unnamed"] == 0
