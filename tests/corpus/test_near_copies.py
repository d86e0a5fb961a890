"""Near-duplicates are marked by a job after an import, and the index follows."""

import pytest
from django.core.management import call_command

from corpus import near_copies
from corpus.followups import changed_texts
from corpus.importing.survey import public_counts
from corpus.models import Article, Corpus, Import
from corpus.near_copies import mark_near_duplicates
from operations.models import Job
from operations.worker import Worker
from tests.corpus.importing import import_lines, line_of
from tests.factories import make_article, make_corpus

pytestmark = pytest.mark.django_db
STORY = (
    "The bridge across the strait will open in the spring of next year, the minister said on "
    "Monday after a visit to the building site where three hundred people work day and night. "
    "It will cost four hundred million crowns, a fifth more than was planned three years ago."
)
NEARLY = STORY.replace("Monday", "Tuesday")
OTHER = "Nurses ended their strike after a week; hospitals open all wards again on Friday morning."


def article_of(name):
    return Article.objects.get(external_id=name)


def test_the_later_of_two_nearly_equal_articles_leaves_sampling(tmp_path):
    import_lines(
        tmp_path,
        line_of("late", NEARLY, published_at="2022-05-15"),
        line_of("early", STORY, published_at="2022-05-14"),
        line_of("other", OTHER),
    )

    assert mark_near_duplicates(corpus=make_corpus()) == 1

    late = article_of("late")
    assert (late.duplicate_of, late.duplicate_kind) == (article_of("early"), "near")
    retrievable = Article.objects.retrievable().values_list("external_id", flat=True)
    assert sorted(retrievable) == ["early", "other"]


def test_marks_are_made_anew(tmp_path):
    import_lines(tmp_path, line_of("a1", STORY), line_of("a2", NEARLY))
    mark_near_duplicates(corpus=make_corpus())

    import_lines(tmp_path, line_of("a2", OTHER))
    mark_near_duplicates(corpus=make_corpus())

    assert article_of("a2").duplicate_of is None


def test_the_same_marks_again_change_nothing(tmp_path):
    import_lines(tmp_path, line_of("a1", STORY), line_of("a2", NEARLY))
    mark_near_duplicates(corpus=make_corpus())
    version = Corpus.objects.get().data_version

    mark_near_duplicates(corpus=make_corpus())

    assert Corpus.objects.get().data_version == version


@pytest.mark.parametrize("fields", [{"is_tabular": True}, {"retrievable": False}])
def test_tables_are_not_compared_and_left_out_articles_are(fields):
    corpus = make_corpus()
    make_article(corpus, STORY)
    make_article(corpus, NEARLY, **fields)

    assert mark_near_duplicates(corpus=corpus) == (0 if "is_tabular" in fields else 1)


def test_exact_duplicates_stay_what_they_are(tmp_path):
    import_lines(tmp_path, line_of("a1", STORY), line_of("a2", STORY), line_of("a3", NEARLY))

    assert mark_near_duplicates(corpus=make_corpus()) == 1

    assert [article_of(name).duplicate_kind for name in ("a2", "a3")] == ["exact", "near"]


def test_the_job_notes_the_count_and_queues_the_index(tmp_path):
    run = import_lines(tmp_path, line_of("a1", STORY), line_of("a2", NEARLY))
    assert public_counts(run)["near_duplicates"] is None

    Worker("here").run_next()

    run.refresh_from_db()
    assert public_counts(run)["near_duplicates"] == 1
    assert Job.objects.filter(kind="build-index", key="agency").exists()


def test_each_import_counts_its_own(tmp_path):
    import_lines(tmp_path, line_of("a1", STORY))
    import_lines(tmp_path, line_of("a2", NEARLY), line_of("a3", OTHER))

    mark_near_duplicates(corpus=make_corpus())

    runs = Import.objects.order_by("pk")
    assert [run.counts["near_duplicates"] for run in runs] == [0, 1]


def test_texts_that_change_meanwhile_are_compared_again(tmp_path, monkeypatch):
    import_lines(tmp_path, line_of("a1", STORY), line_of("a2", NEARLY))
    rounds = []

    def change_once(*args):
        rounds.append(1)
        if len(rounds) == 1:
            changed_texts(Corpus.objects.get())
        return near_duplicates(*args)

    near_duplicates = near_copies.near_duplicates
    monkeypatch.setattr(near_copies, "near_duplicates", change_once)

    assert mark_near_duplicates(corpus=make_corpus()) == 1
    assert len(rounds) == 2


def test_the_command_says_how_many(tmp_path, capsys):
    import_lines(tmp_path, line_of("a1", STORY), line_of("a2", NEARLY))

    call_command("mark_near_duplicates", "agency")

    assert capsys.readouterr().out == "near_duplicates 1\n"
