"""The page of exports: start one, see its files, download them; managers only."""

import io
import json
import os
import time
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Event
from datasets.folders import new_folder
from datasets.models import Export
from datasets.services import run_export
from operations.jobs import claim_next_job, run_job, sweep
from operations.models import Job
from tests.annotation.pages import read
from tests.datasets.builders import labelled, make_export
from tests.factories import make_campaign, make_corpus, make_user, make_wave

S, R = "SUPPORTS", "REFUTES"
CHOSEN = {
    "format": "fever", "own": "never", "conditional": "nei", "ties": "leave-out", "split": "",
    "balanced": "", "oversized": "train", "seed": "3", "evidence": "", "per": "",
}  # fmt: skip


@pytest.fixture
def campaign(db):
    return make_campaign(corpus=make_corpus(), manager=make_user(username="mia"))


@pytest.fixture
def wave(campaign):
    return make_wave(campaign)


@pytest.fixture
def mia(campaign, sign_in):
    return sign_in("mia")


def page(campaign):
    return reverse("datasets:exports", args=[campaign.slug])


def start(client, campaign, **chosen):
    return client.post(page(campaign), {**CHOSEN, **chosen}, follow=True)


def run_next_job():
    run_job(claim_next_job(worker="test"))


def test_an_export_is_started_and_made_by_a_job(campaign, wave, mia):
    labelled(wave, S)
    labelled(wave, S, R)

    waiting = start(mia, campaign).content.decode()
    run_next_job()
    done = mia.get(page(campaign)).content.decode()

    export = Export.objects.get()
    assert "It waits for its turn." in waiting
    assert export.job.state == Job.State.DONE
    assert export.options["seed"] == 3
    assert export.files[0]["sha256"] in done
    assert "claims whose labels tie (1)" in done
    assert Event.objects.filter(verb="started export").count() == 1


def test_texts_of_a_set_may_be_a_list(campaign, wave, mia):
    labelled(wave, S)

    start(mia, campaign, format="nli", is_list="on")
    run_next_job()
    done = read(mia.get(page(campaign)))

    assert Export.objects.get().options["is_joined"] is False
    assert "Texts of an evidence set" in done
    form = start(mia, campaign, is_list="on").context["form"]
    assert "has one kind of lines only" in str(form.errors)


def test_the_same_export_is_not_started_twice(campaign, wave, mia):
    start(mia, campaign)
    start(mia, campaign)
    start(mia, campaign, seed="4")

    assert Export.objects.count() == 2


def test_what_does_not_fit_is_said_on_the_page_and_nothing_is_started(campaign, wave, mia):
    response = start(mia, campaign, split="train=0.8,dev=0.1")

    assert "add up to 0.9" in response.content.decode()
    assert "train=0.8,dev=0.1" in response.content.decode()
    assert not Export.objects.exists()


def test_what_is_found_only_by_the_job_is_said_on_the_card(campaign, wave, mia):
    labelled(wave, S)
    start(mia, campaign, split="train=5,dev=5")

    run_next_job()

    assert "not to the 1 records" in mia.get(page(campaign)).content.decode()
    assert Job.objects.get().state == Job.State.FAILED
    assert not any(Export.objects.get().folder.parent.glob(".*partial*"))


def make_partial(parent, name, *, hours):
    path = parent / f".{name}.partial-12345678"
    path.mkdir(parents=True)
    (path / "all.jsonl").write_text("half")
    os.utime(path, (time.time() - hours * 3600,) * 2)
    return path


def test_the_sweep_deletes_what_a_killed_export_left(campaign, wave, mia):
    labelled(wave, S)
    start(mia, campaign)
    run_next_job()
    export = Export.objects.get()
    left = make_partial(export.folder.parent, "left", hours=2)
    new = make_partial(export.folder.parent, "new", hours=0)
    mine = export.folder.parent / "mine"  # by command, so that no row knows it
    mine.mkdir()
    os.utime(mine, (0, 0))

    with new_folder(export.folder.parent / "written") as written:
        os.utime(written, (0, 0))
        sweep()
        assert written.is_dir()

    assert (left.exists(), new.exists(), mine.exists()) == (False, True, True)
    assert (export.folder / "all.jsonl").is_file()


def test_texts_of_a_proprietary_corpus_are_not_offered(campaign, wave, mia):
    html = mia.get(page(campaign)).content.decode()

    assert "The texts of this corpus are not published." in html
    assert start(mia, campaign, format="nli", evidence="text").context["form"].errors


