"""Our own exports, with shares of labels and without, come back the same byte by byte."""

import json

import pytest

from corpus.models import Paragraph
from datasets.options import FORMATS, NEVER_SOFT
from datasets.readers.dispatch import read_claims
from tests.datasets.builders import label, labelled, make_item_of
from tests.datasets.importing import import_lines, line, make_target, run
from tests.datasets.test_export_formats import rationale, scifact_campaign
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
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
SOFT = [name for name in FORMATS if name not in (*NEVER_SOFT, "raw")]
READERS = {"claims_csv": "claims", "ctkfacts_fever": "ctkfacts"}


@pytest.fixture
def campaign():
    """A tie, a majority of two thirds with two sets, no verdict, a mutation with a condition."""
    campaign = make_target(publishes_text=True)
    wave = make_wave(campaign)
    article = campaign.corpus.articles.get(external_id="a")
    first, second = paragraph_of(article, 1), paragraph_of(article, 2)
    labelled(wave, S, R, source=first)
    item = make_item_of(make_claim(wave, "Most se otevřel.", source=first), wave)
    label(item, "ben", S, [first, second], [second])
    label(item, "cyn", S, [second], is_uncertain=True)
    label(item, "dan", N, is_relevant=True)
    none = labelled(wave, N, source=second)
    mutated = make_claim(wave, "It is red.", source=second, parent=none)
    label(make_item_of(mutated, wave), "ben", R, [second], condition="It is the same bridge.")
    return campaign


@pytest.mark.parametrize("with_corpus", [True, False])
@pytest.mark.parametrize("ties", ["soft", "leave-out"])
@pytest.mark.parametrize("format", SOFT)
def test_labels_come_back_byte_by_byte(campaign, tmp_path, format, ties, with_corpus):
    first = exported(campaign, tmp_path / "first", format, ties=ties)
    again = make_campaign(slug="again", corpus=campaign.corpus if with_corpus else None)

    run(again, first, format=READERS.get(format, format), language="en")
    second = exported(again, tmp_path / "second", format, ties=ties)

    is_there = with_corpus or format != "ambifc"  # whose passages are those of a corpus
    assert len(first.read_bytes().splitlines()) >= 3
    assert second.read_bytes() == (first.read_bytes() if is_there else b"")


@pytest.mark.parametrize("with_corpus", [True, False])
@pytest.mark.parametrize(
    "chosen",
    [
        {"per": "claim"},
        {"is_joined": False},
        {"evidence": "ids"},
        {"evidence": "ids", "per": "claim"},
    ],
    ids=lambda chosen: "-".join(map(str, chosen.values())),
)
def test_pairs_for_inference_come_back_in_each_of_their_kinds(
    campaign, tmp_path, chosen, with_corpus
):
    first = exported(campaign, tmp_path / "first", "nli", ties="soft", **chosen)
    again = make_campaign(slug="again", corpus=campaign.corpus if with_corpus else None)

    run(again, first, format="nli", language="en")
    second = exported(again, tmp_path / "second", "nli", ties="soft", **chosen)

    assert second.read_bytes() == first.read_bytes()


@pytest.mark.parametrize("publishes", [True, False])
@pytest.mark.parametrize("with_corpus", [True, False])
def test_sets_beside_no_verdict_come_back_whether_texts_are_published_or_not(
    tmp_path, with_corpus, publishes
):
    ours = make_target(publishes_text=publishes)
    wave = make_wave(ours)
    first, second = (paragraph_of(ours.corpus.articles.get(external_id="a"), n) for n in (1, 2))
    claims = [make_claim(wave, f"It is red {n}.", source=second) for n in range(3)]
    for claim, sets in zip(claims, ([[second], [first, second]], [[first]], []), strict=True):
        label(make_item_of(claim, wave), "ben", N, *sets)
    before = exported(ours, tmp_path / "first", "nli")
    again = make_campaign(slug="again", corpus=ours.corpus if with_corpus else None)

    run(again, before, format="nli", language="en")

    after = exported(again, tmp_path / "second", "nli", evidence="text" if publishes else "ids")
    assert len(before.read_bytes().splitlines()) == 4
    assert after.read_bytes() == before.read_bytes()


