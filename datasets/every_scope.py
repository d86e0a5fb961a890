"""One line for each claim, whatever it was judged against: what a release is counted by."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from annotation.models import Campaign, Instance, Wave
from datasets.bridge import UNDECIDED, WHOLE, Tally, all_claims
from datasets.options import ExportOptions
from datasets.records import LABELS, NOT_ENOUGH_INFO, LabelledClaim

CONTRADICTED = "contradicted"


def claims_of_every_scope(
    campaign: Campaign, waves: list[Wave], options: ExportOptions, tally: Tally
) -> Iterator[LabelledClaim]:
    """Claims by number, each once; those that nobody decided only for soft labels."""
    parts_tally = replace(tally, left_out=Counter())
    read = all_claims(campaign, waves, options, parts_tally, scopes=Instance.ScopeKind.values)
    for _, group in groupby(read, key=attrgetter("number")):
        parts = sorted(group, key=whole_first)
        claim = as_one(parts)
        if claim.label or (options.is_soft and claim.shares):
            yield claim
        else:
            tally.left_out[CONTRADICTED if is_contradicted(parts) else claim.decided] += 1
    tally.annotations = parts_tally.annotations
    for reason in parts_tally.left_out.keys() - set(UNDECIDED):
        tally.left_out[reason] += parts_tally.left_out[reason]


def whole_first(part: LabelledClaim) -> tuple[bool, str]:
    return part.scope_kind != WHOLE, part.scope


def as_one(parts: Sequence[LabelledClaim]) -> LabelledClaim:
    """The claim as it was decided in the whole scope, else as its articles or passages agree.

    parts: the claim against each of its scopes, the whole first. Verdicts of the others outweigh
    NOT ENOUGH INFO: one text is enough to support or refute a claim. Where one supports and one
    refutes it, it has no label. Evidence is that of the label; shares are those of the whole
    scope, else the mean of the parts'.
    """
    first = parts[0]
    if len(parts) == 1 or (first.scope_kind == WHOLE and first.label):
        return first
    label = label_of(parts)
    sets = tuple(each for part in parts if label and part.label == label for each in part.evidence)
    # What a file said of the claim was said of one of its texts.
    return replace(first, label=label, evidence=sets, shares=shares_of(parts), extra={})


def shares_of(parts: Sequence[LabelledClaim]) -> dict[str, float] | None:
    first = parts[0]
    known = [part.shares for part in parts if part.shares]
    if not known or (first.scope_kind == WHOLE and first.shares):
        return first.shares
    return {label: sum(each.get(label, 0.0) for each in known) / len(known) for label in LABELS}


def label_of(parts: Iterable[LabelledClaim]) -> str | None:
    said = {part.label for part in parts if part.label}
    verdicts = said - {NOT_ENOUGH_INFO}
    if len(verdicts) == 1:
        return verdicts.pop()
    return NOT_ENOUGH_INFO if said and not verdicts else None


def is_contradicted(parts: Iterable[LabelledClaim]) -> bool:
    """Whether one article or passage supports the claim and another refutes it."""
    return len({part.label for part in parts} - {None, NOT_ENOUGH_INFO}) > 1
