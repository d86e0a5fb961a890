"""The pages and the API that check what two or three files share."""

import gzip
import json
import lzma

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from datasets import checking, kept
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from operations.progress import JobCancelled
from tests.datasets.releasing import make_check
from tests.factories import make_campaign, make_user
from tests.shared import shared_data

PAGE = "datasets:checks"


@pytest.fixture
def mia(db, sign_in):
    make_campaign(manager=make_user(username="mia"))
    return sign_in("mia")


def line(number, claim, source, parent=None):
    return {"id": number, "claim": claim, "label": "SUPPORTS", "evidence": [],
            "source": source, "mutated_from": parent}  # fmt: skip


TRAIN = [line(1, "The bridge opened in May.", "T2020_1"), line(2, "It is long.", "T2021_4", 1)]
DEV = [line(3, "It is short.", "T2020_2"), line(2, "It is long!", "T2022_1", 1)]


def files(**splits):
    return [
        ContentFile("".join(json.dumps(row) + "\n" for row in rows).encode(), f"{name}.jsonl")
        for name, rows in splits.items()
    ]


def run_next_job():
    run_job(claim_next_job(worker="test"))


def check(client, chosen):
    """Upload, let the job run, the page of the report."""
    response = client.post(reverse(PAGE), {"files": chosen})
    run_next_job()
    return client.get(response["Location"])


def test_leaks_of_each_kind_are_counted_with_examples(mia):
    page = check(mia, files(train=TRAIN, dev=DEV))

    counts = {str(words): n for words, n, _ in page.context["leaks"]}
    assert counts == {
        "source paragraphs": 0, "source articles": 1, "initial claims": 1, "claim ids": 1,
        "equal texts": 1, "pairs of near-duplicate texts": 0,
        "cited articles, of claims without a source": 0,
        "cited articles that are another claim's source": 0,
    }  # fmt: skip
    assert "T2020 (train, dev)" in page.content.decode()


def test_published_ctkfacts_shares_one_article(mia):
    paths = [
        shared_data("ctkfacts", "fever_ctkId", f"{split}.jsonl.gz")
        for split in ("train", "validation")
    ]

    page = check(mia, [ContentFile(path.read_bytes(), path.name) for path in paths])

    report = page.context["report"]
    lines = [len(gzip.decompress(path.read_bytes()).splitlines()) for path in paths]
    assert report["counts"] == dict(zip(("train", "validation"), lines, strict=True))
    assert report["leaks"]["source_article"] == 1
    assert report["examples"]["source_article"][0]["value"] in page.content.decode()


def test_the_files_go_when_they_were_read_and_the_report_stays(mia):
    check(mia, files(train=TRAIN, dev=DEV))

    folder = kept.folder_of(checking.JOB, Job.objects.get().key)
    assert [path.name for path in folder.iterdir()] == [kept.REPORT]


def test_a_check_that_is_run_twice_ends_the_same(mia):
    check(mia, files(train=TRAIN, dev=DEV))
    job = Job.objects.get()

    again = checking.check_job(lambda *_: None, **job.arguments)

    assert again == job.result


@pytest.mark.parametrize(("n", "told"), [(1, "This is 1 file"), (4, "These are 4 files")])
def test_two_or_three_files_are_needed(mia, n, told):
    chosen = files(**{f"split{number}": TRAIN for number in range(n)})

    html = mia.post(reverse(PAGE), {"files": chosen}).content.decode()

    assert f"{told}; choose two or three." in html
    assert not Job.objects.exists()


def test_a_broken_line_is_named_without_the_servers_folders(mia):
    chosen = [*files(train=TRAIN), ContentFile(b'{"id": 1, "claim": \n', "dev.jsonl")]

    html = check(mia, chosen).content.decode()

    assert "dev.jsonl" in html
    assert str(kept.folder_of(checking.JOB, "")) not in html
    assert Job.objects.get().state == Job.State.FAILED


def test_half_characters_of_ids_and_texts_are_shown_as_no_characters(mia):
    half = line(1, "It opened in May \ud83c.", "T2020_\ud83c")

    page = check(mia, files(train=[half], dev=[half | {"id": 2}]))

    assert page.context["report"]["leaks"]["source_paragraph"] == 1
    assert "t2020_\ufffd" in page.content.decode().lower()
    key = Job.objects.get().key
    report = mia.get(reverse("api:split-check", args=[key])).json()["report"]
    assert report["examples"]["source_paragraph"][0]["value"] == "T2020_\ufffd"


