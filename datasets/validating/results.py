"""How far a dataset's labels hold for people who judged its translated claims. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agreement.measures import (
    annotation_table,
    figure,
    krippendorff_alpha,
    percent_agreement,
    wilson,
)
from datasets.records import LABELS, NOT_ENOUGH_INFO, REFUTES, SUPPORTS

UNUSABLE = "UNUSABLE TRANSLATION"
EXPECTED = {SUPPORTS: "SUPPORTED", REFUTES: "REFUTED", NOT_ENOUGH_INFO: "NOT ENOUGH INFO"}
VERDICTS = (*EXPECTED.values(), UNUSABLE)


@dataclass(frozen=True)
class Judged:
    """A claim with its dataset's label and what each person said of it, by their names."""

    claim: int
    label: str
    verdicts: Mapping[str, str]

    @property
    def verdict(self) -> str | None:
        """What more than half of those who answered say; None where there is no such thing."""
        said = Counter(self.verdicts.values())
        verdict, most = said.most_common(1)[0] if said else ("", 0)
        return verdict if most * 2 > said.total() else None


def results_of(judged: Sequence[Judged]) -> dict:
    """The confusion matrix of dataset label and verdict, and what follows from it.

    Each claim counts once, by the verdict of more than half of its people; claims without one
    are counted apart. Precision of a label: the share of its claims whose verdict is the one
    that it expects; an unusable translation is a miss, but for precision_of_usable, which leaves
    such claims out.
    """
    decided = [each for each in judged if each.verdict is not None]
    matrix = Counter((each.label, each.verdict) for each in decided)
    rows = {label: [matrix[label, verdict] for verdict in VERDICTS] for label in LABELS}
    answered = [each for each in judged if each.verdicts]
    return {
        "claims": len(judged),
        "answered": len(answered),
        "undecided": len(answered) - len(decided),
        "answers": sum(len(each.verdicts) for each in judged),
        "people": len({name for each in judged for name in each.verdicts}),
        "verdicts": list(VERDICTS),
        "matrix": rows,
        "precision": precisions(rows, VERDICTS),
        "precision_of_usable": precisions(rows, VERDICTS[:-1]),
        "unusable": share(sum(row[-1] for row in rows.values()), len(decided)),
        "agreement": agreement_of(answered),
    }


def precisions(rows: Mapping[str, Sequence[int]], columns: Sequence[str]) -> dict:
    """{label, or "all": share with its interval} of the claims with one of these verdicts."""
    right = {label: row[VERDICTS.index(EXPECTED[label])] for label, row in rows.items()}
    total = {label: sum(row[: len(columns)]) for label, row in rows.items()}
    found = {label: share(right[label], total[label]) for label in rows}
    return {**found, "all": share(sum(right.values()), sum(total.values()))}


def share(part: int, n: int) -> dict:
    """part / n with Wilson's interval of 95 %, all None where n is 0."""
    if not n:
        return {"value": None, "low": None, "high": None, "n": 0, "right": 0}
    low, high = map(float, wilson(part, n))
    return {"value": part / n, "low": low, "high": high, "n": n, "right": part}


def agreement_of(judged: Sequence[Judged]) -> dict:
    """Krippendorff's alpha and the share of agreeing pairs, over claims that several judged."""
    rows = [(each.claim, name, said) for each in judged for name, said in each.verdicts.items()]
    units, people, said = zip(*rows, strict=True) if rows else ((), (), ())
    counts = annotation_table(units, people, said).counts
    percent = figure(percent_agreement, counts)
    if percent["value"]:
        percent["value"] = percent["value"]["pooled_pairs"]
    return {
        "claims": sum(len(each.verdicts) > 1 for each in judged),
        "alpha": figure(krippendorff_alpha, counts),
        "percent": percent,
    }
