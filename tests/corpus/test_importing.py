"""What an import stores, what it refuses, and what it sets going."""

import json
from datetime import UTC, datetime

import pytest
from django.core.exceptions import ValidationError

from corpus.importing import runs
from corpus.importing.prepared import batches
from corpus.importing.runs import NothingStored
from corpus.importing.spool import Spool
from corpus.importing.survey import public_counts
from corpus.models import Article, ArticleChange, Corpus, Import, Paragraph
from corpus.records import ArticleRecord, ParagraphRecord
from operations.models import Job
from tests.corpus.importing import article_of, file_of, import_lines, line_of, texts_of
from tests.factories import make_corpus, make_dictionary, paragraph_of

pytestmark = pytest.mark.django_db
LONG = "One sentence about bridges.\n\nAnother one about ferries."


@pytest.fixture
def _small_batches(monkeypatch):
    monkeypatch.setattr("corpus.importing.prepared.MOST_RECORDS", 1)


def count_rows():
    return [model.objects.count() for model in (Article, Paragraph, ArticleChange)]


def test_an_article_is_stored_with_its_title_paragraphs_and_sentences(tmp_path):
    import_lines(tmp_path, line_of("a1", LONG, section="News", keywords=["bridge", "sea"]))

    article = article_of()
    assert (article.title, article.section, article.keywords) == (
        "Title of a1",
        "News",
        ["bridge", "sea"],
    )
    rows = article.paragraphs.order_by("rank")
    assert [(row.rank, row.kind, row.public_id) for row in rows] == [
        (0, "title", "a1_0"),
        (1, "prose", "a1_1"),
        (2, "prose", "a1_2"),
    ]
    assert rows[1].units == [
        {
            "id": "sentence_0",
            "kind": "sentence",
            "start": 0,
            "end": len("One sentence about bridges."),
            "external_id": "",
            "headers": [],
        }
    ]


def test_paragraphs_have_the_times_of_their_article(tmp_path):
    corpus = make_corpus(time_zone="Europe/Prague")

    import_lines(tmp_path, line_of(published_at="2022-05-14"), corpus=corpus)

    article = article_of()
    assert article.is_day
    assert article.published_at == datetime(2022, 5, 13, 22, tzinfo=UTC)
    assert article.available_at == datetime(2022, 5, 14, 21, 59, 59, 999999, tzinfo=UTC)
    times = set(article.paragraphs.values_list("published_at", "available_at"))
    assert times == {(article.published_at, article.available_at)}


def test_an_undated_corpus_has_no_times(tmp_path):
    import_lines(tmp_path, line_of(), corpus=make_corpus(undated=True))

    assert article_of().published_at is None
    assert set(Paragraph.objects.values_list("published_at", "available_at")) == {(None, None)}


@pytest.mark.parametrize("text", ["A \\ and a\ttab.", 'Quotes " and \\n and \\N.', "Češi; 漢字 🙂"])
def test_every_character_comes_through(tmp_path, text):
    import_lines(tmp_path, line_of("a1", paragraphs=[text], text=None))

    assert texts_of(article_of())[1] == text.replace("\t", " ")


def test_ranks_are_kept_as_given(tmp_path):
    lines = [
        json.dumps({"article": "a1", "rank": rank, "published_at": "2022-05-14", "text": text})
        for rank, text in [(0, "Heading"), (2, "Second."), (7, "Seventh.")]
    ]

    import_lines(tmp_path, *lines)

    assert list(Paragraph.objects.values_list("public_id", flat=True).order_by("rank")) == [
        "a1_0",
        "a1_2",
        "a1_7",
    ]
    assert article_of().title == "Heading"


def test_the_counts_say_what_came(tmp_path):
    table = "Team  Points\nAlba      12\nBora       9\nCora       7"
    lines = [
        line_of("a1", LONG),
        line_of("a2", LONG),
        line_of("a3", ""),
        line_of("a4", text=None, paragraphs=[table]),
    ]

    run = import_lines(tmp_path, *lines)

    assert public_counts(run) == {
        "files": 1,
        "articles_new": 4,
        "articles_same": 0,
        "articles_changed": 0,
        "paragraphs": 5,
        "without_text": 1,
        "duplicates": 1,
        "near_duplicates": None,
        "tabular": 1,
        "bad": 0,
    }
    assert list(public_counts(run)) == [
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
    ]


