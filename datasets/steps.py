"""What annotators did before they answered, in the words of FEVEROUS' `annotator_operations`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from agreement.tables import counting
from annotation.models import Annotation, Campaign, Operation, Wave
from datasets.options import ExportOptions
from operations.listed import listed

KIND = Operation.Kind
# Sets that were added have no name there.
SPELT = {
    KIND.SEARCH: "search",
    KIND.OPEN: "Now on",
    KIND.TICK: "Highlighting",
    KIND.UNTICK: "Highlighting deleted",
    KIND.SUBMIT: "finish",
}
Steps = list[dict[str, str | None]]


def steps_of(annotations: Iterable[int], *, with_times: bool) -> dict[int, Steps]:
    """{annotation: what its annotator did from the start on until it was given}.

    An answer that was edited has the steps of the earlier one, too. Imported ones have none.
    with_times: seconds since the claim was given out; None in their place otherwise.
    """
    given = Annotation.objects.filter(pk__in=listed(annotations), assignment__isnull=False)
    rows = list(given.values_list("pk", "assignment_id", "assignment__given_at"))
    assignments = {assignment for _, assignment, _ in rows}
    done, turns = operations_of(assignments), turns_of(assignments)
    return {
        pk: [step(*each, given_at, with_times) for each in until(done[assignment], turns[pk])]
        for pk, assignment, given_at in rows
    }


def operations_of(assignments: set[int]) -> dict[int, list[tuple]]:
    """{assignment: (kind, value, moment) of what was done in it, in order}."""
    rows = Operation.objects.filter(assignment__in=listed(assignments), kind__in=list(SPELT))
    found = defaultdict(list)
    for assignment, *operation in rows.order_by("pk").values_list(
        "assignment_id", "kind", "value", "at"
    ):
        found[assignment].append(tuple(operation))
    return found


def turns_of(assignments: set[int]) -> dict[int, int]:
    """{annotation: the how-manieth answer of its assignment it is, from 1}."""
    rows = Annotation.objects.filter(assignment__in=listed(assignments)).order_by("pk")
    counts: dict[int, int] = defaultdict(int)
    turns = {}
    for pk, assignment in rows.values_list("pk", "assignment_id"):
        counts[assignment] += 1
        turns[pk] = counts[assignment]
    return turns


def until(operations: list[tuple], turn: int) -> list[tuple]:
    """The start, and what was done up to the answer of this turn."""
    submitted = [place for place, each in enumerate(operations) if each[0] == KIND.SUBMIT]
    end = submitted[turn - 1] + 1 if len(submitted) >= turn else len(operations)
    return [("start", "", None), *operations[:end]]


def step(kind: str, value: str, at: datetime | None, given_at: datetime, with_times: bool) -> dict:
    name = SPELT.get(kind, kind)
    seconds = f"{(at - given_at).total_seconds():.3f}" if at else "0"
    return {
        "operation": name,
        "value": stated(kind, value) or name,
        "time": seconds if with_times else None,
    }


def stated(kind: str, value: str) -> str:
    """The words of a search, and what was ticked: without what we write before them."""
    return value if kind == KIND.OPEN else value.partition(": ")[2]


def steps_behind(
    labels: Mapping[int, str | None], campaign: Campaign, waves: list[Wave], options: ExportOptions
) -> dict[int, Steps]:
    """{instance: the steps of whoever first gave the label that counts}.

    labels: of the instances. Empty where the export does not ask for what people typed.
    """
    if options.format != "feverous" or not options.texts:
        return {}
    kinds = [Annotation.Kind.CROSS, Annotation.Kind.ADJUDICATION]
    kinds += [] if options.own == "never" else [Annotation.Kind.OWN]
    rows = counting(campaign, waves, kinds=kinds).filter(item__instance__in=listed(labels))
    first: dict[int, int] = {}
    for pk, instance, label in rows.order_by("pk").values_list("pk", "item__instance_id", "label"):
        if label == labels[instance]:
            first.setdefault(instance, pk)
    found = steps_of(first.values(), with_times=options.times)
    return {instance: found[pk] for instance, pk in first.items() if pk in found}
