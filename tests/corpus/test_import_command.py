"""`import_corpus` as an operator uses it."""

import gzip
import json
import lzma

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Article, Corpus, Import, Paragraph
from tests.corpus.importing import file_of, line_of
from tests.factories import make_article, make_corpus, make_dictionary, paragraph_of
from tests.shared import shared_data

pytestmark = pytest.mark.django_db
KEYS = [
    "files",
    "articles_new",
    "articles_same",
    "articles_changed",
    "paragraphs",
    "without_text",
    "duplicates",
    "near_duplicates",
    "tabular",
    "bad",
    "errors",
]


def run(capsys, *arguments):
    """The printed object; a refusal as (object or None, message)."""
    message = ""
    try:
        call_command("import_corpus", *map(str, arguments), "--json")
    except CommandError as error:
        message = str(error)
    out = capsys.readouterr().out
    printed = json.loads(out) if out else None
    return (printed, message) if message else printed


def test_it_prints_one_object_with_all_counts(tmp_path, capsys):
    path = file_of(tmp_path, line_of("a1"), line_of("a2", ""))

    printed = run(capsys, "news", path, "--format", "jsonl")

    assert list(printed) == KEYS
    assert (printed["files"], printed["articles_new"], printed["without_text"]) == (1, 2, 1)
    assert printed["near_duplicates"] is None
    assert printed["errors"] == []


def test_a_new_corpus_takes_its_settings_from_the_options(tmp_path, capsys):
    path = file_of(tmp_path, line_of("a1", published_at="2022-05-14 08:00"))

    run(
        capsys,
        *("news", path, "--format", "jsonl", "--language", "cs"),
        *("--time-zone", "Europe/Prague"),
    )

    corpus = Corpus.objects.get()
    assert (corpus.slug, corpus.language, corpus.time_zone) == ("news", "cs", "Europe/Prague")
    assert Article.objects.get().published_at.hour == 6


def test_a_zone_of_the_file_is_for_times_and_days_are_the_corpus_own(tmp_path, capsys):
    make_corpus(slug="news", time_zone="Europe/Prague")
    times = file_of(
        tmp_path,
        line_of("time", published_at="2022-05-14 08:00"),
        line_of("day", "Other.", published_at="2022-05-14"),
    )

    run(capsys, "news", times, "--format", "jsonl", "--time-zone", "America/New_York")

    time, day = (Article.objects.get(external_id=name) for name in ("time", "day"))
    assert time.published_at.isoformat() == "2022-05-14T12:00:00+00:00"
    assert day.published_at.isoformat() == "2022-05-13T22:00:00+00:00"
    assert day.available_at.isoformat() == "2022-05-14T21:59:59.999999+00:00"


def test_a_bad_line_is_named_and_nothing_is_stored(tmp_path, capsys):
    path = file_of(tmp_path, line_of("a1"), line_of("a2", published_at="14/5"))

    printed, message = run(capsys, "news", path, "--format", "jsonl")

    assert message.startswith("Lines that cannot be used: 1; nothing was stored.")
    (error,) = printed["errors"]
    assert (error["file"], error["line"]) == ("articles.jsonl", 2)
    assert not Corpus.objects.exists()


def test_without_json_errors_go_to_standard_error(tmp_path, capsys):
    path = file_of(tmp_path, line_of("a1"), "no json")

    call_command("import_corpus", "news", str(path), "--format", "jsonl", "--skip-bad")

    printed = capsys.readouterr()
    assert "articles.jsonl:2: no JSON object" in printed.err
    assert printed.out == (
        "files 1, articles_new 1, articles_same 0, articles_changed 0, paragraphs 1, "
        "without_text 0, duplicates 0, tabular 0, bad 1\n"
    )


def test_a_dry_run_stores_nothing_and_says_the_same(tmp_path, capsys):
    path = file_of(tmp_path, line_of("a1"), line_of("a2"))

    foreseen = run(capsys, "news", path, "--format", "jsonl", "--dry-run")

    assert not Corpus.objects.exists()
    assert foreseen == run(capsys, "news", path, "--format", "jsonl")


def test_a_dry_run_is_refused_where_the_import_would_be(tmp_path, capsys):
    article = make_article(make_corpus(slug="news"), external_id="a1")
    make_dictionary(article.corpus, paragraph_of(article), as_of=None)
    path = file_of(tmp_path, line_of("a1", "Changed."))

    printed, message = run(capsys, "news", path, "--format", "jsonl", "--dry-run")

    assert "--accept-changes" in message
    assert printed["articles_changed"] == 1


