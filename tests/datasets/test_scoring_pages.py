"""The pages that score predictions: the command's figures, and the claims behind each cell."""

import json

import pytest
from django.urls import reverse

from datasets import kept, scoring
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from tests.datasets.scoring import (
    TASKS,
    N,
    R,
    S,
    files,
    made_score,
    make_score,
    run_next_job,
    score_by_command,
    scored,
    told,
    upload,
    verdict,
)
from tests.factories import make_campaign, make_user

PAGE = "datasets:scores"
GOLD, TOLD = TASKS["fever"]
COST = 5


@pytest.fixture
def mia(db, sign_in):
    make_campaign(manager=make_user(username="mia"))
    return sign_in("mia")


def mia_herself():
    return make_user(username="mia")


def file_of(client, name):
    address = reverse("datasets:score-file", args=[Job.objects.get().key, name])
    return b"".join(client.get(address).streaming_content).decode()


def claims_page(client, job, **query):
    return client.get(reverse("datasets:score-claims", args=[job.key]), query)


def rows_of(page):
    return [{str(heading): value for heading, value in row} for row in page.context["rows"]]


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_scored_as_the_command_does(mia, tmp_path, task):
    gold, predictions = TASKS[task]

    page = scored(mia, task, **files(gold, predictions))

    report, claims = score_by_command(tmp_path, task, gold, predictions)
    assert page.context["report"] == json.loads(report)
    assert file_of(mia, "report.json") == report
    assert file_of(mia, "claims.jsonl") == claims


@pytest.mark.parametrize("task", TASKS)
def test_every_figure_is_shown_with_its_meaning(mia, task):
    context = scored(mia, task, **files(*TASKS[task])).context

    assert context["figures"]
    assert all(row[-1] for row in [*context["figures"], *context["at_cutoffs"]])


def test_figures_at_several_k_stand_in_one_row(mia):
    context = scored(mia, "ctkfacts", **files(*TASKS["ctkfacts"])).context

    # Of claims 1 and 2 with evidence, claim 1 has its paragraph on the second place.
    rows = {name: dict(values) for name, values, _meaning in context["at_cutoffs"]}
    assert rows["mrr"] == {"1": "0.0000", "5": "0.2500", "10": "0.2500", "20": "0.2500"}
    assert rows["se accuracy"]["1"] == "0.3333"
    assert "nse macro_f1" in {name for name, _value, _meaning in context["figures"]}


def test_figures_stand_under_the_names_of_the_field(mia):
    html = scored(mia, **files(GOLD, TOLD)).content.decode()

    # Of three claims one is right with its evidence; the third has no prediction.
    assert "<code>strict_score</code>" in html
    assert "0.3333" in html
    assert "Without a prediction, and so counted as wrong: 3" in html
    assert "For no claim, and so left aside: 9" in html


def test_options_are_those_of_the_command(mia, tmp_path):
    pieces = [["Brno", line] for line in range(5)] + [["Prague", 0]]
    predictions = [told(n, S, predicted_evidence=pieces) for n in (1, 2, 3)]

    page = scored(mia, **files(GOLD, predictions), max_evidence="all")

    report, _ = score_by_command(tmp_path, "fever", GOLD, predictions, max_evidence=0)
    assert page.context["report"] == json.loads(report)
    assert page.context["report"]["strict_score"] == pytest.approx(1 / 3)


def test_what_the_corpus_lacks_is_named(mia):
    corpus = [{"id": "Brno", "text": "…", "lines": "0\tBrno is a city."}]

    html = scored(mia, **files(GOLD, TOLD, corpus=corpus)).content.decode()

    assert "Not in the corpus: Prague 0" in html


def test_each_cell_that_is_not_empty_leads_to_its_claims(mia):
    page = scored(mia, **files(GOLD, TOLD))

    html = page.content.decode()
    address = reverse("datasets:score-claims", args=[Job.objects.get().key])
    assert f'href="{address}?gold=SUPPORTS&amp;predicted=SUPPORTS"' in html
    assert html.count(f"{address}?gold=") == 3


def test_the_claims_of_a_cell_come_with_what_they_earned(mia):
    job = made_score(by=mia_herself())

    rows = rows_of(claims_page(mia, job, gold=S, predicted=S))

    assert rows == [{
        "id": "1", "gold label": S, "predicted label": S,
        "label right": "yes", "strict score": "yes",
        "precision": "1.0000", "recall": "1.0000",
    }]  # fmt: skip


def test_a_claim_without_a_prediction_stands_in_a_cell_of_its_own(mia):
    job = made_score(by=mia_herself())

    rows = rows_of(claims_page(mia, job, gold=R, predicted="(none)"))

    assert [(row["id"], row["predicted label"]) for row in rows] == [("3", "(none)")]


