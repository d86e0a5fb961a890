"""Guidelines: safe to draw, never changed, acknowledged when a new version is used."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from annotation.giving import ask_for_work
from annotation.guidelines import (
    acknowledge_guideline,
    default_text,
    needs_acknowledgement,
    publish_guideline,
)
from annotation.markdown import differences, section_of, to_html
from annotation.models import Acknowledgement
from tests.factories import (
    make_article,
    make_campaign,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_wave,
)


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("<b onclick=x>bold</b>", "&lt;b onclick=x&gt;"),
        ("[go](javascript:alert(1))", "[go](javascript:alert(1))"),
        ("[go](https://example.org)", '<a href="https://example.org" rel="noopener noreferrer">'),
        ("# Title", "<h2>Title</h2>"),
        ("| a |\n|:-:|\n| b |", "<th>a</th>"),
    ],
)
def test_markdown_is_drawn_without_html_of_its_own(typed, drawn):
    assert drawn in to_html(typed)


@pytest.mark.parametrize(
    "typed",
    ["![x](https://example.org/x.png)", "<img src=x onerror=alert(1)>", "[a](data:text/html,x)"],
)
def test_markdown_brings_in_no_picture_and_no_script(typed):
    html = to_html(typed)

    assert "<img" not in html
    assert 'href="data:' not in html


def test_a_task_has_its_own_part_of_the_guidelines():
    text = default_text("en")

    assert section_of(text, "T2").startswith("# T2: Labelling claims")
    assert "# T1b" not in section_of(text, "T1a")
    assert section_of("Nothing named here.", "T2") == "Nothing named here."


@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_built_in_guidelines_have_a_part_for_each_task(language):
    text = default_text(language)

    assert all(section_of(text, task) != text for task in ["T0", "T1a", "T1b", "T2"])


def test_differences_show_the_words_that_changed():
    rows = differences("Keep this.\nWrite one claim.", "Keep this.\nWrite two claims.")

    assert rows == [
        ("same", [("same", "Keep this.")]),
        (
            "changed",
            [("same", "Write "), ("removed", "one claim."), ("added", "two claims.")],
        ),
    ]


def test_differences_leave_out_what_is_far_from_a_change():
    before = "\n".join(f"Rule {number}" for number in range(20))

    rows = differences(before, before + "\nA new rule")

    assert [kind for kind, _ in rows] == ["gap", "same", "same", "added"]
    assert differences(before, before) == []


@pytest.fixture
def campaign(db):
    return make_campaign(corpus=make_corpus())


@pytest.mark.django_db
def test_a_czech_corpus_starts_with_czech_guidelines():
    campaign = make_campaign(corpus=make_corpus(language="cs"))

    assert campaign.guidelines.get().text == default_text("cs")


def test_a_new_version_leaves_the_old_one_and_moves_the_waves_it_is_for(campaign, ada):
    moved, left = make_wave(campaign), make_wave(campaign, name="Other")

    version = publish_guideline(campaign=campaign, text="# New", actor=ada, waves=[moved])

    assert [one.number for one in campaign.guidelines.all()] == [1, 2]
    moved.refresh_from_db()
    left.refresh_from_db()
    assert (moved.guideline, left.guideline.number) == (version, 1)


def test_a_version_without_a_change_is_refused(campaign, ada):
    with pytest.raises(ValidationError, match="Nothing was changed"):
        publish_guideline(campaign=campaign, text=default_text("en"), actor=ada)


def give_item(user, wave):
    """That `user` works by the wave's present guidelines."""
    user.assignments.create(
        wave=wave,
        task="T1a",
        preselection=make_source(wave),
        guideline=wave.guideline,
        given_at=timezone.now(),
        leased_until=timezone.now(),
        outcome="submitted",
        ended_at=timezone.now(),
        shuffle_seed=1,
    )