def test_packed_files_are_read_directly(tmp_path, capsys):
    paths = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.xz"]
    paths[0].write_bytes(gzip.compress(line_of("a1").encode()))
    paths[1].write_bytes(lzma.compress(line_of("a2").encode()))

    printed = run(capsys, "news", *paths, "--format", "jsonl")

    assert (printed["files"], printed["articles_new"]) == (2, 2)


def test_names_columns_and_marks_can_be_said(tmp_path, capsys):
    path = tmp_path / "news.txt"
    path.write_text("g1;'Title; long';14.5.2022;Text one.\n", encoding="cp1250")

    run(
        capsys,
        *("news", path, "--format", "csv", "--delimiter", ";", "--quote", "'"),
        *("--header", "guid,title,day,text", "--map", "id=guid,published_at=day"),
        *("--date-format", "%d.%m.%Y", "--encoding", "cp1250"),
    )

    article = Article.objects.get()
    assert (article.external_id, article.title) == ("g1", "Title; long")
    assert article.is_day


def test_an_undated_corpus_takes_articles_without_dates(tmp_path, capsys):
    path = file_of(tmp_path, json.dumps({"id": "a1", "title": "T", "text": "Text."}))

    run(capsys, "laws", path, "--format", "jsonl", "--undated")

    assert Corpus.objects.get().undated
    assert Article.objects.get().published_at is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--time-zone", "Mars/Olympus"], "Mars/Olympus"),
        (["--encoding", "rot13"], "rot13"),
        (["--map", "id"], "has no '='"),
        (["--map", "body=text"], "field in the mapping"),
        (["--delimiter", "ab"], "one visible character"),
        (["--date-format", "%Y"], "year, a month and a day"),
        (["--language", "not a language"], "not a language"),
    ],
)
def test_a_wrong_option_is_one_clear_line(tmp_path, capsys, options, told):
    path = file_of(tmp_path, line_of())

    printed, message = run(capsys, "news", path, "--format", "jsonl", *options)

    assert printed is None
    assert told in message
    assert "\n" not in message
    assert not Import.objects.exists()


@pytest.mark.parametrize("slug", ["new", "with blank", "češi"])
def test_a_slug_that_cannot_be_used_is_refused(tmp_path, capsys, slug):
    printed, message = run(capsys, slug, file_of(tmp_path, line_of()), "--format", "jsonl")

    assert message.startswith("slug: ")
    assert printed is None


def test_a_missing_file_is_named(tmp_path, capsys):
    printed, message = run(capsys, "news", tmp_path / "none.jsonl", "--format", "jsonl")

    assert "could not be read to its end" in message
    assert "no such file" in printed["errors"][0]["reason"]


BROKEN = {
    "wrong encoding": b'{"id": "a1", "text": "\xe8"}\n',
    "cut gzip": gzip.compress(line_of().encode())[:-9],
    "zip archive": b"PK\x03\x04rest",
    "utf-16 without mark": line_of().encode("utf-16-le"),
    "carriage returns": line_of("a1").encode() + b"\r" + line_of("a2").encode() + b"\r",
    "key twice": b'{"id": "a1", "id": "a2", "published_at": "2022-05-14", "text": "T"}\n',
    "not a number": b'{"id": "a1", "published_at": "2022-05-14", "text": "T", "x": NaN}\n',
    "lone surrogate": b'{"id": "a1", "published_at": "2022-05-14", "text": "\\ud800"}\n',
    "no id": b'{"published_at": "2022-05-14", "text": "T"}\n',
    "future": line_of(published_at="2999-01-01").encode() + b"\n",
    "id twice": f"{line_of('a1')}\n{line_of('A1')}\n".encode(),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_of_each_kind_gives_one_named_line(tmp_path, capsys, kind):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(BROKEN[kind])

    printed, message = run(capsys, "news", path, "--format", "jsonl")

    assert "nothing was stored" in message
    assert len(printed["errors"]) == 1
    assert printed["errors"][0]["file"] == "broken.jsonl"
    assert not Article.objects.exists()


def test_the_real_stories_of_one_reuters_file(capsys):
    path = shared_data("reuters21578", "reut2-000.sgm.xz")

    printed = run(capsys, "reuters", path, "--format", "reuters")

    assert (printed["articles_new"], printed["bad"]) == (1000, 0)
    assert printed["without_text"] > 0
    assert printed["tabular"] > 0
    assert Paragraph.objects.exclude(rank=0).count() == printed["paragraphs"]
    assert run(capsys, "reuters", path, "--format", "reuters")["articles_same"] == 1000
