"""The quick ways of the second pass: what COPY is given, and parts that are found ahead."""

import json
from types import SimpleNamespace

import pytest

from corpus.importing import units
from corpus.importing.prepared import Batch, Prepared
from corpus.importing.rows import copied
from corpus.records import ArticleRecord, ParagraphRecord


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ((1, "plain", 0.5, True), "1\tplain\t0.5\tTrue"),
        ((None, "none beside", None), "\\N\tnone beside\t\\N"),
        (("a\tb", 2), "a\\tb\t2"),
        (("line\nline\rline", None), "line\\nline\\rline\t\\N"),
        (("C:\\new", "\\N"), "C:\\\\new\t\\\\N"),
        ((None, "\\"), "\\N\t\\\\"),
        (('{"a": "\\"b\\""}',), '{"a": "\\\\"b\\\\""}'),
        (("", ""), "\t"),
    ],
)
def test_rows_are_written_as_copy_reads_them(row, line):
    assert copied([row]).read() == line + "\n"


def batch(number: int, texts: list[str]) -> Batch:
    paragraphs = tuple(ParagraphRecord(rank, text) for rank, text in enumerate(texts, 1))
    record = ArticleRecord(f"a{number}", "Two. Parts", None, False, paragraphs, language="en")
    return Batch(number, new=[Prepared(record, "", "", False)])


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_parts_are_found_for_each_batch_in_order(monkeypatch, vendor):
    monkeypatch.setattr(units, "connection", SimpleNamespace(vendor=vendor))
    batches = [batch(number, [f"First {number}. Second."]) for number in range(5)]
    found = list(units.with_units(iter(batches)))
    assert [one.read for one in found] == [0, 1, 2, 3, 4]
    for number, one in enumerate(found):
        title, text = map(json.loads, one.units[f"a{number}"])
        assert title == []
        assert [(unit["start"], unit["end"]) for unit in text] == [(0, 8), (9, 16)]


def test_a_fault_in_the_parts_reaches_the_import(monkeypatch):
    def broken(batch):
        raise ValueError("broken")

    monkeypatch.setattr(units, "connection", SimpleNamespace(vendor="postgresql"))
    monkeypatch.setattr(units, "add_units", broken)
    with pytest.raises(ValueError, match="broken"):
        list(units.with_units([batch(1, ["One."])]))