@pytest.fixture
def changed(campaign, ada):
    """A wave that uses version 2 now; ben has worked by version 1."""
    wave = make_wave(campaign)
    give_item(make_participant(wave, "ben"), wave)
    text = default_text("en").replace("Nobody hurries you.", "Take your time.")
    publish_guideline(campaign=campaign, text=text, actor=ada, waves=[wave])
    wave.refresh_from_db()
    return wave


def test_who_worked_by_an_older_version_acknowledges_the_new_one(changed, ben):
    assert needs_acknowledgement(ben, changed)

    acknowledge_guideline(guideline=changed.guideline, user=ben)

    assert not needs_acknowledgement(ben, changed)


def test_who_is_new_has_nothing_to_acknowledge(changed):
    assert not needs_acknowledgement(make_participant(changed, "zoe"), changed)


def test_acknowledging_twice_is_stored_once(changed, ben):
    for _ in range(2):
        acknowledge_guideline(guideline=changed.guideline, user=ben)

    assert Acknowledgement.objects.count() == 1


def test_the_next_item_waits_for_the_acknowledgement(changed, ben, sign_in):
    client = sign_in(ben)

    page = client.post(reverse("annotation:ask", args=[changed.pk, "T2"]), follow=True)
    text = page.content.decode()
    assert "The guidelines have changed" in text
    assert "Take your time." in text

    page = client.post(page.redirect_chain[-1][0], {"version": 2}, follow=True)
    assert "You can go on" in page.content.decode()
    assert not needs_acknowledgement(ben, changed)


def test_the_next_article_waits_for_the_acknowledgement_too(campaign, ada, sign_in):
    cyn, wave = make_member(campaign, "cyn", role="curator"), make_wave(campaign)
    for _ in range(2):
        make_article(campaign.corpus)
    first = ask_for_work(user=cyn, wave=wave, task="T0")
    publish_guideline(campaign=campaign, text="# Take your time", actor=ada, waves=[wave])

    url = reverse("annotation:skip", args=[first.pk])
    page = sign_in(cyn).post(url, {"reason": "other"}, follow=True)

    assert page.redirect_chain[-1][0] == reverse("annotation:acknowledge", args=[wave.pk])
    assert not cyn.assignments.open().exists()


def test_a_page_that_is_older_than_the_newest_version_acknowledges_nothing(changed, ben, sign_in):
    page = sign_in(ben).post(reverse("annotation:acknowledge", args=[changed.pk]), {"version": 1})

    assert "I have read it" in page.content.decode()
    assert needs_acknowledgement(ben, changed)


def test_a_preview_publishes_nothing(campaign, sign_in):
    client = sign_in("manager-of-spring")
    url = reverse("annotation:edit-guidelines", args=[campaign.slug])

    page = client.post(url, {"text": "# Be **kind**", "preview": "1"})

    assert "<h2>Be <strong>kind</strong></h2>" in page.content.decode()
    assert campaign.guidelines.count() == 1


def test_a_manager_publishes_for_the_waves_that_are_ticked(campaign, sign_in):
    wave = make_wave(campaign)

    sign_in("manager-of-spring").post(
        reverse("annotation:edit-guidelines", args=[campaign.slug]),
        {"text": "# Be kind", "waves": [wave.pk]},
    )

    wave.refresh_from_db()
    assert wave.guideline.text == "# Be kind"


def test_characters_that_cannot_be_seen_are_refused_by_name(campaign, sign_in):
    page = sign_in("manager-of-spring").post(
        reverse("annotation:edit-guidelines", args=[campaign.slug]), {"text": "a\u202eb"}
    )

    assert "RIGHT-TO-LEFT OVERRIDE (U+202E)" in page.content.decode()


def test_a_member_of_one_campaign_is_led_to_its_guidelines(campaign, sign_in):
    page = sign_in(make_member(campaign, "ben")).get(reverse("annotation:guidelines"), follow=True)

    assert "What we are building" in page.content.decode()