def test_the_first_pass_foresees_the_counts(tmp_path):
    import_lines(tmp_path, line_of("a1", LONG), line_of("a2"))
    lines = [line_of("a1", "Changed."), line_of("a2"), line_of("a3"), line_of("a4", "Own.")]

    run = import_lines(tmp_path, *lines)

    report = {name: run.report[name] for name in public_counts(run)}
    assert report == public_counts(run)
    assert run.report["changed"] == ["a1"]


def test_the_same_file_again_changes_nothing(tmp_path):
    import_lines(tmp_path, line_of("a1"), line_of("a2"))
    before, version = count_rows(), Corpus.objects.get().data_version

    run = import_lines(tmp_path, line_of("a1"), line_of("a2"))

    assert run.counts["articles_same"] == 2
    assert count_rows() == before
    assert Corpus.objects.get().data_version == version


def test_a_changed_article_gets_a_new_version_beside_the_old_one(tmp_path):
    import_lines(tmp_path, line_of("a1", "Old text."))

    import_lines(tmp_path, line_of("a1", "New text.", published_at="2022-05-15"))

    article = article_of()
    assert article.version == 2
    assert texts_of(article) == ["Title of a1", "New text."]
    assert texts_of(article, version=1) == ["Title of a1", "Old text."]
    old, new = (Paragraph.objects.get(public_id=name) for name in ("a1_1", "a1@2_1"))
    assert old.published_at == datetime(2022, 5, 14, 9, tzinfo=UTC)
    assert new.published_at == article.published_at == datetime(2022, 5, 15, tzinfo=UTC)
    assert list(Paragraph.objects.indexed()) == [new]


@pytest.mark.parametrize(
    "change",
    [{"title": "Other"}, {"url": "https://example.org/a"}, {"section": "X"}, {"keywords": ["k"]}],
)
def test_a_change_of_any_field_is_a_change(tmp_path, change):
    import_lines(tmp_path, line_of("a1"))

    assert import_lines(tmp_path, line_of("a1", **change)).counts["articles_changed"] == 1


def test_a_change_of_a_cited_article_needs_leave(tmp_path):
    import_lines(tmp_path, line_of("a1", "Old text."), line_of("a2"))
    make_dictionary(make_corpus(), paragraph_of(article_of("a1")), as_of=None)

    with pytest.raises(NothingStored, match="accept-changes") as refused:
        import_lines(tmp_path, line_of("a1", "New text."), line_of("a2", "Newer."))

    assert (refused.value.report["cited"], refused.value.report["cited_articles"]) == (["a1"], 1)
    assert article_of("a1").version == article_of("a2").version == 1
    import_lines(tmp_path, line_of("a1", "New text."), accept_changes=True)
    assert texts_of(article_of("a1"), version=1) == ["Title of a1", "Old text."]


def test_what_a_manager_left_out_stays_left_out_when_it_changes(tmp_path):
    import_lines(tmp_path, line_of("a1", "Old text."), line_of("a2", ""))
    Article.objects.filter(external_id="a1").update(retrievable=False)

    import_lines(tmp_path, line_of("a1", "New text."), line_of("a2", "Has text now."))

    assert not article_of("a1").retrievable
    assert article_of("a2").retrievable


def test_nothing_is_stored_where_a_line_is_bad(tmp_path):
    with pytest.raises(NothingStored, match="Lines that cannot be used: 1") as refused:
        import_lines(tmp_path, line_of("a1"), "no json", line_of("a2"))

    (error,) = refused.value.report["errors"]
    assert (error["file"], error["line"]) == ("articles.jsonl", 2)
    assert error["reason"].startswith("no JSON object")
    assert count_rows() == [0, 0, 0]
    assert not Import.objects.exists()


def test_bad_lines_are_left_out_on_request(tmp_path):
    run = import_lines(tmp_path, line_of("a1"), "no json", line_of("a2"), skip_bad=True)

    assert (run.counts["articles_new"], run.counts["bad"]) == (2, 1)
    assert run.report["errors"][0]["line"] == 2


def test_a_file_that_cannot_be_read_to_its_end_is_refused_all_the_same(tmp_path):
    path = file_of(tmp_path, line_of("a1"), line_of("a2"))
    path.write_bytes(path.read_bytes() + b"\xff\xfe\n")

    with pytest.raises(NothingStored, match="could not be read to its end"):
        runs.import_files(
            corpus=make_corpus(), paths=[path], options=runs.ReadOptions(), skip_bad=True
        )

    assert count_rows() == [0, 0, 0]


