"""Which prediction belongs to which gold claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from datasets.scorers.lines import BadInput, Place

WAYS = ("auto", "id", "position", "order")
NAMED = 5


class Keyed(Protocol):
    """A claim or a prediction; key: its id as text, None where it has none."""

    @property
    def key(self) -> str | None: ...


G = TypeVar("G", bound=Keyed)
P = TypeVar("P", bound=Keyed)
Read = Sequence[tuple[Place, Any]]


@dataclass(slots=True)
class Matching:
    """Gold claims in their order, each with its prediction or None.

    by: id or position; missing, extra: ids without a prediction, and without a gold claim.
    """

    pairs: list[tuple[Any, Any]]
    by: str
    missing: list[str]
    extra: list[str]


def match(gold: Read, predictions: Read, *, by: str = "auto") -> Matching:
    """Gold claims with their predictions, by id; by position where ids say nothing.

    by: auto is by id, or by position where a file's ids are absent or all alike; order is by id,
    and refused where the order differs, as the official SciFact script does.
    Raises BadInput where an id stands twice or is absent on some lines only, or where positions
    have to match and the numbers of lines differ.
    """
    if by not in WAYS:
        raise ValueError(f"by is {by!r}; use {', '.join(WAYS)}.")
    if by == "position" or (by == "auto" and (says_nothing(gold) or says_nothing(predictions))):
        return by_position(gold, predictions)
    if by == "order":
        refuse_other_order(gold, predictions)
    return by_id(gold, predictions)


def says_nothing(read: Read) -> bool:
    """Whether the ids are absent or all alike, as in some published files."""
    keys = {value.key for _, value in read}
    return keys == {None} or (len(keys) == 1 and len(read) > 1)


def by_position(gold: Read, predictions: Read) -> Matching:
    if len(gold) != len(predictions):
        raise BadInput(
            f"Without ids, predictions belong to claims by position, and there are {len(gold)} "
            f"claims and {len(predictions)} predictions; give as many of both, or ids."
        )
    pairs = [(claim, told) for (_, claim), (_, told) in zip(gold, predictions, strict=True)]
    return Matching(pairs, "position", [], [])


def by_id(gold: Read, predictions: Read) -> Matching:
    claims, told = with_ids(gold), with_ids(predictions)
    return Matching(
        pairs=[(claim, told.get(key)) for key, claim in claims.items()],
        by="id",
        missing=[key for key in claims if key not in told],
        extra=[key for key in told if key not in claims],
    )


def with_ids(read: Read) -> dict[str, Any]:
    """Each value under its id, in the order of the file."""
    found: dict[str, Any] = {}
    lines: dict[str, int] = {}
    twice: list[str] = []
    for place, value in read:
        if value.key is None:
            raise BadInput(f"{place.file}:{place.line}: there is no id, but others have one.")
        if value.key in found:
            twice.append(f"{short(value.key)} (lines {lines[value.key]} and {place.line})")
            continue
        found[value.key], lines[value.key] = value, place.line
    if twice:
        raise BadInput(
            f"{read[0][0].file}: {some(len(twice), 'line')} with an id that stands before: "
            f"{named(twice)}; keep one line for each."
        )
    return found


def refuse_other_order(gold: Read, predictions: Read) -> None:
    given, told = ([value.key for _, value in read] for read in (gold, predictions))
    if given == told:
        return
    for number, (claim, prediction) in enumerate(zip(given, told, strict=False), start=1):
        if claim != prediction:
            raise BadInput(
                f"Claim {number} is {claim}, prediction {number} is for {prediction}; "
                "put them into the same order, or match them by id."
            )
    raise BadInput(f"There are {len(given)} claims and {len(told)} predictions; give as many.")


def some(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def short(key: str, most: int = 40) -> str:
    return key if len(key) <= most else f"{key[:most]}…"


def named(keys: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    rest = len(keys) - NAMED
    return ", ".join(keys[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
