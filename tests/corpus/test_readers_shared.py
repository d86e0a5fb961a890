"""The Czech paragraphs that a published dataset cites, and files that nobody meant to be read."""

import gzip
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.records import FIELDS, FORMATS, ArticleRecord, BadRecord
from tests.corpus.reading import articles_of, make_line, read_all, read_text, sentences_of, write
from tests.shared import shared_data

MAPPING = {"article": "did", "rank": "para", "published_at": "date"}


def test_the_cited_czech_paragraphs_keep_their_ids_texts_and_days():
    path = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]

    records = read_all(path, mapping=MAPPING, time_zone="Europe/Prague", language="cs")

    found = {f"{a.external_id}_{p.rank}": p.text for a in records for p in a.paragraphs}
    titles = {f"{a.external_id}_0": a.title for a in records if a.title}
    assert len(records) == len(articles_of(records)) == 667
    assert len(found | titles) == len(lines) == 1_338
    assert found | titles == {line["id"]: line["text"] for line in lines}
    assert all(article.is_day for article in records)


def test_sentences_of_czech_news_are_whole():
    path = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    records = read_all(path, mapping=MAPPING, time_zone="Europe/Prague", language="cs")

    sentences = [s for a in records for p in a.paragraphs for s in sentences_of(p)]
    assert 4_000 < len(sentences) < 4_500
    assert sum(s[0].islower() for s in sentences) < 0.01 * len(sentences)


JUNK = st.binary(max_size=300)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
VALUES = st.dictionaries(
    st.sampled_from(FIELDS),
    JSON,
    max_size=6,
)
MARKS = [
    "<REUTERS NEWID='1'>",
    "</REUTERS>",
    "<TEXT>",
    "<BODY>",
    "&#2;",
    '"',
    ",",
    "\r",
    "\n",
    "\0",
]
PIECES = st.lists(st.sampled_from(MARKS) | st.text(max_size=6), max_size=30).map("".join)
quick = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def records_only(records):
    return all(isinstance(record, ArticleRecord | BadRecord) for record in records)


@quick
@given(content=JUNK, format_name=st.sampled_from(FORMATS))
def test_any_bytes_give_records_and_nothing_else(tmp_path, content, format_name):
    assert records_only(read_text(tmp_path, content, format=format_name))


@quick
@given(values=VALUES, undated=st.booleans())
def test_any_json_gives_an_article_or_one_reason(tmp_path, values, undated):
    records = read_text(tmp_path, json.dumps(values) + "\n" + make_line(id="good"), undated=undated)

    assert records_only(records)
    assert len(records) == 2
    assert all("\n" not in record.reason for record in records if isinstance(record, BadRecord))


@quick
@given(content=PIECES, format_name=st.sampled_from(["csv", "reuters"]))
def test_any_pieces_of_csv_and_sgml_give_records_and_nothing_else(tmp_path, content, format_name):
    path = write(tmp_path, ("id,text\n" + content).encode("utf-8", "surrogatepass"))

    assert records_only(read_all(path, format=format_name, undated=True))
