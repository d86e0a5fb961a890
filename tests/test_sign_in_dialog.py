"""A session that ran out: the dialog signs the same person in and repeats the request."""

import pytest

from tests.factories import PASSWORD, make_user

pytestmark = [pytest.mark.django_db(transaction=True)]

ASK_WITH_HTMX = "htmx.ajax('POST', '/accounts/theme/', {target: 'main', values: {theme: 'dark'}})"
ASK_WITH_FETCH = """async () => {
  const { request } = await import("/static/js/signin.js");
  const body = new URLSearchParams({ theme: "dark", csrfmiddlewaretoken: "old" });
  window.answer = request("/accounts/theme/", { method: "POST", body }).then(
    (response) => String(response.status), (error) => error.name);
}"""


@pytest.fixture
def account_page(page, live_server):
    """Ada's account page, whose session has just been ended on the server's side."""
    ada = make_user(username="ada")
    page.goto(f"{live_server.url}/accounts/sign-in/?next=/accounts/")
    page.fill("main [name=username]", "ada")
    page.fill("main [name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_selector("#sign-in-dialog", state="attached")
    page.context.clear_cookies(name="sessionid")
    page.ada = ada
    return page


def answer_dialog(page, password):
    page.wait_for_selector("#sign-in-dialog[open]")
    page.fill("#sign-in-password", password)
    page.press("#sign-in-password", "Enter")


def has_dark_theme(ada):
    ada.refresh_from_db()
    return ada.theme == "dark"


def test_an_htmx_request_is_sent_again_after_signing_in(account_page):
    account_page.evaluate(ASK_WITH_HTMX)
    with account_page.expect_response(lambda answer: answer.status == 302):
        answer_dialog(account_page, PASSWORD)

    assert has_dark_theme(account_page.ada)


def test_a_fetch_of_our_own_is_sent_again_with_the_new_token(account_page):
    account_page.evaluate(ASK_WITH_FETCH)
    answer_dialog(account_page, PASSWORD)

    assert account_page.evaluate("answer") == "200"
    assert has_dark_theme(account_page.ada)


def test_a_wrong_password_is_explained_in_the_dialog(account_page):
    account_page.evaluate(ASK_WITH_FETCH)
    answer_dialog(account_page, "wrong horse")

    account_page.wait_for_selector("#sign-in-dialog[open] .errorlist li")
    assert not has_dark_theme(account_page.ada)


def test_closing_the_dialog_leaves_the_page_and_tells_the_caller(account_page):
    account_page.fill("[name=name]", "typed and not sent")
    account_page.evaluate(ASK_WITH_FETCH)
    account_page.wait_for_selector("#sign-in-dialog[open]")
    account_page.keyboard.press("Escape")

    assert account_page.evaluate("answer") == "SignedOut"
    assert account_page.input_value("[name=name]") == "typed and not sent"
