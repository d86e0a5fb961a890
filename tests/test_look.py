"""The frame of every page: theme, language, navigation, errors; and what a strict CSP demands."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from tests.factories import make_user

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
NOWHERE = "/there-is-no-such-page/"


def page(client):
    return client.get(NOWHERE).content.decode()


def test_the_theme_follows_the_device_unless_the_person_chose_one(sign_in):
    assert 'data-theme="auto"' in page(sign_in("ada"))

    assert 'data-theme="dark"' in page(sign_in(make_user(username="ben", theme="dark")))


def test_the_language_in_use_is_the_pressed_button(sign_in):
    client = sign_in("ada")
    client.cookies["django_language"] = "cs"

    html = page(client)

    assert '<html lang="cs" dir="ltr"' in html
    assert 'value="cs" lang="cs" aria-pressed="true"' in html
    assert 'value="en" lang="en" aria-pressed="false"' in html


def test_people_and_jobs_are_for_who_runs_something(sign_in):
    assert "/jobs/" not in page(sign_in("eve"))

    assert "/jobs/" in page(sign_in(make_user(username="root", is_superuser=True)))


def test_the_current_page_is_marked_in_the_navigation(sign_in):
    html = sign_in("ada").get(reverse("annotation:campaigns")).content.decode()

    assert re.search(r'<a href="[^"]*/campaigns/" aria-current="page">', html)


def test_signing_out_is_a_form_that_posts(sign_in):
    assert re.search(r'<form method="post" action="[^"]*/sign-out/"', page(sign_in("ada")))


def test_the_dialog_signs_the_same_person_in(sign_in):
    html = page(sign_in("ada"))

    dialog = html[html.index('id="sign-in-dialog"') :]
    assert re.search(r'name="username" value="ada"[^>]* readonly', dialog)


def test_an_outsider_is_told_kindly_that_nothing_is_there(sign_in):
    response = sign_in("eve").get(NOWHERE)

    assert response.status_code == 404
    assert "not a member of" in response.content.decode()


@pytest.mark.parametrize("name", ["400.html", "403.html", "404.html", "500.html"])
def test_an_error_page_draws_without_a_request(name):
    html = render_to_string(name)

    assert html.count("<h1") == 1
    assert "<form" not in html  # without a request there is no token to post with


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_asks_for_nothing_that_the_csp_blocks(path):
    text = path.read_text()

    assert not re.search(r"\sstyle=|<style|javascript:|\son[a-z]+=\"", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)


def test_htmx_may_not_evaluate_nor_leave_the_site(sign_in):
    html = page(sign_in("ada"))

    for setting in ['"allowEval": false', '"allowScriptTags": false', '"selfRequestsOnly": true']:
        assert setting in html


def test_a_css_file_that_exists_is_linked():
    linked = (ROOT / "templates/components/styles.html").read_text()

    for sheet in (ROOT / "static/css").glob("*.css"):
        assert f"css/{sheet.name}'" in linked
