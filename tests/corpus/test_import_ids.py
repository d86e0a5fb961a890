"""An import refuses an id that is hard to tell from a stored one."""

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.importing.runs import NothingStored
from corpus.models import Article
from corpus.readers.identifiers import folded_hash
from tests.corpus.importing import article_of, import_lines, line_of
from tests.factories import make_article, make_corpus

pytestmark = pytest.mark.django_db


def ids():
    return sorted(Article.objects.values_list("external_id", flat=True))


@pytest.mark.parametrize("other", ["abc1", "ABC 1", "ＡＢＣ1"])
def test_an_id_that_differs_from_a_stored_one_by_case_or_blanks_is_refused(tmp_path, other):
    import_lines(tmp_path, line_of("ABC1"))

    with pytest.raises(NothingStored) as refused:
        import_lines(tmp_path, line_of("new"), line_of(other))

    (error,) = refused.value.report["errors"]
    assert (error["file"], error["line"]) == ("articles.jsonl", 2)
    assert f"{other!r} differs only by case or blanks from 'ABC1'" in error["reason"]
    assert ids() == ["ABC1"]


def test_it_is_left_out_where_bad_lines_are(tmp_path):
    import_lines(tmp_path, line_of("ABC1"))

    run = import_lines(tmp_path, line_of("new"), line_of("abc1"), skip_bad=True)

    assert (run.counts["articles_new"], run.counts["bad"]) == (1, 1)
    assert ids() == ["ABC1", "new"]


def test_the_stored_id_itself_may_come_again(tmp_path):
    import_lines(tmp_path, line_of("ABC1"))

    run = import_lines(tmp_path, line_of("ABC1"), line_of("abc2"))

    assert (run.counts["articles_same"], run.counts["articles_new"]) == (1, 1)


def test_ids_of_another_corpus_are_no_matter(tmp_path):
    import_lines(tmp_path, line_of("ABC1"))

    import_lines(tmp_path, line_of("abc1"), corpus=make_corpus(slug="other"))

    assert ids() == ["ABC1", "abc1"]


def test_pages_of_an_encyclopedia_may_differ_by_case(tmp_path):
    corpus = make_corpus(undated=True)

    for name in ("Us", "US"):
        page = json.dumps({"id": name, "text": "A text.", "lines": "0\tA text."})
        import_lines(tmp_path, page, corpus=corpus, format="fever-wiki")

    assert ids() == ["US", "Us"]


def test_it_costs_one_query_for_all_new_ids_of_a_batch(tmp_path):
    corpus = make_corpus()
    counted = [queries(tmp_path, corpus, prefix, size) for prefix, size in [("a", 3), ("b", 30)]]

    assert counted == [1, 1]


def queries(folder, corpus, prefix, size):
    with CaptureQueriesContext(connection) as context:
        import_lines(folder, *(line_of(f"{prefix}{n}") for n in range(size)), corpus=corpus)
    return sum('"folded_hash" IN (' in one["sql"] for one in context)


def test_articles_from_before_get_their_hash():
    article = make_article(external_id="ABC 1")

    import_module("corpus.migrations.0008_fold_the_ids_of_articles").fold(apps, None)

    article.refresh_from_db()
    assert article.folded_hash == folded_hash("abc1") == folded_hash("ABC 1")


def test_an_imported_article_has_its_hash(tmp_path):
    import_lines(tmp_path, line_of("ABC1"))

    assert article_of("ABC1").folded_hash == folded_hash("abc1")