def test_abstracts_of_one_claim_are_told_apart(mia):
    job = made_score(by=mia_herself(), task="scifact")

    rows = rows_of(claims_page(mia, job, gold="SUPPORT", predicted="SUPPORT"))

    assert [(row["id"], row["abstract"]) for row in rows] == [("1", "11"), ("1", "12")]
    assert {row["abstracts right: and rationale"] for row in rows} == {"1"}


def test_claims_are_found_where_all_ids_are_alike(mia):
    gold = [verdict(0, S, [[1, 2, "Prague", n]]) for n in range(3)]
    predictions = [told(0, label, predicted_evidence=[["Prague", 1]]) for label in (R, S, S)]
    job = made_score(by=mia_herself(), gold=gold, predictions=predictions)

    rows = rows_of(claims_page(mia, job, gold=S, predicted=S))

    assert [row["strict score"] for row in rows] == ["yes", "no"]


def test_a_passage_has_its_labels_beside_its_scores(mia):
    job = made_score(by=mia_herself(), task="ambifc")

    rows = rows_of(claims_page(mia, job))

    assert [(row["id"], row["gold label"], row["predicted label"]) for row in rows] == [
        ("a", "supporting", "supporting"),
        ("b", "(tied)", "refuting"),
    ]


def test_a_cell_shows_what_its_claims_say(mia):
    texts = ["Praha leží na Vltavě.", "x" * 301, None]
    gold = [{**verdict(n, S), "claim": text} for n, text in enumerate(texts, start=1)]
    predictions = [told(n, S, predicted_evidence=[]) for n in (1, 2, 3)]
    job = made_score(by=mia_herself(), gold=gold, predictions=predictions)

    page = claims_page(mia, job, gold=S, predicted=S)

    rows = rows_of(page)
    assert [(row["id"], row["claim"]) for row in rows] == [
        ("1", texts[0]), ("2", "x" * 300 + "…"), ("3", ""),
    ]  # fmt: skip
    assert "x" * 300 + "…" in page.content.decode()
    assert rows_of(claims_page(mia, job))[0]["claim"] == texts[0]


def test_scores_without_texts_have_no_column_for_them(mia):
    job = made_score(by=mia_herself())
    assert "claim" not in rows_of(claims_page(mia, job))[0]

    (kept.folder_of(scoring.JOB, job.key) / scoring.TEXTS).unlink()

    assert [row["id"] for row in rows_of(claims_page(mia, job))] == ["1", "2", "3"]


def test_predicted_labels_that_the_task_does_not_know_are_counted_above_the_matrix(mia):
    predictions = [told(1, "Maybe", predicted_evidence=[]), told(2, "maybe", predicted_evidence=[])]

    page = scored(mia, **files(GOLD, predictions))

    # The third claim has no prediction, which is no label.
    assert page.context["unknown"] == [("MAYBE", 2)]
    assert "2 predictions say “MAYBE”" in page.content.decode()


@pytest.mark.parametrize("task", ["fever", "feverous", "scifact"])
def test_each_figure_has_a_meaning_of_its_own(mia, task):
    context = scored(mia, task, **files(*TASKS[task])).context

    meanings = [meaning for _name, _value, meaning in context["figures"]]
    assert len(set(meanings)) == len(meanings)


def test_after_a_wrong_option_files_have_to_be_chosen_again(mia):
    html = upload(mia, max_evidence="many", **files(GOLD, TOLD)).content.decode()

    assert "Choose the files again" in html
    assert "Choose the files again" not in mia.get(reverse(PAGE)).content.decode()


def test_long_lists_come_in_pages_at_the_same_cost(mia, django_assert_num_queries):
    gold = [verdict(n, S, [[1, 2, "Prague", 0]]) for n in range(120)]
    predictions = [told(n, S, predicted_evidence=[]) for n in range(120)]
    job = made_score(by=mia_herself(), gold=gold, predictions=predictions)
    small = made_score(by=mia_herself())

    with django_assert_num_queries(COST):
        claims_page(mia, small)
    with django_assert_num_queries(COST):
        page = claims_page(mia, job, gold=S, predicted=S, page=3)

    assert [row["id"] for row in rows_of(page)] == [str(n) for n in range(100, 120)]
    assert "Page 3 of 3" in page.content.decode()
    assert "predicted=SUPPORTS&amp;page=2" in page.content.decode()


def test_a_cell_that_is_empty_is_no_page(mia):
    job = made_score(by=mia_herself())

    assert claims_page(mia, job, gold=N, predicted=N).status_code == 404


