"""Writing small files of articles and reading them back, for the tests of the readers."""

import json
from datetime import UTC, datetime

from corpus.readers.dispatch import read_articles
from corpus.records import ArticleRecord, BadRecord, ReadOptions

NOW = datetime(2024, 1, 1, tzinfo=UTC)


def make_line(**fields):
    """One line of JSON Lines: a good article but for the fields that are given."""
    article = {"id": "a1", "title": "A bridge", "published_at": "2019-05-07", "text": "It opened."}
    return json.dumps({**article, **fields}, ensure_ascii=False) + "\n"


def write(folder, content, name="news.jsonl"):
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, encoding="utf-8", newline="")
    return path


def read_all(*paths, **options):
    return list(read_articles(paths, ReadOptions(now=NOW, **options)))


def read_text(folder, content, *, name="news.jsonl", **options):
    """The records of a file with this content."""
    return read_all(write(folder, content, name), **options)


def articles_of(records):
    return [record for record in records if isinstance(record, ArticleRecord)]


def bad_of(records):
    return [record for record in records if isinstance(record, BadRecord)]


def one_reason(records):
    """The reason of the only record, which must be a bad one."""
    (record,) = records
    assert isinstance(record, BadRecord)
    return record.reason


def sentences_of(paragraph):
    return [paragraph.text[unit.start : unit.end] for unit in paragraph.units]
