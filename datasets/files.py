"""Dataset files of any kind as records for splitting: plain, gzip or xz, one object a line."""

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

from datasets.splits import SplitRecord, record_of_line

OPENERS: dict[str, Callable] = {".gz": gzip.open, ".xz": lzma.open}
SHOWN = 80


class BadLine(Exception):
    """A line that is no claim; says where and why."""


def records_of_file(path: Path) -> list[SplitRecord]:
    """The claims of a file; lines without a text, as FEVEROUS files begin, are no claims.

    Raises BadLine with file, line and reason, OSError where the file cannot be read.
    """
    with OPENERS.get(path.suffix, open)(path, "rb") as lines:
        try:
            read = [record_of(path, number, line) for number, line in enumerate(lines, start=1)]
        except (EOFError, lzma.LZMAError, gzip.BadGzipFile) as error:
            raise BadLine(f"{path}: the file is damaged ({error}).") from error
    return [record for record in read if record is not None]


def record_of(path: Path, number: int, line: bytes) -> SplitRecord | None:
    if not line.strip():
        return None
    try:
        parsed = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if not isinstance(parsed, dict):
            raise ValueError("it is no JSON object")
        if not isinstance(parsed.get("claim"), str):
            raise ValueError("it has no claim")
        return record_of_line(parsed, key=number) if parsed["claim"].strip() else None
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        excerpt = line[:SHOWN].decode(errors="replace").strip()
        raise BadLine(f"{path}:{number}: {reason_of(error)}: {excerpt}") from error


def reason_of(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    return f"{type(error).__name__} {error}" if not isinstance(error, ValueError) else str(error)