def test_a_check_can_be_cancelled_and_its_files_go(mia):
    job = make_check(by=make_user(username="mia"))

    html = mia.post(reverse("datasets:cancel-check", args=[job.key]), follow=True).content.decode()

    assert "The check was cancelled." in html
    assert not kept.folder_of(checking.JOB, job.key).exists()


def test_a_check_that_is_cancelled_at_its_end_leaves_no_report(mia):
    job = make_check(by=make_user(username="mia"))

    def cancelled_at_the_end(done, total, message=""):
        if done >= total:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        checking.check_job(cancelled_at_the_end, **job.arguments)
    assert kept.report_of(checking.JOB, job.key) is None


def test_a_check_can_be_cancelled_while_it_reads_and_compares(mia, monkeypatch):
    monkeypatch.setattr("datasets.files.BETWEEN", 1)
    job = make_check(by=make_user(username="mia"))
    told = []

    checking.check_job(lambda *step: told.append(step), **job.arguments)

    assert sum(message.endswith("claims were read") for _, _, message in told) >= 2
    comparing = [(done, total) for done, total, message in told if message == "Comparing"]
    assert len(comparing) > 2
    assert all(done < total for done, total in comparing)


def test_small_files_that_unpack_to_large_ones_are_refused(mia, monkeypatch):
    monkeypatch.setattr(kept, "MOST_UNPACKED", 1_000_000)
    half = lzma.compress(b" " * 600_000)

    check(mia, [ContentFile(half, f"{name}.jsonl.xz") for name in ("train", "dev")])

    assert Job.objects.get().error == (
        "The files have more than 1 MB together once they are unpacked; give a part of them."
    )


def test_the_files_of_a_check_that_failed_are_swept_up(mia):
    check(mia, [*files(train=TRAIN), ContentFile(b'{"id": 1, "claim": \n', "dev.jsonl")])
    failed, waiting = Job.objects.get(), make_check(by=make_user(username="mia"))

    checking.sweep_checks()

    assert not kept.folder_of(checking.JOB, failed.key).exists()
    assert kept.folder_of(checking.JOB, waiting.key).exists()


def test_files_without_a_job_are_swept_up_when_no_upload_can_be_on_its_way(mia, monkeypatch):
    folder = kept.folder_of(checking.JOB, "abc")
    folder.mkdir(parents=True)

    checking.sweep_checks()
    assert folder.exists()

    monkeypatch.setattr(kept, "STORING", -1)
    checking.sweep_checks()
    assert not folder.exists()


def test_the_card_asks_again_until_the_report_is_there(mia):
    make_check(by=make_user(username="mia"))
    address = reverse("datasets:check", args=[Job.objects.get().key])

    waiting = mia.get(address, headers={"HX-Request": "true"}).content.decode()
    run_next_job()
    done = mia.get(address, headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in waiting
    assert 'hx-trigger="every 2s"' in waiting
    assert "every 2s" not in done


def test_a_report_that_is_gone_says_so(mia, monkeypatch):
    check(mia, files(train=TRAIN, dev=DEV))
    monkeypatch.setattr(kept, "KEPT", -1)

    checking.sweep_checks()

    address = reverse("datasets:check", args=[Job.objects.get().key])
    assert "this one is gone" in mia.get(address).content.decode()


def test_who_manages_nothing_may_not_ask(mia, sign_in):
    make_user(username="eve")
    eve = sign_in("eve")

    assert eve.get(reverse(PAGE)).status_code == 404
    assert eve.post(reverse(PAGE), {"files": files(train=TRAIN, dev=DEV)}).status_code == 404


def test_others_do_not_see_a_check(mia, sign_in):
    job = make_check(by=make_user(username="mia"))
    make_campaign(slug="autumn", manager=make_user(username="noa"))
    noa = sign_in("noa")

    assert noa.get(reverse("datasets:check", args=[job.key])).status_code == 404
    assert noa.get(reverse("api:split-check", args=[job.key])).status_code == 404
    assert noa.post(reverse("datasets:cancel-check", args=[job.key])).status_code == 404


def test_splits_are_checked_over_the_api(mia):
    splits = [{"name": "train", "records": TRAIN}, {"name": "dev", "records": DEV}]

    job = mia.post(reverse("api:split-checks"), {"splits": splits}, content_type="application/json")
    before = mia.get(reverse("api:split-check", args=[job.json()["key"]])).json()
    run_next_job()
    after = mia.get(reverse("api:split-check", args=[job.json()["key"]])).json()

    assert job.status_code == 202
    assert before["report"] is None
    assert after["job"]["state"] == "done"
    assert after["report"]["leaks"]["source_article"] == 1
    assert after["report"]["counts"] == {"train": 2, "dev": 2}
