"""The quiet hint of T1b: words that give claims away, as a fixed list and closed waves tell."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from agreement import snapshots
from agreement.cues.telling import added_cue, strong_cues
from agreement.figures import Scope
from agreement.hints import SETTINGS, ask_for_closed_waves
from agreement.models import FigureSnapshot
from agreement.snapshots import KIND
from annotation.drafts import save_draft
from annotation.giving import ask_for_work
from annotation.models import Annotation, Claim, Wave
from operations.models import Job
from operations.worker import run_due_jobs
from tests.agreement.labels import labelled
from tests.annotation.pages import HTMX, page_of, read
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_participant,
    make_user,
    make_wave,
)

CLAIM = "The Norvell bridge opened in May 2022."


def row(cue, low):
    return {"cue": cue, "productivity_low": low}


def test_a_cue_is_strong_where_its_lower_bound_is_far_above_a_guess():
    rows = {"unigrams": [row("closed", 0.5), row("the", 0.49)], "bigrams": [row("in vain", 0.8)]}

    # A guess among three labels is 1/3, and one and a half of it 0.5.
    assert strong_cues({"labels": dict.fromkeys("SRN", 9), **rows}) == ["closed", "in vain"]
    assert strong_cues({"labels": dict.fromkeys("SR", 9), **rows}) == ["in vain"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Closed, it was.", "closed"),
        ("It was open in vain!", "in vain"),
        ("It was enclosed.", ""),
        ("In the end it was vain.", ""),
        ("The bridge was closed.", "closed"),
    ],
)
def test_an_added_cue_is_found_as_a_word(text, found):
    assert added_cue(text, original="The bridge opened.", cues=["closed", "in vain"]) == found


def test_what_the_original_says_is_not_pointed_out():
    assert added_cue("It closed.", original="It closed late.", cues=["closed"]) == ""


@pytest.fixture
def ada(wave):
    return make_participant(wave, "ada")


@pytest.fixture
def assignment(wave, ada):
    make_claim(wave, CLAIM, author=ada)
    return ask_for_work(user=ada, wave=wave, task="T1b")


@pytest.fixture
def client(sign_in, ada):
    return sign_in(ada)


@pytest.fixture
def earlier(wave):
    """An open wave in which twelve claims with "rumoured" were refuted, and twelve supported."""
    return with_cue(make_wave(wave.campaign, name="Earlier"))


def with_cue(wave):
    for number in range(12):
        labelled(wave, "RR", text=f"Town {number} is rumoured")
        labelled(wave, "SS", text=f"Village {number} is known")
    return wave


def close(wave, **ago):
    Wave.objects.filter(pk=wave.pk).update(closes_at=timezone.now() - timedelta(**ago))


def compute():
    """What the worker does: the sweep, then its jobs."""
    ask_for_closed_waves()
    run_due_jobs()


def hinted(client, assignment, **texts):
    """{mutation: hint} of what is typed."""
    url = reverse("agreement:hint", args=[assignment.pk])
    return hints_in(read(client.post(url, texts, headers=HTMX)))


def hints_in(html):
    found = re.findall(r'<p class="quiet-hint" id="hint-(\w+)"[^>]*>(.*?)</p>', html)
    return {mutation: text for mutation, text in found if text}


def test_a_listed_word_is_pointed_out_in_any_mutation_without_a_label(client, assignment):
    hints = hinted(client, assignment, specify="It never opened.", generalise="It only opened.")

    assert hints["specify"] == (
        "Words such as “never” often give a claim away. Could it be said another way?"
    )
    assert "“only”" in hints["generalise"]


def test_the_negation_has_its_own_sentence_for_words_that_deny(client, assignment):
    assert hinted(client, assignment, negate="It never opened.") == {}
    assert "“refused”" in hinted(client, assignment, negate="He refused to open it.")["negate"]


def test_a_czech_word_is_pointed_out_in_a_czech_claim(client, assignment):
    Claim.objects.update(language="cs")

    assert "“pouze”" in hinted(client, assignment, specify="Most je pouze železný.")["specify"]
    assert hinted(client, assignment, specify="It only opened.") == {}


def test_a_word_of_the_claim_itself_is_not_pointed_out(client, assignment):
    Claim.objects.update(text="The Norvell bridge never opened.")

    assert hinted(client, assignment, specify="The steel bridge never opened.") == {}


def test_every_field_gets_its_slot_anew_so_that_a_hint_goes_away(client, assignment):
    html = read(client.post(reverse("agreement:hint", args=[assignment.pk]), headers=HTMX))

    assert html.count('hx-swap-oob="true"') == 6
    assert hints_in(html) == {}


def test_a_cue_of_a_closed_wave_is_pointed_out(client, assignment, earlier):
    close(earlier, hours=1)
    compute()

    assert "“rumoured”" in hinted(client, assignment, specify="It is rumoured to open.")["specify"]
    assert hinted(client, assignment, specify="It is said to open.") == {}


def test_a_wave_that_is_open_tells_nothing(client, assignment, earlier):
    assert ask_for_closed_waves() == 0
    snapshots.store(KIND.CUES, Scope(earlier.campaign, earlier), SETTINGS)
    snapshots.store(KIND.CUES, Scope(earlier.campaign), SETTINGS)

    assert hinted(client, assignment, specify="It is rumoured to open.") == {}


def test_figures_made_while_the_wave_was_open_are_not_used_after_it(client, assignment, earlier):
    snapshots.store(KIND.CUES, Scope(earlier.campaign, earlier), SETTINGS)
    FigureSnapshot.objects.update(computed_at=timezone.now() - timedelta(hours=2))
    close(earlier, hours=1)
    assert hinted(client, assignment, specify="It is rumoured to open.") == {}

    compute()

    assert "“rumoured”" in hinted(client, assignment, specify="It is rumoured to open.")["specify"]


def test_a_wave_that_was_opened_again_tells_nothing_again(client, assignment, earlier):
    close(earlier, hours=1)
    compute()

    Wave.objects.filter(pk=earlier.pk).update(closes_at=None)

    assert hinted(client, assignment, specify="It is rumoured to open.") == {}


def test_labels_of_open_waves_change_no_hint(client, assignment, wave, earlier):
    close(earlier, hours=1)
    for number in range(12):
        labelled(wave, "RR", text=f"Town {number} is told of")
        labelled(wave, "SS", text=f"Village {number} is heard of")
    compute()
    texts = {"specify": "It is rumoured.", "generalise": "It is told of."}
    before = hinted(client, assignment, **texts)

    Annotation.objects.filter(item__wave=wave).update(label="REFUTES")
    FigureSnapshot.objects.all().delete()
    Job.objects.all().delete()
    compute()

    assert hinted(client, assignment, **texts) == before
    assert set(before) == {"specify"}


@pytest.mark.parametrize("change", [{"is_sandbox": True}, {"purpose": "import"}])
def test_sandboxes_and_imports_tell_nothing(client, assignment, earlier, change):
    close(earlier, hours=1)
    Wave.objects.filter(pk=earlier.pk).update(**change)
    compute()

    assert hinted(client, assignment, specify="It is rumoured to open.") == {}


def test_another_campaigns_waves_tell_nothing(client, assignment):
    autumn = make_campaign(slug="autumn", corpus=make_corpus())
    close(with_cue(make_wave(autumn)), hours=1)
    compute()
    assert Job.objects.get().state == Job.State.DONE

    assert hinted(client, assignment, specify="It is rumoured to open.") == {}


def test_a_closed_wave_is_computed_once(earlier):
    close(earlier, hours=1)

    assert ask_for_closed_waves() == 1
    assert ask_for_closed_waves() == 0
    run_due_jobs()
    assert ask_for_closed_waves() == 0


def test_nobody_else_gets_hints_on_an_assignment(sign_in, assignment):
    url = reverse("agreement:hint", args=[assignment.pk])

    assert sign_in(make_user(username="eve")).post(url).status_code == 404


def test_the_page_asks_for_hints_and_keeps_their_room(client, assignment):
    html = read(client.get(page_of(assignment)))

    assert f'hx-post="{reverse("agreement:hint", args=[assignment.pk])}"' in html
    assert html.count('class="quiet-hint"') == 6
    assert hints_in(html) == {}


def test_a_page_drawn_again_has_the_listed_words_without_script(client, assignment):
    save_draft(assignment=assignment, data={"specify": ["It never opened."]}, revision=0)

    assert "“never”" in hints_in(read(client.get(page_of(assignment))))["specify"]


def test_a_hint_blocks_nothing(client, assignment):
    client.post(page_of(assignment), {"action": "next", "specify": "It never opened."})

    assert Claim.objects.filter(mutation="specify", text="It never opened.").exists()


def test_a_hint_takes_as_many_queries_for_any_text(
    client, assignment, earlier, django_assert_max_num_queries
):
    close(earlier, hours=1)
    compute()

    with django_assert_max_num_queries(8):
        hinted(client, assignment, specify="It is rumoured.", generalise="It never opened.")
