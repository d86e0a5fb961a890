"""Every route, visited as every role. Who may not open it gets 404, as if it were not there."""

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from tests.routes import ROLES, ROUTES
from tests.world import World

SIGNED_OUT = 401
HIDDEN = 404


def routes_below(patterns, namespace=""):
    """The names of all routes, with their namespaces."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}"
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from routes_below(pattern.url_patterns, inner)


NAMES = sorted(set(routes_below(get_resolver().url_patterns)))


def visits_of(name):
    entry = ROUTES.get(name)
    assert entry, f"{name} has no entry in tests/routes.py: say there who may use it."
    return entry if isinstance(entry, list) else [entry]


def status_for(role, world, name, route):
    """What a person in this role gets; whatever the visit changes is rolled back."""
    arguments = {argument: getattr(world, needed) for argument, needed in route.needs.items()}
    client = Client()
    with transaction.atomic():
        if user := world.user_as(role):
            client.force_login(user)
        response = getattr(client, route.method)(reverse(name, kwargs=arguments), route.data)
        transaction.set_rollback(True)
    asks_to_sign_in = "/sign-in/?next=" in response.get("Location", "")
    return SIGNED_OUT if asks_to_sign_in else response.status_code


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_only_those_who_may_open_a_route_get_in(name):
    world = World()

    for route in visits_of(name):
        for argument in route.needs.values():
            getattr(world, argument)
        statuses = {role: status_for(role, world, name, route) for role in ROLES}

        opened = {role for role, status in statuses.items() if status not in refusals(role)}
        assert opened == set(route.roles), (name, route.method, statuses)
        assert all(status < 500 or name == "health" for status in statuses.values()), statuses


def refusals(role):
    """Who is signed out may sign in; who is signed in learns only that there is no such page."""
    return {SIGNED_OUT, 403} if role == "anonymous" else {HIDDEN}


def test_every_entry_is_a_route():
    assert sorted(set(ROUTES) - set(NAMES)) == []
