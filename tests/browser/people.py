"""People in a real browser: sign in, ask for work, read what is on the page."""

from tests.factories import PASSWORD, make_user

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 900}


def sign_in(browser, live_server, username, **context):
    """A page of a new browser window in which `username` is signed in."""
    make_user(username=username)
    context.setdefault("viewport", LAPTOP)
    page = browser.new_context(base_url=live_server.url, **context).new_page()
    page.goto("/accounts/sign-in/")
    page.fill("main [name=username]", username)
    page.fill("main [name=password]", PASSWORD)
    page.click("main form button.button-primary")
    page.wait_for_url("**/")
    return page


def ask(page, task):
    """Ask for work of a task, or go on with what is open, from the page of all work."""
    page.goto("/")
    page.locator("li", has=page.get_by_text(f"{task},")).get_by_role("button").or_(
        page.locator("li", has=page.get_by_text(f"{task},")).get_by_role("link", name="Go on")
    ).first.click()
    page.wait_for_url("**/assignments/*/")


def cell(page, text, number=1):
    """The checkbox of a paragraph in a set."""
    paragraph = page.locator(".paragraph", has_text=text)
    return paragraph.locator(f".set-cell[data-set='{number}'] input")


def wait_until_saved(page):
    page.wait_for_selector("[data-draft-status][data-state=saved]:has-text('Saved')")
