"""What was made for a wave follows its settings, until somebody was given it."""

import pytest

from annotation import doctor
from annotation.giving import ask_for_work
from annotation.jobs import go_on
from annotation.models import WaveItem
from annotation.readiness import CLAIM_JOB, FILL_JOB, fill_wave, make_item, queue_for
from annotation.waves import edit_wave, open_wave
from operations.models import Job
from operations.worker import run_due_jobs
from tests.annotation.indexed import imported, make_indexed_corpus, source_of, written
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_participant,
    make_wave,
    submit,
)

pytestmark = pytest.mark.django_db
ONE_SEMANTIC = {"n_kw": 0, "n_sem": 1}


@pytest.fixture(params=["at once", "by a job"])
def either_way(request, monkeypatch):
    """Few claims are renewed with the change of the settings, more of them by a job."""
    if request.param == "by a job":
        monkeypatch.setattr("annotation.renewing.FEW", 0)


@pytest.fixture
def campaign():
    return make_campaign(corpus=make_corpus())


@pytest.fixture
def indexed():
    """A wave with the dictionaries of two imported claims, in which nobody has worked yet."""
    wave = make_wave(make_campaign(corpus=make_indexed_corpus()), pool=["imported"])
    imported(wave.campaign, "Torvik Steel built the Norvell bridge.", "Alda Renn resigned.")
    filled(wave)
    return wave


def filled(wave):
    fill_wave(wave)
    run_due_jobs()


def broken():
    return [row for _name, _why, breaking in doctor.RULES for row in breaking()]


def dictionaries_of(claims):
    columns = claims.order_by("pk").values_list("source_dictionary", "dictionary")
    return [pk for pair in columns for pk in pair]


def entries_of(claim):
    return [d.entries.count() for d in (claim.source_dictionary, claim.dictionary)]


def test_dictionaries_are_made_anew_when_their_settings_change(indexed, ada, either_way):
    assert all(entry > 4 for claim in indexed.campaign.claims.all() for entry in entries_of(claim))

    edit_wave(wave=indexed, actor=ada, dictionary_settings=ONE_SEMANTIC)
    run_due_jobs()

    for claim in indexed.campaign.claims.all():
        assert entries_of(claim) == [1, 1]
    assert [item.state for item in indexed.items.all()] == ["open", "open"]
    assert broken() == []


def test_nobody_is_given_a_claim_while_its_dictionary_is_made_anew(indexed, ada):
    edit_wave(wave=indexed, actor=ada, dictionary_settings=ONE_SEMANTIC)

    assert [item.state for item in indexed.items.all()] == ["held", "held"]
    assert broken() == []


def test_what_was_given_before_a_job_came_to_it_keeps_its_dictionaries(indexed, ada, monkeypatch):
    monkeypatch.setattr("annotation.renewing.FEW", 0)
    edit_wave(wave=indexed, actor=ada, dictionary_settings=ONE_SEMANTIC)
    given = ask_for_work(user=make_participant(indexed, "ben"), wave=indexed, task="T2")

    run_due_jobs()

    claim = given.item.instance.claim
    claim.refresh_from_db()
    assert claim.dictionary == given.claim_dictionary
    (other,) = indexed.campaign.claims.exclude(pk=claim.pk)
    assert entries_of(other) == [1, 1]


def test_the_same_settings_make_nothing_anew(indexed, ada):
    before = dictionaries_of(indexed.campaign.claims)
    defaults = {"n_kw": 4, "n_sem": 4, "n_pre": 1024, "k": 2, "seed": 0}

    edit_wave(wave=indexed, actor=ada, dictionary_settings=defaults)
    run_due_jobs()

    assert dictionaries_of(indexed.campaign.claims) == before
    assert Job.objects.filter(kind=CLAIM_JOB).count() == 2


def test_the_source_of_a_claim_written_here_keeps_what_its_writer_saw(ada, either_way):
    wave = make_wave(make_campaign(corpus=make_indexed_corpus()))
    seen = make_dictionary(wave.campaign.corpus)
    parent = written(wave, "ben", source_dictionary=seen)
    claim = written(wave, "ben", source_dictionary=seen, parent=parent)
    filled(wave)

    edit_wave(wave=wave, actor=ada, dictionary_settings=ONE_SEMANTIC)
    run_due_jobs()

    claim.refresh_from_db()
    assert claim.source_dictionary == seen
    assert claim.dictionary.entries.count() == 1


def test_items_made_without_the_dictionary_of_their_source_get_it(ada):
    wave = make_wave(make_campaign(corpus=make_indexed_corpus()), pool=["imported"], is_open=False)
    (claim,) = imported(wave.campaign, "Torvik Steel built the Norvell bridge.")
    claim.dictionary = make_dictionary(wave.campaign.corpus)
    claim.save()
    make_item(claim, wave)

    open_wave(wave=wave, actor=ada)
    run_due_jobs()

    claim.refresh_from_db()
    assert claim.source_dictionary.text == source_of(wave).text
    assert wave.items.get().state == "open"


def test_a_sandbox_changes_no_dictionary_of_a_real_wave(indexed, ada):
    sandbox = make_wave(indexed.campaign, name="Try", is_sandbox=True, pool=["imported"])
    filled(sandbox)
    before = dictionaries_of(indexed.campaign.claims)

    edit_wave(wave=sandbox, actor=ada, dictionary_settings=ONE_SEMANTIC)
    run_due_jobs()

    assert dictionaries_of(indexed.campaign.claims) == before
    assert sandbox.items.filter(state="open").count() == 2


