"""What holds for every route: GET changes nothing, POST needs a token, pages run no inline code."""

import re
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.routes import ROLES, ROUTES
from tests.test_routes import NAMES, visits_of
from tests.world import World

pytestmark = pytest.mark.django_db
MODELS = [model for app in settings.OUR_APPS for model in apps.get_app_config(app).get_models()]
MODELS = [model for model in MODELS if model._meta.db_table != "cache"]  # counters of throttles
TABLES = {model._meta.db_table for model in MODELS}
WRITES = re.compile(r'^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)"?', re.IGNORECASE)
# What pages read from their address, so that none of it has an effect beside what is shown.
QUERY = {"q": "bridge", "page": "2", "task": "T2", "decided": "1", "stored": "1", "next": "/"}
INLINE = {
    "an inline script": r"<script(?![^>]*\bsrc=)(?![^>]*application/json)",
    "an inline handler": r"<[^>]+\son\w+\s*=",
    "an inline style": r"<[^>]+\sstyle\s*=|<style",
    "a script in an address": r"(?:href|action|src)\s*=\s*[\"']?\s*javascript:",
}


@pytest.fixture
def world():
    """A world with all that the routes need, made before anybody visits one."""
    world = World()
    for name in NAMES:
        for route in visits_of(name):
            for needed in route.needs.values():
                getattr(world, needed)
    return world


def addresses(world):
    """(name, address) of every route."""
    for name in NAMES:
        needs = visits_of(name)[0].needs
        arguments = {argument: getattr(world, needed) for argument, needed in needs.items()}
        yield name, reverse(name, kwargs=arguments)


def signed_in(world, role, **options):
    client = Client(**options)
    if user := world.user_as(role):
        client.force_login(user)
    return client


@contextmanager
def written():
    """The tables of our apps that a block wrote to."""
    tables = set()

    def note(execute, sql, *arguments):
        if (match := WRITES.match(sql)) and match[1] in TABLES:
            tables.add(match[1])
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        yield tables


def contents():
    """All rows of our apps."""
    return {model: sorted(map(repr, model.objects.values())) for model in MODELS}


@pytest.mark.parametrize("role", ROLES)
def test_looking_changes_no_row(world, role):
    client = signed_in(world, role)
    before = contents()

    changed = {}
    for name, address in addresses(world):
        with written() as tables:
            client.get(address, QUERY)
            client.get(address, headers={"HX-Request": "true"})
        if tables:
            changed[name] = tables

    assert changed == {}
    assert contents() == before


def test_a_write_is_noticed(world):
    with written() as tables:
        signed_in(world, "annotator").post(reverse("accounts:theme"), {"theme": "dark"})

    assert tables == {"accounts_user"}


@pytest.mark.parametrize("role", ["anonymous", "annotator", "superuser"])
def test_without_its_token_no_form_is_taken(world, role):
    client = signed_in(world, role, enforce_csrf_checks=True)
    before = contents()

    taken = {
        (name, method): response.status_code
        for name, address in addresses(world)
        for method in ["post", "put", "patch", "delete"]
        if (response := getattr(client, method)(address)).status_code < 400
    }

    assert taken == {}
    assert contents() == before


@pytest.mark.parametrize("role", ["annotator", "superuser"])
@pytest.mark.parametrize("start", ["/", "/people/\0/", "/corpora/"])
def test_an_address_with_a_nul_is_not_understood(world, role, start):
    client = signed_in(world, role)
    query = {} if "\0" in start else {"first": "\0", "second": "x"}

    response = client.get(start, query)

    assert response.status_code == 400
    assert "could not be understood" in response.text


@pytest.mark.parametrize("role", ["anonymous", "annotator", "superuser"])
def test_pages_run_no_inline_code(world, role):
    client = signed_in(world, role)

    for name, address in addresses(world):
        response = client.get(address, QUERY)
        policy = response.headers["Content-Security-Policy"]
        assert "unsafe" not in policy, name
        assert "default-src 'none'" in policy, name
        if response.headers.get("Content-Type", "").startswith("text/html"):
            html = response.content.decode()
            assert {what for what, tag in INLINE.items() if re.search(tag, html)} == set(), name


def test_every_route_is_asked(world):
    assert {name for name, _address in addresses(world)} == set(ROUTES)
