"""Indexes and dictionaries through the database: right in every rule, and stored at once."""

import threading
from datetime import UTC, datetime

import pytest
from django.db import connection

from corpus.followups import changed_texts
from corpus.models import Article, Corpus, Paragraph
from dictionaries import services
from dictionaries.backends.base import DictionarySettings, IndexUnavailable
from dictionaries.jobs import build_index_job, sweep_indexes
from dictionaries.models import Dictionary, DictionaryEntry
from dictionaries.queries import query_of_paragraph
from dictionaries.services import (
    build_corpus_index,
    build_dictionary,
    check_corpus_index,
    prepare_dictionary,
    retrieve,
)
from operations.models import Job
from operations.progress import JobCancelled
from tests.dictionaries.corpora import (
    dictionary_of,
    indexed,
    new_corpus,
    sample_corpus,
    small_corpus,
)
from tests.factories import make_article, paragraph_of

BRIDGES = [f"The Norvell bridge was delayed again, said minister number {n}." for n in range(12)]
LATER = datetime(2030, 1, 1, tzinfo=UTC)


def query_for(corpus, text="The Norvell bridge was delayed.", *, as_of=LATER, **fields):
    return {
        "corpus": corpus,
        "text": text,
        "language": corpus.language,
        "as_of": as_of,
        "left_out_article": None,
        "settings": {},
        **fields,
    }


@pytest.mark.django_db
def test_a_dictionary_finds_what_belongs_to_its_source():
    corpus = sample_corpus()
    source = Paragraph.objects.get(corpus=corpus, public_id="npa-050_2")

    entries = dictionary_of(source).entries.filter(method="keyword")

    texts = " ".join(entries.values_list("paragraph__text", flat=True))
    assert "Veil" in texts


@pytest.mark.django_db
def test_a_day_is_older_only_when_it_is_over():
    corpus = small_corpus("The Norvell bridge is open.", time_zone="UTC")
    article = make_article(
        corpus,
        "The Norvell bridge is closed for a day.",
        published_at=datetime(2022, 2, 1, tzinfo=UTC),
        available_at=datetime(2022, 2, 1, 23, 59, 59, 999999, tzinfo=UTC),
        external_id="day",
    )
    indexed(corpus)

    def found(as_of):
        made = build_dictionary(prepare_dictionary(**query_for(corpus, as_of=as_of)))
        return article.pk in made.entries.values_list("paragraph__article", flat=True)

    assert not found(datetime(2022, 2, 1, 18, tzinfo=UTC))
    assert not found(article.available_at)
    assert found(datetime(2022, 2, 2, tzinfo=UTC))


@pytest.mark.django_db
def test_an_undated_corpus_needs_no_date():
    corpus = small_corpus(*BRIDGES, undated=True)

    dictionary = build_dictionary(prepare_dictionary(**query_for(corpus, as_of=None)))

    assert dictionary.as_of is None
    assert dictionary.entries.exists()
    assert set(dictionary.entries.values_list("available_at", "as_of")) == {(None, None)}


@pytest.mark.django_db
def test_a_dated_corpus_needs_one():
    with pytest.raises(ValueError, match="needs the as-of date"):
        prepare_dictionary(**query_for(small_corpus(*BRIDGES), as_of=None))


@pytest.mark.django_db
def test_without_an_index_nothing_is_prepared():
    with pytest.raises(IndexUnavailable, match="has no index yet"):
        prepare_dictionary(**query_for(new_corpus()))

    assert not Dictionary.objects.exists()


@pytest.mark.django_db
def test_equal_queries_share_a_dictionary():
    corpus = small_corpus(*BRIDGES)
    article = Article.objects.get(corpus=corpus, external_id="a3")

    first = prepare_dictionary(**query_for(corpus))

    assert prepare_dictionary(**query_for(corpus)) == first
    for other in (
        {"text": "Something else."},
        {"as_of": datetime(2029, 1, 1, tzinfo=UTC)},
        {"left_out_article": article},
        {"settings": {"seed": 1}},
        {"language": "cs"},
    ):
        assert prepare_dictionary(**query_for(corpus, **other)) != first


@pytest.mark.django_db
def test_the_same_query_gives_the_same_dictionary():
    corpus = sample_corpus()
    source = Paragraph.objects.get(corpus=corpus, public_id="npa-050_2")
    stored = dictionary_of(source)

    again = retrieve(corpus=corpus, settings=DictionarySettings(), **query_of_paragraph(source))

    order = ("method", "rank", "paragraph", "score", "query")
    assert [
        (entry.method, entry.rank, entry.paragraph_id, entry.score, entry.query)
        for entry in sorted(again.entries, key=lambda entry: (entry.method, entry.rank))
    ] == list(stored.entries.order_by("method", "rank").values_list(*order))


@pytest.mark.django_db
def test_names_of_the_agency_are_never_searched_for():
    corpus = small_corpus(*BRIDGES, agency_names=["Norvell"])

    dictionary = build_dictionary(prepare_dictionary(**query_for(corpus)))

    assert "Norvell" not in dictionary.entities


@pytest.mark.django_db
def test_a_ready_dictionary_stays_as_it_is():
    corpus = small_corpus(*BRIDGES)
    ready = build_dictionary(prepare_dictionary(**query_for(corpus)))
    before = list(ready.entries.values_list("pk", flat=True))

    again = build_dictionary(Dictionary.objects.get(pk=ready.pk))
    services.fill(ready, retrieve_all(corpus))

    assert again.state == "ready"
    assert list(ready.entries.values_list("pk", flat=True)) == before


def retrieve_all(corpus):
    query = query_for(corpus)
    del query["settings"]
    return retrieve(settings=DictionarySettings(), **query)


