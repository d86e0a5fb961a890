"""JSON Lines, read strictly: one object a line, each key once, finite numbers, whole characters."""

import json
from collections.abc import Iterator

from corpus.readers.fields import Row
from corpus.readers.files import Lines, UnreadableLine, refuse_lone_cr
from corpus.records import BadRecord, ReadOptions


def read_rows(lines: Lines, file: str, options: ReadOptions) -> Iterator[Row | BadRecord]:
    """The objects of a file; blank lines are passed over."""
    while True:
        try:
            line = next(lines)
            refuse_lone_cr(line.strip(), lines.number)
            if line.strip():
                yield Row(lines.number, parsed(line))
        except StopIteration:
            return
        except UnreadableLine as error:
            yield BadRecord(file, error.line, str(error))
        except ValueError as error:
            yield BadRecord(file, lines.number, str(error))


def parsed(line: str) -> dict[str, object]:
    """The object that a line holds; raises ValueError with the reason where it holds none."""
    try:
        value = DECODER.decode(line.strip())
    except json.JSONDecodeError as error:
        raise ValueError(
            f"no JSON object: {error.msg.lower()} at character {error.colno}"
        ) from None
    except RecursionError:
        raise ValueError("the JSON is nested too deeply; flatten it") from None
    if not isinstance(value, dict):
        raise ValueError("the line is JSON, but no object; write one {...} on each line")
    return value


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object; keep one")
    return values


def refuse_constant(name: str):
    raise ValueError(f"{name} is no JSON; use null or a number")


def finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:40]} is too large; write it as text")
    return value


def whole(text: str) -> int:
    if len(text) > 1000:
        raise ValueError("a number has more than 1,000 digits; write it as text")
    return int(text)


DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys,
    parse_constant=refuse_constant,
    parse_float=finite,
    parse_int=whole,
)
