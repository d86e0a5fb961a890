"""Before a wave closes an annotator learns nothing of others' labels: no counts, order or hints.

Others' labels are swapped so that people who agreed differ; every page and every answer of the
API that an annotator may ask for has to be the same, but for which items are offered.
"""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.giving import ask_for_work
from annotation.items import lock_item, settle
from annotation.models import Annotation, Instance, Wave, WaveItem
from tests.factories import make_participant, make_work, submit
from tests.routes import ROUTES, World

pytestmark = pytest.mark.django_db
# What is new each time that a page is drawn.
VARYING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}\w{12}'
)


@pytest.fixture
def world():
    """A wave in which two people agree on three claims, and the annotator labelled two of them."""
    world = World()
    Wave.objects.update(plan="exact", labels_wanted=3)
    world.wave.refresh_from_db()
    make_work(world.wave, 3, author=world.curator)
    for person in [make_participant(world.wave, name) for name in ("ben", "dan")]:
        label_all(world, person, 3)
    label_all(world, world.annotator, 2)
    return world


def label_all(world, person, size):
    for _ in range(size):
        submit(ask_for_work(user=person, wave=world.wave, task="T2"), "SUPPORTS")


def pages_of(world, role):
    """{(route, path): what a person in this role reads there}, of all that they may open."""
    client = Client()
    client.force_login(world.user_as(role))
    pages = {}
    for name, entry in ROUTES.items():
        for route in entry if isinstance(entry, list) else [entry]:
            if route.method == "get" and role in route.roles:
                needs = {
                    argument: getattr(world, needed) for argument, needed in route.needs.items()
                }
                text = client.get(reverse(name, kwargs=needs)).content.decode(errors="replace")
                pages[name] = VARYING.sub("", text)
    return pages


def swap_labels(name):
    """Let one person have said the opposite everywhere."""
    Annotation.objects.filter(user__username=name).update(label="REFUTES")
    for pk in WaveItem.objects.order_by("pk").values_list("pk", flat=True):
        settle(lock_item(pk))


def differing(world, role):
    """The routes that a person reads otherwise once others' labels were swapped."""
    pages_of(world, role)  # what the routes need is made by the first visit
    before = pages_of(world, role)
    swap_labels("ben")
    assert Instance.objects.filter(outcome="conflicted").exists()
    after = pages_of(world, role)
    return [name for name in before if before[name] != after[name]]


def test_an_annotator_reads_the_same_whatever_others_answered(world):
    assert differing(world, "annotator") == []


def test_a_curator_sees_that_people_differ(world):
    assert "agreement:conflicts" in differing(world, "curator")
