"""Who gets which source, which claims to mutate and which article."""

from datetime import timedelta

import pytest

from annotation.answering import skip_work
from annotation.drafts import save_draft
from annotation.giving import close_run_out
from tests.annotation.asking import ask, reason
from tests.factories import (
    make_article,
    make_claim,
    make_member,
    make_participant,
    make_source,
    make_wave,
    paragraph_of,
    run_out,
)

pytestmark = pytest.mark.django_db


def test_least_used_sources_come_first(wave, annotator):
    make_source(wave, taken=1)
    unused = make_source(wave)

    assert ask(annotator, wave, "T1a").preselection == unused


def test_a_source_has_at_most_three_writers(wave):
    source = make_source(wave)
    for number in range(3):
        ask(make_participant(wave, f"person{number}"), wave, "T1a")

    source.refresh_from_db()
    assert source.taken == 3
    assert reason(make_participant(wave, "fay"), wave, "T1a") == "leased"


def test_a_writer_gets_a_source_once(wave, annotator):
    make_source(wave)
    skip_work(assignment=ask(annotator, wave, "T1a"), reason="unclear")

    assert reason(annotator, wave, "T1a") == "done"


def test_a_source_that_ran_out_in_another_wave_is_opened_again_in_this_one(wave, annotator):
    make_source(wave)
    first = run_out(ask(annotator, wave, "T1a"))
    save_draft(assignment=first, data={"claim-1": ["A bridge opened."]}, revision=0)
    close_run_out(wave=wave)
    later = make_wave(wave.campaign, name="Later")
    make_participant(later, annotator)

    again = ask(annotator, later, "T1a")

    assert (again, again.wave, again.outcome) == (first, later, "")
    assert again.draft.data == {"claim-1": ["A bridge opened."]}
    assert not annotator.assignments.filter(wave=wave).exists()


def test_an_article_that_ran_out_in_another_wave_is_given_anew_in_this_one(wave):
    make_article(wave.campaign.corpus)
    curator = make_member(wave.campaign, "cyn", role="curator")
    first = run_out(ask(curator, wave, "T0"))
    close_run_out(wave=wave)
    later = make_wave(wave.campaign, name="Later")

    again = ask(curator, later, "T0")

    assert (again.article, again.wave) == (first.article, later)
    assert curator.assignments.get(wave=wave) == first


def test_the_reasons_for_no_source(wave, annotator):
    assert reason(annotator, wave, "T1a") == "no_sources"
    source = make_source(wave, is_ready=False)
    assert reason(annotator, wave, "T1a") == "dictionaries"
    source.delete()


def test_a_source_of_an_article_that_changed_is_not_given(wave, annotator):
    source = make_source(wave)
    source.paragraph.article.version = 2
    source.paragraph.article.save()

    assert reason(annotator, wave, "T1a") == "no_sources"


def test_sandbox_sources_stay_in_their_sandbox(wave, annotator):
    sandbox = make_wave(wave.campaign, name="Try", is_sandbox=True)
    make_source(sandbox)

    assert reason(annotator, wave, "T1a") == "no_sources"


def test_writers_mutate_the_claims_that_they_wrote(wave, annotator):
    make_claim(wave, author="ada")
    assert reason(annotator, wave, "T1b") == "no_claims"
    mine = [make_claim(wave, author=annotator), make_claim(wave, author=annotator)]

    first = ask(annotator, wave, "T1b")

    assert first.claim == mine[0]


def test_only_curators_preselect(wave, annotator):
    assert reason(annotator, wave, "T0") == "not_approved"


def test_two_curators_get_different_articles(wave):
    articles = {make_article(wave.campaign.corpus).pk for _ in range(2)}
    curators = [make_member(wave.campaign, name, role="curator") for name in ["cyn", "dan"]]

    given = [ask(curator, wave, "T0") for curator in curators]

    assert {assignment.article_id for assignment in given} == articles
    assert given[0].leased_until - given[0].given_at == timedelta(minutes=15)


def test_an_article_comes_with_a_suggested_paragraph(wave):
    text = "The Norvell bridge, said Alda Renn of Torvik Steel, will open in 2022 for 30 million."
    article = make_article(wave.campaign.corpus, "Short.", text)
    curator = make_member(wave.campaign, "cyn", role="curator")

    assignment = ask(curator, wave, "T0")

    assert assignment.suggested == paragraph_of(article, 2)
    assert assignment.suggested_score > 0.5


def test_tables_and_duplicates_are_not_preselected_from(wave):
    original = make_article(wave.campaign.corpus, is_tabular=True)
    make_article(wave.campaign.corpus, duplicate_of=original, duplicate_kind="exact")
    curator = make_member(wave.campaign, "cyn", role="curator")

    assert reason(curator, wave, "T0") == "done"
