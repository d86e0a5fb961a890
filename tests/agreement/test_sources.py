"""What claims come from, where the corpus does not have their source."""

import json
from collections import Counter

import pytest

from agreement.cue_figures import decided_claims
from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.sources import sources_of
from tests.agreement.labels import label
from tests.factories import make_article, make_claim, make_item, paragraph_of

pytestmark = pytest.mark.django_db


def imported(wave, *, source="", **fields):
    """A claim of a file whose source the corpus does not have."""
    claim = make_claim(wave, author=None, **{"origin": "imported", **fields})
    claim.source = claim.source_published_at = None
    claim.extra = json.dumps({"format": "ctkfacts", **({"source": source} if source else {})})
    claim.save()
    return claim


def are_together(wave, *claims):
    found = sources_of(wave.campaign)
    return len({found[claim.pk] for claim in claims}) == 1


def test_a_claim_belongs_to_the_article_of_its_source(wave):
    article = make_article(wave.campaign.corpus)
    first, second = (make_claim(wave, source=paragraph_of(article)) for _ in range(2))

    assert sources_of(wave.campaign) == dict.fromkeys([first.pk, second.pk], article.pk)


def test_claims_whose_files_name_one_article_belong_together(wave):
    first, second, newer = (imported(wave, source=f"T2018_{n}") for n in ("3", "12", "x"))
    other = imported(wave, source="T2019@2_3")

    assert are_together(wave, first, second)
    assert not are_together(wave, first, newer)
    assert not are_together(wave, first, other)
    assert are_together(wave, other, imported(wave, source="T2019_4"))


def test_an_article_of_which_the_corpus_has_a_part_is_one_source(wave):
    article = make_article(wave.campaign.corpus, external_id="T2018")
    known = make_claim(wave, source=paragraph_of(article))

    assert are_together(wave, known, imported(wave, source="T2018_99"))


def test_a_mutation_belongs_to_the_source_of_the_claim_it_goes_back_to(wave):
    first, named = make_claim(wave), imported(wave, source="T2018_3")
    mutation, of_named = imported(wave, parent=first), imported(wave, parent=named)

    assert are_together(wave, first, mutation, imported(wave, parent=mutation))
    assert are_together(wave, named, of_named)
    assert not are_together(wave, first, named)


def test_claims_of_one_line_without_any_source_belong_together(wave):
    first, alone = imported(wave), imported(wave)
    mutation = imported(wave, parent=first)
    one, other = (imported(wave, external_parent="17", mutation="rephrase") for _ in range(2))

    assert are_together(wave, first, mutation)
    assert are_together(wave, one, other)
    assert not are_together(wave, first, alone)
    assert not are_together(wave, first, one)


def test_claims_that_go_back_to_each_other_belong_together(wave):
    first, second = imported(wave), imported(wave)
    tail = imported(wave, parent=second)
    for claim, parent in ((first, second), (second, first)):
        claim.parent, claim.mutation = parent, "rephrase"
        claim.save()

    assert are_together(wave, first, second, tail)


@pytest.fixture
def lines(wave):
    """Twelve claims of a file and a mutation of each, labelled alike within a line."""
    for number in range(12):
        claim = imported(wave)
        for each in (claim, imported(wave, parent=claim)):
            item = make_item(each, wave)
            label(item, "ben", "SR"[number % 2])
            label(item, "cleo", "SR"[number % 3 % 2])
    return wave


def test_the_interval_draws_imported_claims_with_their_mutations(lines):
    by_claim, by_source = (
        agreement_figures(Scope(lines.campaign), AgreementSettings(resample=drawn, n_samples=2000))[
            "alpha"
        ]["ci"]
        for drawn in ("claims", "sources")
    )

    assert by_source[1] - by_source[0] > 1.2 * (by_claim[1] - by_claim[0])


def test_the_classifier_has_a_claim_and_its_mutation_on_one_side(lines):
    label(make_item(imported(lines), lines), "ben", "N")

    claims = decided_claims(Scope(lines.campaign))

    # Both agree on six of the lines.
    assert sorted(Counter(claims.source).values()) == [1, 2, 2, 2, 2, 2, 2]