def test_a_file_without_an_article_is_refused(tmp_path):
    with pytest.raises(NothingStored, match="hold no article"):
        import_lines(tmp_path, "", "")


def test_an_id_that_looks_like_a_version_is_refused(tmp_path):
    with pytest.raises(NothingStored) as refused:
        import_lines(tmp_path, line_of("a1@2"))

    assert "ends in @ and digits" in refused.value.report["errors"][0]["reason"]


def test_a_new_corpus_is_not_there_unless_something_is(tmp_path):
    with pytest.raises(NothingStored):
        import_lines(tmp_path, "no json", corpus=Corpus(slug="fresh", name="Fresh"))
    assert not Corpus.objects.exists()

    run = import_lines(tmp_path, line_of(), corpus=Corpus(slug="fresh", name="Fresh"))

    assert run.corpus == Corpus.objects.get(slug="fresh")


def test_equal_texts_are_duplicates_of_the_first(tmp_path):
    import_lines(tmp_path, line_of("a1", LONG), line_of("a2", LONG + " "))
    import_lines(tmp_path, line_of("a3", LONG))

    first = article_of("a1")
    assert not first.duplicate_of
    assert [article_of(name).duplicate_of for name in ("a2", "a3")] == [first, first]
    assert article_of("a3").duplicate_kind == "exact"
    assert list(Article.objects.retrievable()) == [first]


def test_articles_without_text_are_no_duplicates(tmp_path):
    import_lines(tmp_path, line_of("a1", ""), line_of("a2", ""))

    assert not Article.objects.exclude(duplicate_of=None).exists()
    assert not Article.objects.retrievable().exists()


def test_a_copy_comes_into_its_own_when_its_original_changes(tmp_path):
    import_lines(tmp_path, *[line_of(name, LONG) for name in ("a1", "a2", "a3")])

    import_lines(tmp_path, line_of("a1", "Something else."))

    assert [article_of(name).duplicate_of for name in ("a1", "a2", "a3")] == [
        None,
        None,
        article_of("a2"),
    ]
    assert article_of("a2").duplicate_kind == ""


def test_an_article_that_becomes_a_copy_is_one(tmp_path):
    import_lines(tmp_path, line_of("a1", "Own text."), line_of("a2", LONG))

    run = import_lines(tmp_path, line_of("a1", LONG))

    assert article_of("a1").duplicate_of == article_of("a2")
    assert run.counts["duplicates"] == 1


def test_articles_that_change_to_the_same_text_keep_one_original(tmp_path):
    import_lines(tmp_path, line_of("a1", "One."), line_of("a2", "Two."))

    run = import_lines(tmp_path, line_of("a1", LONG), line_of("a2", LONG), line_of("a3", LONG))

    originals = Article.objects.filter(duplicate_of=None)
    assert originals.count() == 1
    assert run.counts["duplicates"] == 2
    assert {a.duplicate_of for a in Article.objects.exclude(duplicate_of=None)} == set(originals)


@pytest.mark.usefixtures("_small_batches")
@pytest.mark.usefixtures("_small_batches")
def test_files_that_change_between_the_passes_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(Spool, "__iter__", lambda spool: iter([]))

    with pytest.raises(ValidationError, match="changed while they were being imported"):
        import_lines(tmp_path, line_of("a1"))

    assert count_rows() == [0, 0, 0]
    assert Import.objects.get().state == "cleaned"


def test_an_import_queues_the_search_for_near_duplicates(tmp_path, ada):
    import_lines(tmp_path, line_of(), by=ada)

    job = Job.objects.get()
    assert (job.kind, job.key, job.created_by) == ("mark-near-duplicates", "agency 1", ada)


def test_the_trail_says_who_imported(tmp_path, ada):
    run = import_lines(tmp_path, line_of(), by=ada)

    event = ada.events.get()
    assert (event.verb, event.subject) == ("imported", f"corpus:{run.corpus_id}")
    assert event.data["counts"]["articles_new"] == 1


def test_batches_are_small_in_number_and_in_text(monkeypatch):
    monkeypatch.setattr("corpus.importing.prepared.MOST_RECORDS", 3)
    monkeypatch.setattr("corpus.importing.prepared.MOST_CHARACTERS", 100)
    sizes = [10, 10, 10, 90, 20, 10, 200]
    records = [
        ArticleRecord(f"a{n}", "", None, False, (ParagraphRecord(1, "x" * size),))
        for n, size in enumerate(sizes)
    ]

    assert [len(batch) for batch in batches(records)] == [3, 2, 2]
