"""Conflicts: claims whose live labels differ, who may see them, and what they come to."""

from dataclasses import dataclass

import numpy as np
from django.db.models import Count, F, Max, Min, Q
from django.utils import timezone

from accounts.models import User
from agreement import tables
from agreement.aggregation import Decision, Vote, decide
from agreement.aggregation.decisions import VOTING
from agreement.measures.alpha import unit_disagreement
from annotation.models import Campaign, Instance, Label, Wave, WaveItem, instances_hidden_from
from annotation.pseudonyms import people_of

COLUMNS = {"supports": Label.SUPPORTS, "refutes": Label.REFUTES, "nei": Label.NOT_ENOUGH_INFO}


@dataclass(frozen=True)
class Conflict:
    """An instance whose live labels differ. share: its part of all disagreement, in 0 to 1."""

    instance: int
    share: float


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


def differing_labels(campaign: Campaign, waves: list[Wave] | None = None):
    """Rows by instance, of those whose live labels differ."""
    rows = tables.live_votes(campaign, waves).order_by().values("item__instance")
    # Cheaper than counting distinct labels, and the same.
    return rows.annotate(low=Min("label"), high=Max("label")).filter(low__lt=F("high"))


def conflicts_of(campaign: Campaign, user: User, waves: list[Wave] | None = None) -> list[Conflict]:
    """All conflicts that `user` may see, hardest first, then by the claims' numbers.

    The share is of the disagreement in all of the scope's conflicts, seen or not.
    """
    counted = {name: Count("pk", filter=Q(label=label)) for name, label in COLUMNS.items()}
    rows = differing_labels(campaign, waves).annotate(**counted)
    rows = list(rows.values_list("item__instance", "item__instance__claim__number", *COLUMNS))
    counts = np.array([row[2:] for row in rows], dtype=np.int64).reshape(len(rows), len(COLUMNS))
    disagreement = unit_disagreement(counts)
    hidden, total = {pk for (pk,) in instances_hidden_from(user)}, disagreement.sum()
    ordered = sorted(range(len(rows)), key=lambda place: (-disagreement[place], rows[place][1::-1]))
    return [
        Conflict(rows[place][0], float(disagreement[place] / total))
        for place in ordered
        if rows[place][0] not in hidden
    ]


def differing(
    campaign: Campaign, first: str, second: str, waves: list[Wave] | None = None
) -> set[int]:
    """The instances that two annotators, by their names in figures, gave different labels."""
    one, other = labels_by(campaign, first, waves), labels_by(campaign, second, waves)
    return {instance for instance in one.keys() & other if one[instance] != other[instance]}


def labels_by(campaign, name, waves) -> dict[int, str]:
    """{instance id: label} of one annotator; their last label where there are several."""
    user = people_of(campaign).get(name)
    who = Q(user=user) if user else Q(user=None, external_annotator=name)
    rows = tables.live_votes(campaign, waves).filter(who).order_by("pk")
    return dict(rows.values_list("item__instance", "label"))


def rows_of(
    campaign: Campaign, conflicts: list[Conflict], waves: list[Wave] | None = None
) -> list[Row]:
    """The conflicts of one page with what is shown of them, in a constant number of queries."""
    ids = [conflict.instance for conflict in conflicts]
    instances = Instance.objects.select_related("claim", "article", "passage").in_bulk(ids)
    votes = dict(tables.votes_of(campaign, waves, instances=ids, with_evidence=False))
    standing = standings_of(campaign, ids)
    return [
        row_of(instances[one.instance], one.share, votes.get(one.instance, []), standing)
        for one in conflicts
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
