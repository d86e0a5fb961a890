"""Claims with their labels and nothing of their evidence, as lines of JSON or rows of a table."""

import csv
import io
from collections.abc import Iterator

from annotation.spreadsheets import marked
from datasets.records import LABELS, LabelledClaim
from datasets.writers.lines import as_it_is, id_of, parent_of, with_rest, with_shares

COLUMNS = ("id", "claim", "label", "source", "mutated_from")


def lines(claim: LabelledClaim) -> Iterator[str]:
    yield as_it_is(with_shares(with_rest(record_of(claim), claim, "claims"), claim))


def record_of(claim: LabelledClaim) -> dict:
    values = (id_of(claim), claim.text, claim.label, claim.source and claim.source.paragraph)
    return dict(zip(COLUMNS, (*values, parent_of(claim)), strict=True))


def rows(claim: LabelledClaim) -> Iterator[str]:
    """One row on one line: a line break within a claim becomes a blank. No cell is a formula."""
    values = [*record_of(claim).values(), *shares_of(claim)]
    yield row_of([marked(" ".join(v.splitlines())) if isinstance(v, str) else v for v in values])


def shares_of(claim: LabelledClaim) -> list[float | None]:
    """A cell for each label where soft labels are asked for; empty where nobody's count."""
    return [] if claim.shares is None else [claim.shares.get(label) for label in LABELS]


def header(*, is_soft: bool) -> str:
    return row_of([*COLUMNS, *(LABELS if is_soft else ())])


def row_of(values: list) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(values)
    return out.getvalue()
