"""One line for each claim, whatever it was judged against: what a release is counted by."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from annotation.models import Campaign, Instance, Wave
from datasets.bridge import WHOLE, Tally, all_claims
from datasets.options import ExportOptions
from datasets.records import LABELS, NOT_ENOUGH_INFO, LabelledClaim


def claims_of_every_scope(
    campaign: Campaign, waves: list[Wave], options: ExportOptions, tally: Tally
) -> Iterator[LabelledClaim]:
    """Claims by number, each once; those that nobody decided only for soft labels."""
    read = all_claims(campaign, waves, options, tally, scopes=Instance.ScopeKind.values)
    for _, group in groupby(read, key=attrgetter("number")):
        parts = sorted(group, key=lambda part: (part.scope != WHOLE, part.scope))
        claim = as_one(parts)
        if claim.label or contradicted(parts) or (options.is_soft and has_shares(claim)):
            yield claim


def as_one(parts: Sequence[LabelledClaim]) -> LabelledClaim:
    """The claim as it was decided in the whole scope, else as its articles or passages agree.

    parts: the claim against each of its scopes, the whole first. Verdicts of the others outweigh
    NOT ENOUGH INFO: one text is enough to support or refute a claim. Where one supports and one
    refutes it, it has no label. Evidence is that of the label; shares are the mean of the parts'.
    """
    first = parts[0]
    if first.scope == WHOLE and (first.label or has_shares(first) or len(parts) == 1):
        return first
    label = label_of(parts)
    sets = tuple(each for part in parts if label and part.label == label for each in part.evidence)
    known = [part.shares for part in parts if part.shares and has_shares(part)]
    shares = mean_shares(known) if known else first.shares
    # What a file said of the claim was said of one of its texts.
    return replace(first, label=label, evidence=sets, shares=shares, extra={})


def label_of(parts: Iterable[LabelledClaim]) -> str | None:
    said = {part.label for part in parts if part.label}
    verdicts = said - {NOT_ENOUGH_INFO}
    if len(verdicts) == 1:
        return verdicts.pop()
    return NOT_ENOUGH_INFO if said and not verdicts else None


def contradicted(parts: Sequence[LabelledClaim]) -> bool:
    """Whether one article or passage supports the claim, another refutes it, and nobody decided."""
    is_open = parts[0].scope != WHOLE or not parts[0].label
    return is_open and len({part.label for part in parts} - {None, NOT_ENOUGH_INFO}) > 1


def has_shares(claim: LabelledClaim) -> bool:
    return any((claim.shares or {}).values())


def mean_shares(shares: Sequence[dict[str, float]]) -> dict[str, float]:
    return {label: sum(each.get(label, 0.0) for each in shares) / len(shares) for label in LABELS}