def test_a_waiting_export_can_be_cancelled(campaign, wave, mia):
    start(mia, campaign)

    response = mia.post(reverse("datasets:cancel-export", args=[Export.objects.get().pk]))

    assert response.status_code == 302
    assert Job.objects.get().state == Job.State.CANCELLED
    assert "cancelled" in mia.get(page(campaign)).content.decode()


def test_the_card_alone_is_drawn_for_htmx_and_asks_again_while_it_is_made(campaign, wave, mia):
    start(mia, campaign)
    address = reverse("datasets:export", args=[Export.objects.get().pk])

    card = mia.get(address, headers={"HX-Request": "true"}).content.decode()
    run_next_job()
    done = mia.get(address, headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in card
    assert 'hx-trigger="every 2s"' in card
    assert "every 2s" not in done
    assert "<html" in mia.get(address).content.decode()


def test_a_file_is_downloaded_as_it_is(campaign, wave, mia):
    labelled(wave, S)
    export = make_export(campaign)

    response = mia.get(reverse("datasets:export-file", args=[export.pk, "all.jsonl"]))

    assert response.streaming
    content = b"".join(response.streaming_content)
    assert content == (export.folder / "all.jsonl").read_bytes()
    assert f'filename="spring-ctkfacts-{export.pk}-all.jsonl"' in response["Content-Disposition"]
    assert response["Content-Type"] == "application/x-ndjson"


@pytest.mark.parametrize("name", ["none.jsonl", "..", ".waiting", "all.jsonl.gz"])
def test_only_the_files_of_an_export_are_downloaded(campaign, wave, mia, name):
    export = make_export(campaign)

    assert mia.get(f"/exports/{export.pk}/files/{name}").status_code == 404


def test_all_files_are_downloaded_as_one_archive(campaign, wave, mia):
    for _ in range(10):
        labelled(wave, S)
    export = make_export(campaign, split="train=0.8,test=0.2")
    address = reverse("datasets:export-archive", args=[export.pk])

    response = mia.get(address)
    content = b"".join(response.streaming_content)

    assert response.streaming
    assert content == b"".join(mia.get(address).streaming_content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        names = [name.rpartition("/")[2] for name in archive.namelist()]
        assert names == ["manifest.json", "train.jsonl", "test.jsonl"]
        manifest = json.loads(archive.read(archive.namelist()[0]))
        assert manifest["files"] == export.files


def test_a_retrieval_set_is_downloaded_with_its_folder(campaign, wave, mia):
    campaign.corpus.publishes_text = True
    campaign.corpus.save()
    labelled(wave, S)
    export = make_export(campaign, format="beir")

    archive = mia.get(reverse("datasets:export-archive", args=[export.pk]))
    content = b"".join(archive.streaming_content)
    alone = mia.get(reverse("datasets:export-file", args=[export.pk, "qrels/all.tsv"]))
    listed = mia.get(reverse("datasets:export", args=[export.pk])).content.decode()

    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert f"{export.name}/qrels/all.tsv" in packed.namelist()
    assert b"".join(alone.streaming_content) == (export.folder / "qrels/all.tsv").read_bytes()
    assert f"/exports/{export.pk}/files/qrels/all.tsv" in listed


def test_an_export_that_is_not_done_has_nothing_to_download(campaign, wave, mia):
    start(mia, campaign)
    export = Export.objects.get()

    for view, more in (("export-archive", []), ("export-file", ["all.jsonl"])):
        assert mia.get(reverse(f"datasets:{view}", args=[export.pk, *more])).status_code == 404


@pytest.mark.parametrize("view", ["exports", "export", "export-archive", "export-file"])
def test_an_outsider_finds_nothing(campaign, wave, sign_in, view):
    export = make_export(campaign)
    arguments = {"exports": ["spring"], "export-file": [export.pk, "all.jsonl"]}
    address = reverse(f"datasets:{view}", args=arguments.get(view, [export.pk]))

    assert sign_in("eve").get(address).status_code == 404


def test_the_page_takes_the_same_queries_for_many_exports(
    campaign, wave, mia, django_assert_num_queries
):
    for _ in range(2):
        make_export(campaign, by=make_user(username="mia"))
    mia.get(page(campaign))
    with CaptureQueriesContext(connection) as few:
        mia.get(page(campaign))
    for _ in range(6):
        make_export(campaign, by=make_user(username="mia"))

    with django_assert_num_queries(len(few)):
        mia.get(page(campaign))


def test_what_a_crashed_job_had_finished_is_taken_as_it_is(campaign, wave, mia):
    labelled(wave, S)
    start(mia, campaign)
    run_next_job()
    export = Export.objects.get()
    files = export.files
    Export.objects.update(files=[])
    labelled(wave, S)

    again = run_export(export=Export.objects.get(), progress=lambda *_: None)

    assert again.files == files