def test_half_characters_of_ids_and_labels_are_shown_as_no_characters(mia, tmp_path):
    gold, predictions = [verdict("a\ud83c", S)], [told("b", "x\ud83c", predicted_evidence=[])]
    job = made_score(by=mia_herself(), gold=gold, predictions=predictions)

    html = mia.get(reverse("datasets:score", args=[job.key])).content.decode()
    claims = claims_page(mia, job, gold=S, predicted="(none)")

    assert "counted as wrong: a\ufffd" in html
    assert [row["id"] for row in rows_of(claims)] == ["a\ufffd"]
    assert json.loads(file_of(mia, "claims.jsonl"))["id"] == "a\ud83c"
    report, _ = score_by_command(tmp_path, "fever", gold, predictions)
    assert file_of(mia, "report.json") == report


def test_the_files_go_when_they_were_read_and_the_report_stays(mia):
    scored(mia, **files(GOLD, TOLD))

    folder = kept.folder_of(scoring.JOB, Job.objects.get().key)
    assert {path.name for path in folder.iterdir()} == {
        kept.REPORT, scoring.CLAIMS, scoring.CELLS, scoring.TEXTS
    }  # fmt: skip


def test_a_score_that_is_run_twice_ends_the_same(mia):
    scored(mia, **files(GOLD, TOLD))
    job = Job.objects.get()

    again = scoring.score_job(lambda *_: None, **job.arguments)

    assert again == job.result
    assert again["n_claims"] == 3


def test_a_report_that_is_gone_says_so(mia, monkeypatch):
    job = made_score(by=mia_herself())
    monkeypatch.setattr(kept, "KEPT", -1)

    scoring.sweep_scores()

    assert "this one is gone" in mia.get(job_url(job)).content.decode()
    assert claims_page(mia, job).status_code == 404
    assert mia.get(reverse("datasets:score-file", args=[job.key, "report.json"])).status_code == 404


def job_url(job):
    return reverse("datasets:score", args=[job.key])


def test_a_waiting_score_can_be_cancelled_and_its_files_go(mia):
    job = make_score(by=mia_herself())

    html = mia.post(reverse("datasets:cancel-score", args=[job.key]), follow=True).content.decode()

    assert "The scoring was cancelled." in html
    assert Job.objects.get().state == Job.State.CANCELLED
    assert not kept.folder_of(scoring.JOB, job.key).exists()


def test_a_running_score_ends_at_its_next_step_and_leaves_nothing(mia):
    make_score(by=mia_herself())
    job = claim_next_job(worker="test")

    page = mia.post(reverse("datasets:cancel-score", args=[job.key]), follow=True)
    run_job(job)
    scoring.sweep_scores()

    assert "It ends at its next step." in page.content.decode()
    assert Job.objects.get().state == Job.State.CANCELLED
    assert not kept.folder_of(scoring.JOB, job.key).exists()


def test_a_score_that_is_there_stays_when_it_is_cancelled_late(mia):
    job = made_score(by=mia_herself())

    html = mia.post(reverse("datasets:cancel-score", args=[job.key]), follow=True).content.decode()

    assert "strict_score" in html


def test_the_card_asks_again_until_the_scores_are_there(mia):
    job = make_score(by=mia_herself())

    waiting = mia.get(job_url(job), headers={"HX-Request": "true"}).content.decode()
    run_next_job()
    done = mia.get(job_url(job), headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in waiting
    assert 'hx-trigger="every 2s"' in waiting
    assert "every 2s" not in done


def test_the_form_that_cancels_carries_its_token(mia):
    job = make_score(by=mia_herself())

    html = mia.get(job_url(job)).content.decode()

    form = html[html.index(reverse("datasets:cancel-score", args=[job.key])) :]
    assert "csrfmiddlewaretoken" in form[: form.index("</form>")]


def test_who_manages_nothing_may_not_ask(sign_in):
    eve = sign_in("eve")

    assert eve.get(reverse(PAGE)).status_code == 404
    assert upload(eve, **files(GOLD, TOLD)).status_code == 404
    assert not Job.objects.exists()


def test_others_do_not_see_a_score(mia, sign_in):
    job = made_score(by=mia_herself())
    make_campaign(slug="autumn", manager=make_user(username="noa"))
    noa = sign_in("noa")

    assert noa.get(job_url(job)).status_code == 404
    assert claims_page(noa, job).status_code == 404
    assert noa.get(reverse("datasets:score-file", args=[job.key, "report.json"])).status_code == 404
    assert noa.post(reverse("datasets:cancel-score", args=[job.key])).status_code == 404


def test_only_what_the_report_has_is_a_file(mia):
    job = made_score(by=mia_herself())

    assert mia.get(reverse("datasets:score-file", args=[job.key, ".cells.json"])).status_code == 404


def test_the_pages_lead_to_each_other(mia):
    releases = mia.get(reverse("datasets:releases", args=["spring"])).content.decode()

    assert reverse(PAGE) in releases
    assert reverse(PAGE) in mia.get(reverse("datasets:checks")).content.decode()
    assert reverse("datasets:checks") in mia.get(reverse(PAGE)).content.decode()
