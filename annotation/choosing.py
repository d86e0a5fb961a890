"""Who gets which item: the arithmetic of work distribution, without a database."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from hashlib import sha256
from zoneinfo import ZoneInfo

TWO_AND_THIRD = "two_and_third"
EXACT = "exact"
AMBIFC = "two_and_three"
NEUTRAL = "NOT ENOUGH INFO"

LEASES = {
    "T0": timedelta(minutes=15),
    "T1a": timedelta(minutes=60),
    "T1b": timedelta(minutes=60),
    "T2": timedelta(minutes=30),
}
LONGEST_LEASE = timedelta(hours=4)
LONGEST_BEAT = 120


def share_of(*parts: object) -> float:
    """A number in [0, 1) that depends on nothing but `parts`; evenly spread, stable for ever."""
    digest = sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def random_key(seed: int, *parts: object) -> float:
    """Where a thing stands in the stored random order of a wave, in [0, 1)."""
    return share_of("order", seed, *parts)


def pivot(*, person: int, seed: int, given: int) -> float:
    """Where the search for a person's next item starts, in [0, 1).

    given: how many items the person was given in the wave so far.
    """
    return share_of("pivot", seed, person, given)


def shuffle_seed(*parts: object) -> int:
    """The seed in which one assignment's dictionary articles are shuffled, below 2**31."""
    return int(share_of("shuffle", *parts) * 2**31)


def lease_end(*, task: str, now: datetime, given_at: datetime) -> datetime:
    """Until when a lease runs that is taken or renewed now: sliding, 4 hours at most."""
    return min(now + LEASES[task], given_at + LONGEST_LEASE)


def counted_seconds(*, said: int, passed: float) -> int:
    """How many of the seconds that a heartbeat claims are counted as activity.

    passed: the seconds since the heartbeat before it.
    """
    return max(0, min(said, int(passed), LONGEST_BEAT))


def gets_extra_labels(*, share: float, seed: int, number: int) -> bool:
    """Whether the item of claim `number` belongs to the share that gets more labels."""
    return share_of("extra", seed, number) < share


def planned_labels(*, plan: str, exact: int, extra: int = 0) -> int:
    """How many labels an item gets before any is known.

    exact: the number of an exact plan, without meaning in the others.
    extra: how many more it gets, where it belongs to the extra share.
    """
    return (exact if plan == EXACT else 2) + extra


def wanted_labels(
    *, plan: str, planned: int, labels: Sequence[tuple[str, bool]], taken: int
) -> int:
    """How many labels an item wants now that some are known; never fewer than are taken.

    planned: as given by planned_labels.
    labels: (label, is_uncertain) of the live cross-annotations that fill a slot.
    taken: those labels and the open leases together.
    Source: CTKFacts (Ullrich et al., 2023) for a third label when two differ; AmbiFC
        (Glockner et al., 2024) for three more where one is non-neutral, uncertain or disputed.
    """
    wanted = planned
    if plan == TWO_AND_THIRD and len(labels) >= 2 and differ(labels):
        wanted = max(planned, 3)
    if plan == AMBIFC and len(labels) >= 2 and is_doubtful(labels):
        wanted = max(planned, 5)
    return max(wanted, taken)


def differ(labels: Sequence[tuple[str, bool]]) -> bool:
    """Whether live labels differ: a conflict."""
    return len({label for label, _ in labels}) > 1


def is_doubtful(labels: Sequence[tuple[str, bool]]) -> bool:
    """Whether a label is non-neutral, uncertain or disputed."""
    return any(label != NEUTRAL or uncertain for label, uncertain in labels)


def item_state(
    *,
    labels: Sequence[tuple[str, bool]],
    wanted: int,
    withdrawn: bool = False,
    adjudicated: bool = False,
    held: bool = False,
) -> str:
    """The state of a wave item, from what is known about it.

    labels: as in wanted_labels.
    held: a report on its claim is not decided, or its claim waits for a dictionary.
    """
    if withdrawn:
        return "withdrawn"
    if adjudicated:
        return "adjudicated"
    if held:
        return "held"
    if not labels or len(labels) < wanted:
        return "open"
    return "conflicted" if differ(labels) else "complete"


def instance_outcome(states: Sequence[str]) -> str:
    """The outcome of an instance, from the states of its items over the waves.

    What was decided last counts most; one item still at work keeps the instance open.
    """
    for outcome in ["withdrawn", "adjudicated"]:
        if outcome in states:
            return outcome
    if not states or "open" in states or "held" in states:
        return "open"
    return "conflicted" if "conflicted" in states else "complete"


def quota_of(*, quota: int, factor: Decimal) -> int | None:
    """How much of a task is asked of a person, rounded up; None where the wave sets none."""
    if not quota:
        return None
    return int((quota * Decimal(factor)).to_integral_value(rounding=ROUND_CEILING))


def start_of_day(*, now: datetime, zone: str) -> datetime:
    """The first instant of today in the campaign's zone."""
    return now.astimezone(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
