"""Forms of pages: days as browsers take them, tokens without scripts, where mistakes are told."""

import re
from pathlib import Path

import pytest
from django import forms
from django.conf import settings
from django.urls import get_resolver, reverse
from django.utils import timezone, translation

from datasets.forms.releases import ReleaseForm
from datasets.results.claims import released_claims
from tests.datasets.releasing import make_labelled_campaign, make_release
from tests.datasets.results import file_of, lines_for
from tests.datasets.test_release_pages import CHOSEN
from tests.datasets.test_release_pages import start as start_release
from tests.factories import make_user

TEMPLATES = Path(settings.BASE_DIR) / "templates"
SENT_BY_SCRIPT = "components/sign_in_dialog.html"  # it asks for a new token, in csrf.js
INCLUDE = re.compile(r'{% include "([^"]+)"([^%]*) only %}')
FORM = re.compile(r"<form\b[^>]*method=\"post\".*?</form>", re.DOTALL | re.IGNORECASE)


@pytest.fixture
def campaign(db):
    make_user(username="manager-of-spring")
    return make_labelled_campaign(n=4)[0]


@pytest.fixture
def mia(campaign, sign_in):
    return sign_in("manager-of-spring")


def all_forms(base=forms.BaseForm):
    for form in base.__subclasses__():
        yield form
        yield from all_forms(form)


def test_the_day_of_a_release_is_one_that_browsers_take_in_czech(campaign):
    with translation.override("cs"):
        html = str(ReleaseForm(campaign=campaign)["date"])

    assert f'value="{timezone.localdate().isoformat()}"' in html


def test_every_picker_of_days_has_iso_values():
    get_resolver().url_patterns  # noqa: B018 - imports the forms of all pages
    pickers = [
        (form.__name__, name, field.widget.format)
        for form in all_forms()
        for name, field in getattr(form, "base_fields", {}).items()
        if getattr(field.widget, "input_type", "") == "date"
    ]

    assert len(pickers) >= 5
    assert [each for each in pickers if each[2] != "%Y-%m-%d"] == []


def test_every_form_that_posts_has_its_token():
    texts = {
        str(path.relative_to(TEMPLATES)): path.read_text() for path in TEMPLATES.rglob("*.html")
    }
    bare = [
        name
        for name, text in texts.items()
        for form in FORM.findall(text)
        if "{% csrf_token %}" not in form and name != SENT_BY_SCRIPT
    ]
    lost = [
        f"{name} → {part}"
        for name, text in texts.items()
        for part, given in INCLUDE.findall(text)
        if "{% csrf_token %}" in texts[part] and "csrf_token=csrf_token" not in given
    ]

    assert (bare, lost) == ([], [])


def test_a_refused_release_is_told_at_the_top_and_in_the_title(campaign, mia):
    html = start_release(mia, campaign, name="?").content.decode()

    address = reverse("datasets:releases", args=[campaign.slug])
    assert "<title>Refused: Releases" in html
    assert '<a href="#new-release">' in html
    assert f'action="{address}#new-release"' in html


@pytest.mark.parametrize(
    ("route", "sent", "place"),
    [("predictions", {"name": "X", "split": "all"}, "add-predictions"),
     ("baselines", {"seed": -1}, "measure-baselines")],
)  # fmt: skip
def test_a_refused_form_of_a_release_is_told_at_the_top(campaign, mia, route, sent, place):
    release = make_release(campaign)
    address = reverse(f"datasets:{route}", args=[release.pk])
    sent = sent | ({"file": file_of(["{broken\n"])} if route == "predictions" else {})

    html = mia.post(address, sent).content.decode()
    plain = mia.get(reverse("datasets:release", args=[release.pk])).content.decode()

    assert "<title>Refused: 1.0.0" in html
    assert f'<a href="#{place}">' in html
    assert f'<details id="{place}"' in html
    assert f'action="{address}#{place}"' in html
    assert "Refused" not in plain


def test_a_form_that_was_taken_leads_elsewhere_than_to_itself(campaign, mia):
    """Browsers keep the fragment of a form's address unless the answer has one."""
    release = make_release(campaign)

    lines = file_of(lines_for(released_claims(release).splits["all"]))
    sent = {"name": "X", "split": "all", "file": lines}
    scored = mia.post(reverse("datasets:predictions", args=[release.pk]), sent)
    made = mia.post(reverse("datasets:releases", args=[campaign.slug]), CHOSEN | {"name": "2"})

    assert scored["Location"].endswith("#content")
    assert made["Location"].endswith("#content")
