"""CSV for people's spreadsheets: no cell is taken for a formula."""

import csv
import io
from collections.abc import Iterable

# What Excel, LibreOffice and Sheets read as the start of a formula.
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


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
    text = str(cell)
    return f"'{text}" if text.lstrip(" ").startswith(STARTS) else text
