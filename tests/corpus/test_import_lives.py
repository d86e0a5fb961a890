"""Imports that died, go on, are cleaned up, or meet another one."""

import pytest
from django.core.exceptions import ValidationError

from corpus.importing.cleaning import clean_up
from corpus.importing.locks import sole_import
from corpus.models import Article, ArticleChange, Import, Paragraph
from tests.corpus.importing import article_of, break_off, import_lines, line_of, texts_of
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db
LONG = "One sentence about bridges.\n\nAnother one about ferries."


@pytest.fixture
def _small_batches(monkeypatch):
    monkeypatch.setattr("corpus.importing.prepared.MOST_RECORDS", 1)


def count_rows():
    return [model.objects.count() for model in (Article, Paragraph, ArticleChange)]


def test_an_import_that_died_shows_nothing(tmp_path):
    import_lines(tmp_path, line_of("a1", "Old text."), line_of("a2"))

    break_off(tmp_path, line_of("a1", "New text."), line_of("a3"), line_of("a4"), after=2)

    assert sorted(Article.objects.visible().values_list("external_id", flat=True)) == ["a1", "a2"]
    assert texts_of(article_of("a1")) == ["Title of a1", "Old text."]
    current = Paragraph.objects.current().exclude(rank=0)
    assert sorted(current.values_list("public_id", flat=True)) == ["a1_1", "a2_1"]
    assert Article.objects.filter(external_id="a3").exists()


@pytest.mark.usefixtures("_small_batches")
def test_an_import_that_died_goes_on_where_it_was(tmp_path):
    lines = [line_of("a1", "New."), line_of("a3"), "no json", line_of("a4")]
    import_lines(tmp_path, line_of("a1", "Old text."))
    died = break_off(tmp_path, *lines, after=2, skip_bad=True)
    assert died.records_done == 2

    run = import_lines(tmp_path, *lines, skip_bad=True)

    assert run.pk == died.pk
    assert (run.counts["articles_new"], run.counts["articles_changed"]) == (2, 1)
    assert article_of("a1").version == 2
    assert Import.objects.unfinished().count() == 0
    assert Article.objects.visible().count() == 3


@pytest.mark.usefixtures("_small_batches")
def test_an_import_of_other_files_cleans_up_first(tmp_path):
    import_lines(tmp_path, line_of("a1", "Old text."))
    died = break_off(tmp_path, line_of("a1", "New text."), line_of("a3"), line_of("a4"), after=2)

    import_lines(tmp_path, line_of("b1"))

    died.refresh_from_db()
    assert died.state == "cleaned"
    assert sorted(Article.objects.values_list("external_id", flat=True)) == ["a1", "b1"]
    assert not Paragraph.objects.filter(version=2).exists()
    assert not ArticleChange.objects.exists()


@pytest.mark.usefixtures("_small_batches")
def test_a_dead_import_is_cleaned_up_by_hand(tmp_path, ada):
    died = break_off(tmp_path, line_of("a1", LONG), line_of("a2", LONG), line_of("a3"), after=2)

    clean_up(run=died, by=ada)

    died.refresh_from_db()
    assert died.state == "cleaned"
    assert count_rows() == [0, 0, 0]


def test_a_complete_import_is_not_cleaned_up(tmp_path):
    run = import_lines(tmp_path, line_of())

    with pytest.raises(ValidationError, match="did not end"):
        clean_up(run=run)


def test_two_imports_at_once_are_refused(tmp_path):
    corpus = make_corpus()

    with sole_import(corpus), pytest.raises(ValidationError, match="Another import into agency"):
        import_lines(tmp_path, line_of(), corpus=corpus)


@pytest.mark.usefixtures("_small_batches")
def test_a_live_import_of_another_machine_is_left_alone(tmp_path):
    died = break_off(tmp_path, line_of("a1"), line_of("a2"))
    Import.objects.filter(pk=died.pk).update(owner="elsewhere:1")

    with pytest.raises(ValidationError, match="Another import"):
        import_lines(tmp_path, line_of("a1"), line_of("a2"))

    Import.objects.filter(pk=died.pk).update(heartbeat_at="2001-01-01T00:00:00Z")
    assert import_lines(tmp_path, line_of("a1"), line_of("a2")).pk == died.pk


@pytest.mark.usefixtures("_small_batches")
def test_an_import_that_was_taken_over_writes_no_more(tmp_path):
    def progress(done, total, message=""):
        if total:
            Import.objects.update(owner="elsewhere:1")

    with pytest.raises(ValidationError, match="taken this import over"):
        import_lines(tmp_path, line_of("a1"), line_of("a2"), progress=progress)

    assert Import.objects.get().records_done == 1
