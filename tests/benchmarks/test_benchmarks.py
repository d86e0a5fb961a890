"""The benchmarks measure what they say: their rows keep the rules, their parts run through."""

import json
from itertools import islice

import numpy as np
import pytest
from django.core.management import call_command

from annotation.models import Annotation, WaveItem
from benchmarks import agreement, crowd, exports, imports, retrieval, run, work
from benchmarks.campaigns import annotator_places, make_claims, make_items, make_world
from benchmarks.texts import texts, write_articles
from corpus.models import Paragraph
from tests.factories import make_user


@pytest.fixture
def scratch(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


def made_campaign(labels, *, wanted, people=40):
    world = make_world(slug="bench", claims=len(labels), people=people, labels_wanted=wanted)
    make_items(world, make_claims(world, len(labels)), np.array(labels))
    return world


def test_texts_are_the_same_for_the_same_seed():
    again = list(islice(texts(5000, seed=3), 50))

    assert list(texts(50, seed=3)) == again
    assert list(texts(50, seed=4)) != again


@pytest.mark.django_db
def test_a_campaign_of_bulk_rows_keeps_every_rule():
    made_campaign([3, 0, 2, 3, 1, 3] * 10, wanted=3)

    call_command("doctor")

    assert Annotation.objects.count() == 120
    assert set(WaveItem.objects.values_list("state", flat=True)) >= {"open", "complete"}


@pytest.mark.django_db
def test_rows_made_after_bulk_rows_get_keys_of_their_own():
    world = made_campaign([1, 0], wanted=2)

    assert make_user(username="ada").pk not in world.people
    assert exports.fill(slug="more", annotations=30) == {"claims": 10}


def test_several_labels_of_an_item_are_by_different_people():
    owner = np.repeat(np.arange(500), 4)

    places = annotator_places(owner, 60).reshape(500, 4)

    assert all(len(set(row)) == 4 for row in places.tolist())
    assert not (places == np.arange(500)[:, None] % 60).any()


@pytest.mark.django_db
def test_work_asks_the_database_as_often_each_time():
    work.fill(items=400)

    done = work.work(turn=0)

    assert len(done["ask"]) == work.ROUNDS
    assert max(done["ask_queries"]) - min(done["ask_queries"]) <= 2
    assert len(set(done["submit_queries"])) == 1


@pytest.mark.django_db
def test_an_import_reads_all_that_was_written(scratch):
    count = write_articles(scratch / "a.jsonl", 1200, seed=1, prefix="a")

    done = imports.run(file=str(scratch / "a.jsonl"), slug="bench")

    assert (done["paragraphs"], done["duplicates"], done["tabular"]) == (count, 2, 2)
    assert Paragraph.objects.filter(rank__gt=0).count() == count


@pytest.mark.django_db(transaction=True)
def test_an_export_counts_its_annotations():
    exports.fill(slug="bench", annotations=60)

    assert exports.export(slug="bench", format="raw")["lines"] == 60


def test_an_index_of_random_vectors_finds_what_brute_force_finds(scratch):
    retrieval.build(count=3000, dimensions=32)

    found = retrieval.ask(
        count=3000, dimensions=32, queries=retrieval.choose(count=3000, queries=5)
    )

    assert found["recall_at_1024"] > 0.99


def test_figures_of_agreement_say_on_what_they_rest(monkeypatch):
    monkeypatch.setitem(agreement.SIZES, "tiny", (60, 20, 1))
    monkeypatch.setattr(agreement, "SAMPLES", 20)
    monkeypatch.setattr(agreement, "REPEAT", 1)

    figures = agreement.run(size="tiny") | {"memory": {"peak_mb": 1}, "pages": {}}
    judged = [run.judged("agreement", *row) for row in agreement.budgets(figures)]

    assert json.loads(json.dumps(judged)) == judged
    assert "60" in figures["extrapolated"]["measured_on"]
    assert len(judged) == 5


@pytest.mark.parametrize(
    ("measured", "sign", "kept"),
    [(9, "<", True), (10, "<", False), (10, ">=", True), (9, "=", False)],
)
def test_a_budget_is_kept(measured, sign, kept):
    assert run.judged("work", "time", measured, sign, 10)["kept"] is kept


def test_an_answer_that_the_database_lost_breaks_the_budget():
    figures = dict.fromkeys(
        ("errors", "given_out_over_number", "labelled_twice_by_one", "rows_that_break_a_rule"), 0
    )

    rows = crowd.budgets(figures | {"lost_answers": 1})

    assert [what for what, measured, _sign, budget in rows if measured != budget] == [
        "lost answers"
    ]
