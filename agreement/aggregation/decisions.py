"""The label of an instance and its evidence, from the annotations that count."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from agreement.aggregation.evidence import MergedSet, merge_sets, without_supersets
from agreement.measures.annotations import NOT_ENOUGH_INFO, check_policies

# Named annotators of the campaign and of imported files vote; calibration and corrective
# annotations never do.
VOTING = ("cross", "import")
# The vote that decided without the others brings evidence of its own.
DECIDERS = {"adjudicated": "adjudication", "aggregate": "aggregate"}


@dataclass(frozen=True)
class Vote:
    """One live annotation of an instance, as far as its label and evidence go.

    kind: cross, own, import (of a named annotator), aggregate (a file's only label) or
    adjudication; evidence: alternatives, each a sequence of what it cites; wave: where it was
    given, is_uncertain, is_relevant: what else was said, which no decision asks for.
    """

    label: str
    annotator: Hashable
    kind: str = "cross"
    is_conditional: bool = False
    evidence: Sequence[Sequence[Hashable]] = ()
    wave: Hashable = None
    is_uncertain: bool = False
    is_relevant: bool = False


@dataclass(frozen=True)
class Decision:
    """What an instance's annotations come to.

    label: None where nobody decided; reason: adjudicated, majority, aggregate, or why not: tie,
    no_majority, no_labels; counts: votes by label; evidence: the winning label's sets;
    n_supersets: how many more there were, each containing one of these.
    """

    label: str | None
    reason: str
    counts: dict[str, int] = field(default_factory=dict)
    evidence: tuple[MergedSet, ...] = ()
    n_supersets: int = 0


def decide(
    votes: Iterable[Vote],
    *,
    own_labels: str = "never",
    conditional_labels: str = "nei",
    duplicates: str = "last",
    drop_supersets: bool = False,
) -> Decision:
    """The adjudicated label, else the strict majority of votes, else a file's own label.

    votes: oldest first. A strict majority is more than half of the votes that count; the
    policies are those of `annotation_table`; with `drop_supersets`, evidence sets that contain
    another one go.
    Raises ValueError for an unknown policy.
    """
    check_policies(duplicates, own_labels, conditional_labels)
    votes = list(votes)
    counted = counted_votes(votes, own_labels, conditional_labels, duplicates)
    label, reason = chosen_label(votes, counted, conditional_labels)
    counts = Counter(vote.label for vote in counted)
    if label is None:
        return Decision(None, reason, dict(counts))
    decider = with_condition(last_of(votes, DECIDERS.get(reason, "")), conditional_labels)
    backing = [vote for vote in [*counted, *decider] if vote.label == label]
    given = ((vote.annotator, vote.evidence) for vote in backing)
    merged = merge_sets(given)
    evidence = without_supersets(merged) if drop_supersets else merged
    return Decision(label, reason, dict(counts), evidence, len(merged) - len(evidence))


def counted_votes(
    votes: Iterable[Vote], own_labels: str, conditional_labels: str, duplicates: str = "last"
) -> list[Vote]:
    """The votes that a majority is counted of, under the policies."""
    return with_condition(voters(votes, own_labels, duplicates), conditional_labels)


def chosen_label(votes, counted, conditional_labels) -> tuple[str | None, str]:
    """The label and where it comes from, or None and why there is none."""
    adjudicated = with_condition(last_of(votes, "adjudication"), conditional_labels)
    if adjudicated:
        return adjudicated[0].label, "adjudicated"
    if counted:
        return majority_label(counted)
    aggregate = with_condition(last_of(votes, "aggregate"), conditional_labels)
    return (aggregate[0].label, "aggregate") if aggregate else (None, "no_labels")


def last_of(votes: Sequence[Vote], kind: str) -> list[Vote]:
    return [vote for vote in votes if vote.kind == kind][-1:]


def majority_label(counted: Sequence[Vote]) -> tuple[str | None, str]:
    """The label of more than half of the votes; else None, and whether labels tie."""
    ranking = Counter(vote.label for vote in counted).most_common(2)
    label, votes = ranking[0]
    if 2 * votes > len(counted):
        return label, "majority"
    return None, "tie" if len(ranking) > 1 and ranking[1][1] == votes else "no_majority"


def voters(votes: Iterable[Vote], own_labels: str, duplicates: str) -> list[Vote]:
    """The votes under the policies for own-claim labels and an annotator's repeats."""
    cross = [vote for vote in votes if vote.kind in VOTING]
    if own_labels == "vote" or (own_labels == "when-alone" and not cross):
        cross = [vote for vote in votes if vote.kind in (*VOTING, "own")]
    if duplicates == "all":
        return cross
    chosen = {}
    for vote in cross if duplicates == "last" else reversed(cross):
        chosen[vote.annotator] = vote
    return [vote for vote in cross if chosen[vote.annotator] is vote]


def with_condition(votes: Sequence[Vote], policy: str) -> list[Vote]:
    """The votes under the policy for labels that hold only under a condition.

    nei: they count only where no other does, as NOT ENOUGH INFO and without their evidence.
    """
    if policy == "as-is":
        return list(votes)
    certain = [vote for vote in votes if not vote.is_conditional]
    if certain or policy == "drop":
        return certain
    return [replace(vote, label=NOT_ENOUGH_INFO, evidence=()) for vote in votes]


def left_out(decisions: Iterable[Decision]) -> dict[str, int]:
    """How many instances got no label, by reason, in alphabetical order."""
    reasons = Counter(decision.reason for decision in decisions if decision.label is None)
    return dict(sorted(reasons.items()))