@pytest.mark.django_db
def test_entries_and_state_are_written_at_once(monkeypatch):
    corpus = small_corpus(*BRIDGES)
    dictionary = prepare_dictionary(**query_for(corpus))
    monkeypatch.setattr(Dictionary, "save", lambda *_, **__: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        build_dictionary(dictionary)

    assert Dictionary.objects.get().state == "pending"
    assert not DictionaryEntry.objects.exists()


@pytest.mark.django_db
def test_a_dictionary_of_an_older_index_is_prepared_anew():
    corpus = small_corpus(*BRIDGES)
    old = prepare_dictionary(**query_for(corpus))
    make_article(corpus, "The Norvell bridge is open at last.", external_id="new")
    indexed(corpus)

    with pytest.raises(IndexUnavailable, match="prepared anew"):
        build_dictionary(old)

    new = build_dictionary(prepare_dictionary(**query_for(corpus)))
    old.refresh_from_db()
    assert (old.state, new.state) == ("failed", "ready")


@pytest.mark.django_db
def test_the_index_holds_what_may_be_retrieved():
    corpus = small_corpus(*BRIDGES[:4])
    make_article(corpus, "A table.", is_tabular=True, external_id="table")
    make_article(corpus, "Left out.", retrievable=False, external_id="out")
    indexed(corpus)

    check = check_corpus_index(corpus)

    assert check.ok
    assert check.paragraphs == check.indexed == 4


@pytest.mark.django_db
def test_what_changed_since_is_found_by_the_check():
    corpus = small_corpus(*BRIDGES[:4])
    new = make_article(corpus, "Not indexed yet.", external_id="new")
    gone = Article.objects.get(corpus=corpus, external_id="a1")
    Article.objects.filter(pk=gone.pk).update(retrievable=False)

    check = check_corpus_index(corpus)

    assert not check.ok
    assert check.missing == (paragraph_of(new).pk,)
    assert check.extra == (paragraph_of(gone).pk,)


@pytest.mark.django_db
def test_a_build_names_the_texts_that_it_holds():
    corpus = small_corpus(*BRIDGES[:4])
    assert not corpus.is_index_stale

    changed_texts(corpus)
    assert corpus.is_index_stale

    assert not indexed(corpus).is_index_stale


@pytest.mark.django_db
def test_the_job_builds_again_where_texts_changed_meanwhile():
    corpus = small_corpus(*BRIDGES[:4])
    make_article(corpus, "One more.", external_id="more")
    changed = []

    def progress(done, total, message=""):
        if not changed:
            changed.append(make_article(corpus, "And one more.", external_id="last"))
            changed_texts(corpus)

    result = build_index_job(progress, corpus_id=corpus.pk)

    assert result["paragraphs"] == 6
    assert not Corpus.objects.get(pk=corpus.pk).is_index_stale


@pytest.mark.django_db
def test_the_sweep_queues_what_is_out_of_date():
    fresh, stale = small_corpus(*BRIDGES[:3]), small_corpus(*BRIDGES[:3])
    new_corpus()
    changed_texts(stale)

    sweep_indexes()
    sweep_indexes()

    assert [job.key for job in Job.objects.all()] == [stale.slug]
    assert fresh.slug != stale.slug


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "again"), [("done", True), ("failed", False)])
def test_the_sweep_leaves_a_failed_build_to_people(state, again):
    corpus = small_corpus(*BRIDGES[:3])
    changed_texts(corpus)
    Job.objects.create(kind="build-index", key=corpus.slug, state=state, ended_at=datetime.now(UTC))

    sweep_indexes()

    assert Job.objects.live().exists() == again


@pytest.mark.django_db(transaction=True)
def test_a_build_tells_its_progress_and_can_be_cancelled():
    corpus = new_corpus()
    for n, text in enumerate(BRIDGES):
        make_article(corpus, text, external_id=f"a{n}")

    def cancel(done, total):
        # what progress does in a job: it writes, which has no place in a snapshot
        Corpus.objects.filter(pk=corpus.pk).update(licence=f"{done} of {total}")
        raise JobCancelled

    with pytest.raises(JobCancelled):
        build_corpus_index(corpus=corpus, progress=cancel)

    assert " of " in Corpus.objects.get(pk=corpus.pk).licence
    assert connection.get_autocommit()
    assert indexed(corpus).index_version


def in_threads(count, work):
    """Run work() in threads at once; what they returned."""
    results, start = [], threading.Barrier(count)

    def run():
        start.wait()
        try:
            results.append(work())
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_many_who_prepare_the_same_query_get_one_dictionary():
    corpus = small_corpus(*BRIDGES)

    made = in_threads(8, lambda: build_dictionary(prepare_dictionary(**query_for(corpus))))

    assert len({dictionary.pk for dictionary in made}) == 1
    assert len(made) == 8
    assert Dictionary.objects.get().state == "ready"
    assert DictionaryEntry.objects.count() == made[0].entries.count() > 0


@pytest.mark.django_db(transaction=True)
def test_dictionaries_are_made_while_the_index_is_rebuilt():
    corpus = small_corpus(*BRIDGES)
    rebuilt = threading.Event()

    def rebuild():
        try:
            for n in range(3):
                make_article(corpus, f"The Norvell bridge, day {n}.", external_id=f"new{n}")
                build_corpus_index(corpus=Corpus.objects.get(pk=corpus.pk), rebuild=True)
        finally:
            rebuilt.set()
            connection.close()

    builder = threading.Thread(target=rebuild)
    builder.start()
    sizes = []
    while not rebuilt.is_set() or not sizes:
        sizes.append(len(retrieve_all(corpus).entries))
    builder.join()

    assert min(sizes) > 0
    assert check_corpus_index(corpus).ok
