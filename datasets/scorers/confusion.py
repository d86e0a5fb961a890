"""Which labels were predicted for which, and the claims behind each cell."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

NOTHING = "(none)"


@dataclass(slots=True)
class Confusion:
    """rows: the gold labels; columns: the predicted ones; cells: (gold, predicted) -> claims.

    places: of the claims of each cell among all results, from 0; ids may all be alike.
    """

    rows: list[str]
    columns: list[str]
    cells: dict[tuple[str, str], list[Any]]
    places: dict[tuple[str, str], list[int]]

    def counts(self) -> list[list[int]]:
        """(rows, columns): the number of claims in each cell."""
        return [[len(self.cells.get((row, col), ())) for col in self.columns] for row in self.rows]

    def as_json(self) -> dict:
        return {
            "gold": self.rows,
            "predicted": self.columns,
            "counts": self.counts(),
            "cells": [
                {"gold": row, "predicted": column, "n": len(claims), "claims": claims}
                for row in self.rows
                for column in self.columns
                if (claims := self.cells.get((row, column)))
            ],
        }


def confusion(
    triples: Iterable[tuple[Any, str, str | None]],
    labels: Sequence[str],
    *,
    owners: Iterable[int] | None = None,
) -> Confusion:
    """The matrix of (claim, gold label, predicted label); None is a claim without a prediction.

    labels: the usual ones, which come first in this order; others follow by code point.
    owners: the place of each triple's claim among the results, where a claim has several triples
    or none; without it each claim has one.
    """
    cells: dict[tuple[str, str], list[Any]] = defaultdict(list)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    of_claims = count() if owners is None else owners
    for (claim, gold, predicted), place in zip(triples, of_claims, strict=False):
        cell = gold, NOTHING if predicted is None else predicted
        cells[cell].append(claim)
        places[cell].append(place)
    return Confusion(
        rows=ordered(labels, {row for row, _ in cells}),
        columns=ordered(labels, {column for _, column in cells}),
        cells=dict(cells),
        places=dict(places),
    )


def ordered(labels: Sequence[str], found: set[str]) -> list[str]:
    return [*labels, *sorted(found - set(labels))]
