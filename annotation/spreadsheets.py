"""CSV for people's spreadsheets: no cell is taken for a formula."""

import csv
import io
import re
from collections.abc import Iterable

# What Excel, LibreOffice and Sheets read as the start of a formula.
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# One of them behind blanks, and whatever apostrophes stand before it.
FORMULA = re.compile(rf"('*) *[{re.escape(''.join(STARTS))}]")


def csv_text(header: Iterable, rows: Iterable[Iterable]) -> str:
    """Rows as CSV with a header; texts that look like a formula start with an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([neutral(cell) for cell in header])
    writer.writerows([neutral(cell) for cell in row] for row in rows)
    return stream.getvalue()


def neutral(cell):
    """A cell that a spreadsheet shows and never runs; numbers stay numbers, None is empty."""
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return cell
    return marked(str(cell))


def marked(text: str) -> str:
    """The text as a spreadsheet shows it and never runs it; `unmarked` gives it back.

    Its mark is an apostrophe. Where others follow, one would look like a quotation's: there the
    mark is one more than stand together anywhere behind it.
    """
    if not (found := FORMULA.match(text)):
        return text
    n, longest = len(found[1]), longest_run(text[found.end(1) :])
    if n == 0:
        return "'" * (longest + 1) + text
    return text if n <= longest else f"'{text}"


def unmarked(cell: str) -> str:
    """The text of a cell without the mark that `marked` gave it; any other cell as it is."""
    if not (found := FORMULA.match(cell)):
        return cell
    n, longest = len(found[1]), longest_run(cell[found.end(1) :])
    if n <= longest:
        return cell
    return cell[n:] if n == longest + 1 else cell[1:]


def longest_run(text: str) -> int:
    """How many apostrophes stand together at most."""
    return max(map(len, re.findall("'+", text)), default=0)