@pytest.mark.parametrize("with_corpus", [True, False])
@pytest.mark.parametrize("per", ["set", "claim"])
def test_ids_of_articles_with_blanks_in_their_names_come_back(tmp_path, per, with_corpus):
    corpus = make_corpus()
    make_article(corpus, "It is algebra.", "It is logic.", external_id="Algebraic logic")
    article = corpus.articles.get()
    wave = make_wave(make_campaign(corpus=corpus))
    pair = [paragraph_of(article, 1), paragraph_of(article, 2)]
    claim = make_claim(wave, "It is algebraic.", source=pair[0])
    label(make_item_of(claim, wave), "ben", S, pair, pair[1:])
    first = exported(wave.campaign, tmp_path / "first", "nli", evidence="ids", per=per)
    again = make_campaign(slug="again", corpus=corpus if with_corpus else None)

    report = run(again, first, format="nli", language="en")

    out = exported(again, tmp_path / "second", "nli", evidence="ids", per=per)
    assert (report["evidence_unresolved"] == 0) is with_corpus
    assert out.read_bytes() == first.read_bytes()


def test_rationales_of_sentences_come_back_byte_by_byte(tmp_path):
    claims = [
        {"id": 1, "claim": "Cells grow.", "cited_doc_ids": [12, 11], "evidence":
            {"11": [rationale("SUPPORT", 2, 0), rationale("SUPPORT", 1)]}},
        {"id": 2, "claim": "Mice fly.", "cited_doc_ids": [11], "evidence":
            {"12": [rationale("CONTRADICT", 0)]}},
        {"id": 3, "claim": "Cells sing.", "cited_doc_ids": [11], "evidence": {}},
    ]  # fmt: skip
    campaign = scifact_campaign(tmp_path, *claims)
    first = exported(campaign, tmp_path / "first", "scifact")
    again = make_campaign(slug="again", corpus=campaign.corpus)

    run(again, first, format="scifact")

    assert exported(again, tmp_path / "second", "scifact").read_bytes() == first.read_bytes()


def test_labels_of_claims_without_a_source_come_back_byte_by_byte(tmp_path):
    campaign = make_campaign(corpus=None)
    import_lines(tmp_path, campaign, line(4, S, source=None), line(5, N, source=None),
                 language="en")  # fmt: skip
    wave = make_wave(campaign)
    label(make_item_of(campaign.claims.get(number=4), wave), "ben", N)
    label(make_item_of(campaign.claims.get(number=5), wave), "ben", R, is_uncertain=True)
    first = exported(campaign, tmp_path / "first", "ambifc")
    again = make_campaign(slug="again", corpus=None)

    run(again, first, format="ambifc", language="en")

    assert len(first.read_bytes().splitlines()) == 2
    assert exported(again, tmp_path / "second", "ambifc").read_bytes() == first.read_bytes()


def test_what_was_undecided_in_the_file_is_not_counted_as_left_out(campaign, tmp_path):
    first = exported(campaign, tmp_path / "first", "claims", ties="soft")
    again = make_campaign(slug="again", corpus=None)
    run(again, first, format="claims", language="en")

    exported(again, tmp_path / "second", "claims", ties="soft")
    exported(again, tmp_path / "hard", "claims")

    soft, hard = (json.loads((tmp_path / name / "manifest.json").read_text())
                  for name in ("second", "hard"))  # fmt: skip
    assert (soft["counts"]["lines"], soft["left_out"]["no_labels"]) == (4, 0)
    assert (hard["counts"]["lines"], hard["left_out"]["no_labels"]) == (3, 1)


