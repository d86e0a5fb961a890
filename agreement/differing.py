"""Which instances have labels that differ, hardest first: of a campaign, a wave, or two people."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from django.db.models import F, Max, Min, Q

from agreement import tables
from agreement.figures import AgreementSettings, Scope
from agreement.measures import AnnotationTable
from agreement.measures.alpha import unit_disagreement
from annotation.models import Campaign, Instance, Label, Wave
from annotation.pseudonyms import people_of
from operations.listed import listed


class Conflict(NamedTuple):
    """An instance whose labels differ. share: its part of all disagreement, in 0 to 1."""

    instance: int
    share: float


def conflicts_in(scope: Scope, settings: AgreementSettings) -> list[Conflict]:
    """All conflicts, hardest first, then by the claims' numbers.

    Usually of all live labels but the authors' own; where other labels or policies were chosen,
    of those that the figures rest on.
    """
    if settings.takes_all:
        return in_order(*live_counts(scope))
    rows = settings.chosen_of(tables.annotation_rows(scope.campaign, scope.waves))
    table = rows.table(**settings.policies)
    return in_order(table.units, table.counts)


def conflicts_of_pair(
    scope: Scope, settings: AgreementSettings, first: str, second: str
) -> list[Conflict]:
    """Those on which two annotators, by their names in figures, differ: behind a pair's kappa.

    Read from what both labelled alone: each policy looks at the labels of one instance.
    """
    both = labelled_by(scope, first) & labelled_by(scope, second)
    rows = tables.annotation_rows(scope.campaign, scope.waves, instances=both)
    table = settings.chosen_of(rows).table(**settings.policies)
    one, other = labels_by(table, first), labels_by(table, second)
    differ = (one >= 0) & (other >= 0) & (one != other)
    units = [unit for unit, here in zip(table.units, differ.tolist(), strict=True) if here]
    return in_order(units, table.counts[differ])


def labelled_by(scope: Scope, name: str) -> set[int]:
    """The instances with a label by an annotator that may count."""
    user = people_of(scope.campaign).get(name)
    who = Q(user=user) if user else Q(user=None, external_annotator=name)
    rows = tables.counting(scope.campaign, scope.waves).filter(who)
    return set(rows.values_list("item__instance", flat=True))


def labels_by(table: AnnotationTable, name: str) -> np.ndarray:
    """(n_units,): the code of the last label that an annotator gave each unit; -1 for none."""
    given = np.full(len(table.units), -1)
    if name in table.annotators:
        mine = table.annotator == table.annotators.index(name)
        given[table.unit[mine]] = table.label[mine]
    return given


def live_counts(scope: Scope) -> tuple[list[int], np.ndarray]:
    """Instances whose live labels differ, and (n, 3): how many gave each label.

    Whoever labelled an instance in two waves gave it the last of their labels.
    """
    differing = differing_labels(scope.campaign, scope.waves).values_list("item__instance")
    rows = tables.live_votes(scope.campaign, scope.waves).order_by("pk")
    rows = rows.filter(item__instance__in=listed(pk for (pk,) in differing))
    read = rows.values_list("item__instance", "user", "external_annotator", "label")
    last = {(instance, *who): label for instance, *who, label in read.iterator(tables.CHUNK)}
    place = {instance: n for n, instance in enumerate(dict.fromkeys(key[0] for key in last))}
    counts = np.zeros((len(place), len(Label.values)), dtype=np.int64)
    for (instance, *_), label in last.items():
        counts[place[instance], Label.values.index(label)] += 1
    return list(place), counts


def differing_labels(campaign: Campaign, waves: list[Wave] | None = None):
    """Rows by instance, of those whose live labels differ."""
    rows = tables.live_votes(campaign, waves).order_by().values("item__instance")
    # Cheaper than counting distinct labels, and the same.
    return rows.annotate(low=Min("label"), high=Max("label")).filter(low__lt=F("high"))


def in_order(instances: Sequence[int], counts: np.ndarray) -> list[Conflict]:
    """The conflicts among instances with these (n, n_labels) counts."""
    costs = unit_disagreement(counts)
    found = [
        (cost, instance)
        for cost, instance in zip(costs.tolist(), instances, strict=True)
        if cost > 0
    ]
    total, number = costs.sum(), claim_numbers([instance for _, instance in found])
    found.sort(key=lambda each: (-each[0], number[each[1]], each[1]))
    return [Conflict(instance, float(cost / total)) for cost, instance in found]


def claim_numbers(instances: list[int]) -> dict[int, int]:
    rows = Instance.objects.filter(pk__in=listed(instances)).order_by()
    return dict(rows.values_list("pk", "claim__number"))
