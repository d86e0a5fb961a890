"""Labels in a line: `labelled(wave, "SSR")` is a claim that three people labelled."""

from uuid import uuid4

from django.db import transaction

from annotation.items import lock_item, settle
from annotation.models import Annotation
from tests.factories import make_claim, make_item, make_participant

LABELS = {"S": "SUPPORTS", "R": "REFUTES", "N": "NOT ENOUGH INFO"}
PEOPLE = ["ben", "cleo", "dan", "fay", "gus"]


def label(item, person, letter="S", **fields):
    """A live label by the person of this name, or of an import where no person is named."""
    values = {"kind": "cross", "label": LABELS[letter], "submission": uuid4(), **fields}
    if person:
        values["user"] = make_participant(item.wave, person)
    annotation = Annotation.objects.create(item=item, **values)
    settle_item(item)
    return annotation


def settle_item(item):
    with transaction.atomic():
        settle(lock_item(item.pk))


def labelled(wave, letters, *, people=PEOPLE, **claim):
    """The item of a new claim with these labels, by Ben, Cleo and so on in turn."""
    item = make_item(make_claim(wave, **claim), wave)
    for person, letter in zip(people, letters, strict=False):
        label(item, person, letter)
    return item
