"""The claims behind a cue, with the labels that its figures rest on."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from accounts.models import User
from agreement import tables
from agreement.aggregation import decide
from agreement.cues.places import cue_places, marked_parts
from agreement.cues.report import TOKENS
from agreement.figures import Scope
from agreement.snapshots import has_few_labels, stored_labels
from annotation.models import Campaign, Instance, WaveItem, instances_hidden_from
from operations.listed import listed
from operations.snapshots import snapshot

# Characters that only their own capital becomes when case is folded: not an s (ß) or an f (ﬁ).
FOLDED_ALONE = re.compile(r"[bcdegmopqruvxz0-9]+")


@dataclass(frozen=True)
class Cue:
    """kind: unigrams or bigrams; tokens: how claims are cut, as in `CueSettings`."""

    text: str
    kind: str
    tokens: str

    def places(self, claim: str) -> list[tuple[int, int]]:
        """(start, end) of each place in a claim."""
        return cue_places(claim, self.text, kind=self.kind, tokens=self.tokens)

    def is_in(self, claim: str) -> bool:
        """Whether it has a place in a claim; most claims are told apart without cutting."""
        folded = claim.casefold()
        if not self.text or not all(part in folded for part in self.text.casefold().split()):
            return False
        tokens = TOKENS[self.tokens](claim)
        if self.kind == "unigrams":
            return self.text in tokens
        return self.text in (f"{first} {second}" for first, second in pairwise(tokens))


@dataclass(frozen=True)
class Behind:
    """Claims behind a cue: (instance id, label) of each, and how many may not be seen yet.

    is_blind: whether no label is shown, since with them the figures would tell the hidden ones;
    each label is '' then.
    """

    rows: list[tuple[int, str]]
    n_hidden: int
    is_blind: bool

    @property
    def by_label(self) -> dict[str, int]:
        """{label: claims}, in the order of labels; of those that are shown."""
        counts = Counter(label for _, label in self.rows if label)
        known = [label for label in tables.LABEL_ORDER if label in counts]
        return {label: counts[label] for label in [*known, *sorted(set(counts) - set(known))]}

    def of_label(self, label: str) -> list[tuple[int, str]]:
        return [row for row in self.rows if row[1] == label]


def claims_behind(scope: Scope, cue: Cue, user: User) -> Behind:
    """The decided claims with the cue, in order of their numbers, once for each label shown.

    As in the figures, but for those whose labels `user` must not see before a wave closes.
    """
    with snapshot():
        holding = instances_with(cue, scope.campaign)
        decided = decided_labels(scope, holding)
        hidden = hidden_in(scope, user)
    shown, every = {}, set()
    for instance, label in decided:
        row = holding[instance], "" if hidden else label
        every.add(row)
        if instance not in hidden:
            shown.setdefault(row, instance)
    rows = [(instance, label) for (_, label), instance in shown.items()]
    return Behind(rows, len(every) - len(rows), is_blind=bool(hidden))


def hidden_in(scope: Scope, user: User) -> set[int]:
    """The instances of a scope whose labels `user` must not see yet."""
    hidden = listed(pk for (pk,) in instances_hidden_from(user))
    waves = tables.waves_of(scope.campaign, scope.waves)
    items = WaveItem.objects.filter(instance__in=hidden, wave__in=waves)
    return set(items.values_list("instance", flat=True))


def may_answer_in(scope: Scope, user: User) -> bool:
    return bool(hidden_in(scope, user))


def instances_with(cue: Cue, campaign: Campaign) -> dict[int, int]:
    """{instance id: claim id} of the claims in which the cue stands."""
    rows = Instance.objects.filter(claim__campaign=campaign, claim__withdrawn_at=None)
    if cue.tokens == "published":
        # Cut at blanks alone, so that the database can look for each word as it stands.
        for word in cue.text.split():
            rows = rows.filter(claim__text__contains=word)
    elif runs := FOLDED_ALONE.findall(cue.text):
        rows = rows.filter(claim__text__icontains=max(runs, key=len))
    found = rows.values_list("pk", "claim", "claim__text").iterator(chunk_size=tables.CHUNK)
    return {pk: claim for pk, claim, text in found if cue.is_in(text)}


def decided_labels(scope: Scope, instances: Collection[int]) -> list[tuple[int, str]]:
    """(instance id, label) of those that have one, in order of the claims' numbers.

    Of many labels as they were when cues were stored: as the figures that led here.
    """
    if not has_few_labels(scope) and (stored := stored_labels(scope)) is not None:
        return [(instance, label) for instance, label in stored.items() if instance in instances]
    votes = tables.votes_of(
        scope.campaign, scope.waves, instances=listed(instances), with_evidence=False
    )
    decisions = ((instance, decide(each).label) for instance, each in votes)
    return [(instance, label) for instance, label in decisions if label]


def drawn(rows: list[tuple[int, str]], cue: Cue) -> list[dict]:
    """The rows of one page: the instance with its claim, its text in parts, its label."""
    found = Instance.objects.select_related("claim").in_bulk([pk for pk, _ in rows])
    return [
        {
            "instance": found[pk],
            "claim": found[pk].claim,
            "parts": marked_parts(found[pk].claim.text, cue.places(found[pk].claim.text)),
            "label": label,
        }
        for pk, label in rows
    ]
