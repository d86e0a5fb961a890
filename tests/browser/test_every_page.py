"""Every page, on a laptop and on a phone, light and dark: readable for all, nothing sideways."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.urls import reverse

from tests.browser.people import LAPTOP, PHONE
from tests.routes import ROUTES
from tests.test_routes import NAMES
from tests.world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
PAGES = [name for name in NAMES if not name.startswith("api:")]
SHAPES = {"laptop-light": (LAPTOP, "light"), "phone-dark": (PHONE, "dark")}
GRAVE = {"serious", "critical"}
PREFERRED = ["annotator", "manager", "superuser", "anonymous"]


def page_route(name):
    """The entry of a route that is read, or None."""
    entry = ROUTES.get(name)
    entries = entry if isinstance(entry, list) else [entry]
    return next((route for route in entries if route and route.method == "get"), None)


def address(world, name, route):
    needs = {argument: getattr(world, needed) for argument, needed in route.needs.items()}
    return reverse(name, kwargs=needs)


def is_page(client, url):
    response = client.get(url)
    return response.status_code == 200 and response["Content-Type"].startswith("text/html")


def session_cookies(client, live_server):
    cookie = client.cookies.get("sessionid")
    return [{"name": "sessionid", "value": cookie.value, "url": live_server.url}] if cookie else []


@pytest.mark.parametrize("name", [name for name in PAGES if page_route(name)])
def test_a_page_has_no_grave_violation_and_does_not_scroll_sideways(browser, live_server, name):
    world, route = World(), page_route(name)
    url = address(world, name, route)
    role = next(role for role in PREFERRED if role in route.roles)
    client = Client()
    if user := world.user_as(role):
        client.force_login(user)
    if not is_page(client, url):
        return  # a file, or a redirect to a page that is visited by its own name

    found = {shape: look_at(browser, live_server, client, url, shape) for shape in SHAPES}

    assert found == {shape: [] for shape in SHAPES}


def look_at(browser, live_server, client, url, shape):
    """What is wrong with a page in one shape, its own errors in the console included."""
    viewport, scheme = SHAPES[shape]
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    context.add_cookies(session_cookies(client, live_server))
    page = context.new_page()
    errors = []
    page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
    page.goto(live_server.url + url)
    problems = problems_of(page, viewport) + errors
    context.close()
    return problems


def problems_of(page, viewport):
    violations = Axe().run(page).response["violations"]
    grave = [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in violations
        if each["impact"] in GRAVE
    ]
    width = page.evaluate("document.documentElement.scrollWidth")
    return grave + ([f"{width} pixels wide"] if width > viewport["width"] else [])