def test_a_real_wave_has_its_own_dictionaries_made_of_what_a_sandbox_tried(ada):
    campaign = make_campaign(corpus=make_indexed_corpus())
    sandbox = make_wave(campaign, name="Try", is_sandbox=True, pool=["imported"])
    (claim,) = imported(campaign, "Torvik Steel built the Norvell bridge.")
    filled(sandbox)
    tried = ask_for_work(user=make_participant(sandbox, "ben"), wave=sandbox, task="T2")

    wave = make_wave(campaign, pool=["imported"], dictionary_settings=ONE_SEMANTIC, is_open=False)
    open_wave(wave=wave, actor=ada)
    run_due_jobs()

    claim.refresh_from_db()
    assert entries_of(claim) == [1, 1]
    assert tried.claim_dictionary.entries.count() > 1
    assert broken() == []


# In a corpus without an index


def test_items_of_a_kind_that_was_taken_out_are_removed(campaign, ada, either_way):
    wave = make_wave(campaign, pool=["imported", "initial"])
    initial = make_claim(wave)
    (claim,) = make_imported(campaign, wave)
    fill_wave(wave)

    edit_wave(wave=wave, actor=ada, pool=["initial"])
    run_due_jobs()

    assert [item.instance.claim for item in wave.items.all()] == [initial]
    assert claim.instances.get().outcome == "open"
    assert broken() == []
    other = make_wave(campaign, name="Next", pool=["imported"])
    assert fill_wave(other) == 1


def make_imported(campaign, wave, size=1):
    imports = make_wave(campaign, name="Import", purpose="import", is_open=False)
    return [make_claim(imports, origin="imported", author=None) for _ in range(size)]


def test_what_other_waves_made_of_a_claim_stays_when_its_item_is_removed(campaign, ada):
    sandbox = make_wave(campaign, name="Try", pool=["imported"], is_sandbox=True)
    wave = make_wave(campaign, pool=["imported"], plan="exact", labels_wanted=1)
    (claim,) = make_imported(campaign, wave)
    fill_wave(wave)
    fill_wave(sandbox)
    submit(ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2"))

    edit_wave(wave=sandbox, actor=ada, pool=["initial"])

    assert not sandbox.items.exists()
    assert claim.instances.get().outcome == "complete"
    assert broken() == []


def test_withdrawn_claims_keep_their_items(campaign, ada):
    wave = make_wave(campaign, pool=["imported"])
    (claim,) = make_imported(campaign, wave)
    fill_wave(wave)
    claim.withdrawn_at = claim.created_at
    claim.save()

    edit_wave(wave=wave, actor=ada, pool=["initial"])

    assert wave.items.get().state == "withdrawn"


def test_items_want_what_a_changed_plan_says(campaign, ada, either_way):
    wave = make_wave(campaign, pool=["initial"], plan="exact", labels_wanted=5)
    for _ in range(6):
        make_claim(wave)
    fill_wave(wave)

    edit_wave(wave=wave, actor=ada, plan="two_and_third")
    run_due_jobs()

    assert {item.wanted for item in wave.items.all()} == {2}
    assert broken() == []


def test_order_and_extra_labels_follow_a_changed_seed(campaign, ada, either_way):
    waves = [
        make_wave(campaign, name=name, pool=["initial"], extra_share=0.5, seed=seed)
        for name, seed in [("One", 0), ("Two", 7)]
    ]
    for _ in range(8):
        claim = make_claim(waves[0])
        for wave in waves:
            make_item(claim, wave)
    asked = waves[1].items.order_by("instance").values_list("wanted", "random_key")
    expected = list(asked)
    waves[1].items.all().delete()

    edit_wave(wave=waves[0], actor=ada, seed=7)
    run_due_jobs()

    items = waves[0].items.order_by("instance").values_list("wanted", "random_key")
    assert list(items) == expected


def test_a_sandbox_that_becomes_real_leaves_the_claims_of_others(campaign, ada, either_way):
    sandbox = make_wave(campaign, name="Try", pool=["imported"], is_sandbox=True)
    wave = make_wave(campaign, pool=["imported"])
    make_imported(campaign, wave)
    fill_wave(sandbox)
    fill_wave(wave)

    edit_wave(wave=sandbox, actor=ada, is_sandbox=False)
    run_due_jobs()

    assert [item.wave for item in WaveItem.objects.all()] == [wave]


@pytest.mark.parametrize(("state", "jobs"), [("queued", 1), ("running", 2), ("done", 2)])
def test_a_job_that_may_have_read_older_settings_is_followed_by_another(campaign, state, jobs):
    wave = make_wave(campaign)
    queue_for(wave, FILL_JOB)
    ended = {"ended_at": wave.created_at} if state == "done" else {}
    Job.objects.update(state=state, **ended)

    queue_for(wave, FILL_JOB)
    queue_for(wave, FILL_JOB)

    assert Job.objects.filter(kind=FILL_JOB).count() == jobs


def test_a_job_that_only_goes_on_filling_does_not_stand_for_one_that_renews(campaign):
    wave = make_wave(campaign)
    go_on(wave, 1)

    queue_for(wave, FILL_JOB)

    assert Job.objects.filter(arguments={"wave": wave.pk}).count() == 1
