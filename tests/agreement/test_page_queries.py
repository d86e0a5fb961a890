"""Pages, files and API take as many queries over two hundred instances as over ten."""

import numpy as np
import pytest
from django.urls import reverse

from agreement import snapshots
from agreement.cue_figures import CueSettings
from agreement.figures import AgreementSettings, Scope
from agreement.snapshots import KIND
from annotation.models import Annotation
from benchmarks.campaigns import make_claims, make_items, make_world
from tests.annotation.pages import count_queries

pytestmark = pytest.mark.django_db
FEW, MANY = 10, 200


@pytest.fixture
def campaigns(monkeypatch):
    """{instances: a campaign with three labels of each}, their figures stored as of many labels."""
    monkeypatch.setattr(snapshots, "SMALL", 1)
    return {amount: made(amount) for amount in (FEW, MANY)}


def made(amount):
    world = make_world(slug=f"with-{amount}", claims=amount, people=40, labels_wanted=3)
    make_items(world, make_claims(world, amount), np.full(amount, 3))
    scope = Scope(world.campaign)
    snapshots.store(KIND.AGREEMENT, scope, AgreementSettings())
    snapshots.store(KIND.CUES, scope, CueSettings())
    return world.campaign


def pair_of(campaign):
    """Two people of whom each labelled the first claim."""
    first = Annotation.objects.filter(item__wave__campaign=campaign).order_by("pk")[:2]
    names = snapshots.tables.annotator_names(campaign)
    return dict(zip(("first", "second"), [names(row.user_id, "") for row in first], strict=True))


@pytest.mark.parametrize(
    "name",
    ["dashboard", "conflicts", "cues", "cue-claims", "pair", "hardest", "agreement", "api-cues"],
)
def test_as_many_queries_at_ten_instances_as_at_two_hundred(campaigns, sign_in, name):
    few, many = (asked(campaigns[amount], sign_in, name) for amount in (FEW, MANY))

    assert few == many


def asked(campaign, sign_in, name):
    client = sign_in(campaign.memberships.get(role="manager").user)
    return count_queries(client, address_of(campaign, name))


def address_of(campaign, name):
    slug = campaign.slug
    if name == "pair":
        return reverse("agreement:conflicts", args=[slug], query=pair_of(campaign))
    if name == "hardest":
        return reverse("agreement:table-csv", args=[slug, "hardest"])
    if name == "cue-claims":
        return reverse("agreement:cue-claims", args=[slug], query={"cue": "bridge"})
    if name in ("agreement", "api-cues"):
        return f"/api/v1/campaigns/{slug}/{name.removeprefix('api-')}/"
    return reverse(f"agreement:{name}", args=[slug])
