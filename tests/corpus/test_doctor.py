"""Each rule of texts finds the row that breaks it, and nothing in sound data."""

import pytest
from django.db.models import F

from corpus import doctor
from corpus.models import Article, Import, Paragraph
from tests.corpus.importing import import_lines, line_of
from tests.factories import make_article, make_corpus, make_import

pytestmark = pytest.mark.django_db


def broken():
    """The rules that something breaks, with how many rows do."""
    found = {name: len(list(rows())) for name, _, rows in doctor.RULES}
    return {name: count for name, count in found.items() if count}


@pytest.fixture
def _sound(tmp_path):
    import_lines(tmp_path, line_of("a1", "One."), line_of("a2", "One."), line_of("a3", ""))
    import_lines(tmp_path, line_of("a1", "Two."), line_of("a4", "Two."))


@pytest.mark.usefixtures("_sound")
def test_what_imports_leave_is_sound():
    assert broken() == {}


@pytest.mark.parametrize("undated", [False, True])
def test_dated_and_undated_corpora_are_sound(tmp_path, undated):
    import_lines(tmp_path, line_of(), corpus=make_corpus(undated=undated))

    assert broken() == {}


def test_an_undated_text_in_a_dated_corpus_is_found(tmp_path):
    import_lines(tmp_path, line_of(text="One."), corpus=make_corpus())
    Article.objects.update(published_at=None, available_at=None)
    Paragraph.objects.update(published_at=None, available_at=None)

    found = list(doctor.times_where_none_belong())

    assert found[0].endswith("has no date, unlike its corpus")
    assert len(found) == 1 + Paragraph.objects.count()


def test_a_dead_import_is_found():
    Import.objects.create(
        corpus=make_corpus(), state="running", heartbeat_at="2001-01-01T00:00:00Z"
    )

    assert broken() == {"no half import": 1}


def test_a_living_import_is_left_alone():
    Import.objects.create(corpus=make_corpus(), state="running")

    assert broken() == {}


def test_rows_of_a_cleaned_import_are_found():
    article = make_article()
    Import.objects.update(state="cleaned")

    assert broken() == {"no half import": 1}
    assert article.external_id in next(iter(doctor.half_imports()))


@pytest.mark.usefixtures("_sound")
@pytest.mark.parametrize("name", ["published_at", "available_at"])
def test_times_that_differ_are_found(name):
    rows = Paragraph.objects.filter(public_id="a1@2_1")
    rows.update(available_at="2023-01-01T00:00:00Z")
    if name == "published_at":
        rows.update(published_at="2022-12-01T00:00:00Z")

    assert broken() == {"times of paragraphs equal those of their articles": 1}


@pytest.mark.usefixtures("_sound")
def test_a_missing_time_is_found():
    Paragraph.objects.filter(public_id="a1@2_1").update(published_at=None, available_at=None)

    assert broken()["times of paragraphs equal those of their articles"] == 1


@pytest.mark.usefixtures("_sound")
@pytest.mark.parametrize("public_id", ["a1_1", "a1@2_1"])
def test_a_public_id_that_does_not_resolve_is_found(public_id):
    Paragraph.objects.filter(public_id=public_id).update(public_id="a1@3_1")

    assert broken() == {"every public id resolves": 1}


@pytest.mark.usefixtures("_sound")
def test_a_version_ahead_of_its_article_is_found():
    Article.objects.filter(external_id="a1").update(version=F("version") - 1)

    assert broken()["versions are reached at once"] == 2


@pytest.mark.usefixtures("_sound")
def test_a_false_duplicate_is_found():
    original, other = (Article.objects.get(external_id=name) for name in ("a1", "a2"))
    Article.objects.filter(pk=other.pk).update(duplicate_of=original, duplicate_kind="exact")

    assert broken() == {"exact duplicates have the text of their original": 1}


@pytest.mark.usefixtures("_sound")
def test_a_retrievable_article_without_text_is_found():
    Article.objects.filter(external_id="a3").update(retrievable=True)

    assert broken() == {"what has no text is not drawn": 1}


def test_a_paragraph_of_another_corpus_is_found():
    other = make_corpus(slug="other")
    make_import(other)
    make_article()
    Paragraph.objects.filter(rank=1).update(corpus=other)

    assert broken() == {"every public id resolves": 1}
