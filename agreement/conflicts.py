"""Conflicts: who may see claims whose labels differ, and what they come to."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from agreement import tables
from agreement.aggregation import Decision, Vote, decide
from agreement.aggregation.decisions import VOTING
from agreement.differing import Conflict
from annotation.models import Campaign, Instance, Wave, WaveItem, instances_hidden_from


@dataclass(frozen=True)
class Row:
    """A conflict as the list shows it."""

    instance: Instance
    share: float
    votes: list[Vote]
    decision: Decision
    outcome: str


def seen_by(user: User, campaign: Campaign):
    """The labelled instances of a campaign whose labels `user` may see."""
    rows = Instance.objects.filter(claim__campaign=campaign, claim__withdrawn_at=None)
    return rows.exclude(pk__in=instances_hidden_from(user))


def seen_among(user: User, campaign: Campaign, ids: list[int]) -> dict[int, Instance]:
    """{id: instance} of those of `seen_by` that are among a few, found from their ids alone."""
    rows = Instance.objects.filter(pk__in=ids).select_related("claim", "article", "passage")
    hidden = {pk for (pk,) in instances_hidden_from(user, among=ids)}
    return {
        row.pk: row
        for row in rows
        if row.claim.campaign_id == campaign.pk
        and row.claim.withdrawn_at is None
        and row.pk not in hidden
    }


def rows_of(
    campaign: Campaign, conflicts: list[Conflict], waves: list[Wave] | None = None
) -> list[Row]:
    """The conflicts of one page with what is shown of them, in a constant number of queries."""
    ids = [conflict.instance for conflict in conflicts]
    # A stored list may name claims that were withdrawn since.
    rows = Instance.objects.filter(claim__withdrawn_at=None)
    instances = rows.select_related("claim", "article", "passage").in_bulk(ids)
    votes = dict(tables.votes_of(campaign, waves, instances=ids, with_evidence=False))
    standing = standings_of(campaign, ids)
    return [
        row_of(instances[one.instance], one.share, votes.get(one.instance, []), standing)
        for one in conflicts
        if one.instance in instances
    ]


def row_of(instance, share, votes, standing) -> Row:
    decision = decide(votes)
    state = standing.get(instance.pk)
    return Row(instance, share, votes, decision, outcome_of(votes, decision, state))


def standings_of(campaign: Campaign, instances: list[int]) -> dict[int, str]:
    """{instance id: waiting or held}: what is still going on with its items."""
    items = WaveItem.objects.filter(instance__in=instances, wave__in=tables.waves_of(campaign))
    waiting = items.filter(
        state=WaveItem.State.OPEN, wave__in=campaign.waves.not_over_at(timezone.now())
    )
    held = items.filter(state=WaveItem.State.HELD)
    return dict.fromkeys(waiting.values_list("instance", flat=True), "waiting") | dict.fromkeys(
        held.values_list("instance", flat=True), "held"
    )


def outcome_of(votes: list[Vote], decision: Decision, state: str | None) -> str:
    """adjudicated, waiting, held, majority or undecided; agreed where no labels differ."""
    if decision.reason == "adjudicated":
        return "adjudicated"
    if state:
        return state
    if len({vote.label for vote in votes if vote.kind in VOTING}) < 2:
        return "agreed"
    return "undecided" if decision.label is None else "majority"
