"""Dataset files of any format as records for splitting: what `check_splits` compares."""

from collections.abc import Callable
from pathlib import Path

from datasets.readers.lines import Raw, raw_records
from datasets.readers.problems import Problem, Unusable
from datasets.splits import SplitRecord, record_of_line
from datasets.untold import untold

MOST_PROBLEMS = 20
BETWEEN = 1000


class BadLine(Exception):
    """Lines that make no claims; says where and why, one line each."""


def records_of_file(path: Path, tell: Callable[[int], None] = untold) -> list[SplitRecord]:
    """The claims of a file; records without a text, as FEVEROUS files begin, are no claims.

    tell: called now and then with how many were read.
    Raises BadLine with file, line, column, reason and excerpt of the first MOST_PROBLEMS lines
    that are wrong; so, too, for a file that cannot be read.
    """
    records: list[SplitRecord] = []
    problems: list[Problem] = []
    for key, raw in enumerate(raw_records(path, str(path)), start=1):
        if key % BETWEEN == 0:
            tell(key)
        found = raw if isinstance(raw, Problem) else record_of(raw, key, str(path))
        if isinstance(found, SplitRecord):
            records.append(found)
        elif found is not None:
            problems.append(found)
    if problems:
        more = len(problems) - MOST_PROBLEMS
        shown = [str(problem) for problem in problems[:MOST_PROBLEMS]]
        raise BadLine("\n".join([*shown, *([f"... and {more} more"] if more > 0 else [])]))
    return records


def record_of(raw: Raw, key: int, file: str) -> SplitRecord | Problem | None:
    """The record of one object; None where its claim is empty."""
    try:
        if not isinstance(raw.values.get("claim"), str):
            raise Unusable("it has no claim", "claim")
        return record_of_line(raw.values, key=key) if raw.values["claim"].strip() else None
    except Unusable as error:
        return raw.problem(file, error)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        reason = f"its evidence cannot be read ({type(error).__name__} {error})"
        return raw.problem(file, Unusable(reason, "evidence"))