def test_no_share_of_any_label_leaves_a_claim_undecided(tmp_path):
    campaign = make_target()
    told = {"id": 5, "claim": "It is.", "label": None, "soft_label": {S: 0, R: 0.0, N: 0}}
    import_lines(tmp_path, campaign, told, format="claims")

    file = exported(campaign, tmp_path / "out", "claims", ties="soft")

    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert (file.read_text(), manifest["left_out"]["no_labels"]) == ("", 1)


def test_shares_of_a_file_go_once_people_here_vote(tmp_path):
    campaign = make_target()
    told = {"id": 5, "claim": "It is.", "label": S, "soft_label": {S: 0.75, R: 0.25, N: 0}}
    import_lines(tmp_path, campaign, told, format="claims")
    before = exported(campaign, tmp_path / "before", "claims", ties="soft")
    label(make_item_of(campaign.claims.get(), make_wave(campaign)), "ben", N)

    after = exported(campaign, tmp_path / "after", "claims", ties="soft")

    assert json.loads(before.read_text())["soft_label"] == {S: 0.75, R: 0.25, N: 0.0}
    assert json.loads(after.read_text())["soft_label"] == {S: 0.0, R: 0.0, N: 1.0}


NO_SHARES = [
    {S: 0.75}, {S: "much", R: 0, N: 0}, {S: 2, R: 0, N: 0}, {S: 1, R: 1, N: 1},
    {S: 0.5, R: 0, N: 0}, 1, None,
]  # fmt: skip


@pytest.mark.parametrize("told", NO_SHARES)
def test_what_is_no_share_of_our_labels_is_none(tmp_path, told):
    campaign = make_target()
    claim = {"id": 5, "claim": "It is.", "label": S, "soft_label": told}
    import_lines(tmp_path, campaign, claim, format="claims")

    file = exported(campaign, tmp_path / "out", "claims", ties="soft")

    assert json.loads(file.read_text())["soft_label"] is None


@pytest.mark.parametrize("format", ["ctkfacts", "ctkfacts_fever", "nli", "claims", "claims_csv"])
def test_a_source_of_an_article_with_a_long_name_comes_back(tmp_path, format):
    article = make_article(make_corpus(), "It is long.", external_id="x" * 200)
    wave = make_wave(make_campaign(corpus=article.corpus))
    source = paragraph_of(article)
    label(make_item_of(make_claim(wave, "It is.", source=source), wave), "ben", S, [source])
    first = exported(wave.campaign, tmp_path / "first", format)
    again = make_campaign(slug="again", corpus=article.corpus)

    run(again, first, format=READERS.get(format, format))

    assert exported(again, tmp_path / "second", format).read_bytes() == first.read_bytes()


@pytest.mark.parametrize(
    ("format", "chosen"), [("fever", {"lines": "units"}), ("scifact", {}), ("feverous", {})]
)
def test_a_paragraph_cited_whole_and_by_its_sentences_stands_once(tmp_path, format, chosen):
    corpus = make_corpus()
    make_article(corpus, "It is long. It is red.", external_id="11")
    paragraph, wave = Paragraph.objects.get(rank=1), make_wave(make_campaign(corpus=corpus))
    paragraph.units = [
        {"id": f"s{n}", "kind": "sentence", "start": 12 * n, "end": 12 * n + 11} for n in (0, 1)
    ]
    paragraph.save()
    item = make_item_of(make_claim(wave, "It is.", source=paragraph), wave)
    given = label(item, "ben", S, [paragraph], [paragraph])
    given.evidence_sets.get(number=2).items.update(unit="s1")
    for number, unit in ((1, "s0"), (2, "s0")):
        given.evidence_sets.get(number=number).items.create(paragraph=paragraph, unit=unit)
    first = exported(wave.campaign, tmp_path / "first", format, **chosen)
    again = make_campaign(slug="again", corpus=corpus)

    report = run(again, first, format=format, **chosen)

    (claim,) = read_claims([first], format)
    assert [len(each) for each in claim.instances[0].annotations[0].evidence] == [2]
    assert report["violations"] == {}
    assert exported(again, tmp_path / "second", format, **chosen).read_bytes() == first.read_bytes()
