"""Uploads of datasets: the report first, then the import; and one claim with its evidence."""

import html
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import connection
from django.db.models.signals import pre_delete
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Claim, Wave, WaveItem
from datasets.importing.uploads import (
    KEPT,
    discard,
    read_again,
    start_import,
    sweep_datasets,
)
from datasets.models import DatasetImport
from operations.jobs import cancel_job, claim_next_job, run_job
from operations.models import Job
from tests.annotation.pages import HTMX, read
from tests.datasets.importing import (
    import_lines,
    line,
    make_dataset_import,
    make_target,
)
from tests.datasets.reading import write_lines
from tests.factories import make_campaign, make_member, make_user, make_wave


@pytest.fixture
def campaign(db):
    campaign = make_target()
    make_member(campaign, "mia", role="manager")
    return campaign


@pytest.fixture
def mia(campaign, sign_in):
    return sign_in("mia")


def run_next_job():
    job = claim_next_job(worker="test")
    run_job(job)
    job.refresh_from_db()
    return job


def upload(client, campaign, path, **chosen):
    with path.open("rb") as file:
        data = {"files": file, "format": "ctkfacts", "wave": "", "language": "", "lines": ""}
        address = reverse("datasets:imports", args=[campaign.slug])
        return client.post(address, {**data, **chosen}, follow=True)


def see(client, run):
    return html.unescape(client.get(reverse("datasets:import", args=[run.pk])).content.decode())


def post(client, name, run):
    answer = client.post(reverse(f"datasets:{name}", args=[run.pk]), follow=True)
    return html.unescape(answer.content.decode())


def test_an_upload_is_reported_and_stored_only_when_asked(campaign, mia, tmp_path):
    path = write_lines(tmp_path, line(7, "SUPPORTS", ["a_1"], ["lost_1"]), line(8))

    upload(mia, campaign, path)
    run = DatasetImport.objects.get()
    run_next_job()
    reported = see(mia, run)

    assert "Import these files?" in reported
    assert "lost_1" in reported
    assert not Claim.objects.exists()
    post(mia, "start-import", run)
    run_next_job()
    done = see(mia, run)
    assert "7: Claim 7." in done
    assert Claim.objects.count() == 2
    run.refresh_from_db()
    assert (run.state, run.wave) == ("complete", Wave.objects.get())
    assert not run.folder.exists()


def test_broken_lines_are_shown_and_cannot_be_stored(campaign, mia, tmp_path):
    upload(mia, campaign, write_lines(tmp_path, line(7), '{"id": 8,'))
    run = DatasetImport.objects.get()
    run_next_job()

    shown = see(mia, run)

    assert "These files cannot be imported as they are" in shown
    assert "no JSON: expecting property name" in shown
    assert "cannot be imported as they are" in post(mia, "start-import", run)
    assert not Job.objects.filter(kind="import-dataset").exists()


def test_what_became_wrong_after_the_report_stores_nothing(campaign, mia, tmp_path):
    run = make_dataset_import(campaign, line(7, text="It opened."))
    run_next_job()
    import_lines(tmp_path, campaign, line(7, text="It closed."))
    run.refresh_from_db()
    start_import(run=run, by=None)

    job = run_next_job()

    assert job.state == "failed"
    assert "1 line cannot be used" in job.error
    assert "belongs to another claim of the campaign: It closed." in see(mia, run)
    assert Claim.objects.get().text == "It closed."


def test_an_import_whose_worker_died_is_done_once(campaign):
    run = make_dataset_import(campaign, line(7, "SUPPORTS", ["a_1"]))
    run_next_job()
    run.refresh_from_db()
    start_import(run=run, by=None)
    job = claim_next_job(worker="dead")
    run_job(job)
    Job.objects.filter(pk=job.pk).update(state="queued", ended_at=None, worker="")

    assert run_next_job().state == "done"
    assert Annotation.objects.count() == 1


def test_a_job_that_was_cancelled_stores_nothing_and_may_start_again(campaign, mia):
    run = make_dataset_import(campaign, line(7))
    run_next_job()
    run.refresh_from_db()
    start_import(run=run, by=None)
    job = claim_next_job(worker="test")
    cancel_job(job=job)

    run_job(job)

    job.refresh_from_db()
    assert job.state == "cancelled"
    assert not Claim.objects.exists()
    post(mia, "start-import", run)
    assert run_next_job().state == "done"
    assert Claim.objects.count() == 1


def test_a_waiting_job_is_cancelled_on_the_page_and_the_files_are_read_again(campaign, mia):
    run = make_dataset_import(campaign, line(7))

    cancelled = post(mia, "cancel-import", run)

    assert "The files were not read to their end" in cancelled
    post(mia, "read-import", run)
    assert run_next_job().state == "done"
    assert "Import these files?" in see(mia, run)


def test_an_upload_is_deleted_with_its_files(campaign, mia):
    run = make_dataset_import(campaign, line(7))
    assert "cancel its job first" in post(mia, "discard-import", run)
    run_next_job()

    assert "nothing of it was stored" in post(mia, "discard-import", run)

    assert not DatasetImport.objects.exists()


def test_the_sweep_deletes_uploads_that_nobody_imported(
    campaign, django_capture_on_commit_callbacks
):
    old, new = make_dataset_import(campaign), make_dataset_import(campaign)
    run_next_job()
    made = old.created_at - KEPT * 2
    DatasetImport.objects.filter(pk=old.pk).update(created_at=made)

    with django_capture_on_commit_callbacks(execute=True):
        sweep_datasets()

    assert DatasetImport.objects.get() == new
    assert (old.folder.exists(), new.folder.exists()) == (False, True)


def test_the_sweep_leaves_an_upload_whose_import_starts_meanwhile(campaign):
    started, old = make_dataset_import(campaign), make_dataset_import(campaign)
    run_next_job()
    run_next_job()
    DatasetImport.objects.update(created_at=old.created_at - KEPT * 2)

    def start(instance, **_):
        if instance.key == old.key:
            start_import(run=started, by=None)

    pre_delete.connect(start, sender=DatasetImport)
    try:
        sweep_datasets()
    finally:
        pre_delete.disconnect(start, sender=DatasetImport)

    assert DatasetImport.objects.get() == started
    assert started.folder.exists()


def test_an_upload_that_was_deleted_meanwhile_is_refused(campaign):
    run = make_dataset_import(campaign)
    run_next_job()
    DatasetImport.objects.all().delete()

    for act in (start_import, read_again, discard):
        with pytest.raises(ValidationError, match="has ended already"):
            act(run=run, by=None)


def test_a_campaign_without_a_corpus_asks_for_the_language(db, sign_in, tmp_path):
    campaign = make_campaign(slug="free", manager=make_user(username="mia"))

    answer = upload(sign_in("mia"), campaign, write_lines(tmp_path, line(7)))

    assert "This field is required" in answer.content.decode()
    assert not DatasetImport.objects.exists()


def test_two_files_of_one_name_are_refused(campaign, mia):
    data = {"files": [ContentFile(b"{}", name="a.jsonl"), ContentFile(b"{}", name="a.jsonl")],
            "format": "fever"}  # fmt: skip

    answer = mia.post(reverse("datasets:imports", args=[campaign.slug]), data)

    assert "Two of the files are called a.jsonl" in answer.content.decode()


def claim_page(client, campaign, number=7):
    address = reverse("datasets:imported-claim", args=[campaign.slug, number])
    return html.unescape(client.get(address).content.decode())


SCIFACT = {
    "id": 7, "claim": "It is short.", "cited_doc_ids": ["a", "lost"], "evidence": {
        "a": [{"sentences": [2], "label": "CONTRADICT"}],
        "lost": [{"sentences": [1], "label": "SUPPORT"}]},
}  # fmt: skip


def test_a_rationale_is_marked_in_its_article(campaign, mia, tmp_path):
    import_lines(tmp_path, campaign, SCIFACT, format="scifact")

    shown = claim_page(mia, campaign)

    assert "It is short." in shown
    assert "<mark>It is long.<sup> 1</sup></mark>" in shown
    assert "The bridge opened in May." in shown
    assert "<mark>The bridge" not in shown
    assert "This text is not in the corpus" in shown
    assert "checkbox" not in shown


def test_no_label_is_shown_to_who_has_yet_to_judge_the_claim(campaign, mia, tmp_path):
    import_lines(tmp_path, campaign, SCIFACT, format="scifact")
    wave = make_wave(campaign, name="Work")
    instance = campaign.claims.get().instances.get()
    item = WaveItem.objects.create(wave=wave, instance=instance, random_key=0.5)
    make_user(username="mia").assignments.create(
        wave=wave, task="T2", item=item, given_at=timezone.now(),
        leased_until=timezone.now() + timedelta(hours=1), shuffle_seed=1,
    )  # fmt: skip

    shown = claim_page(mia, campaign)

    assert "SUPPORTS" not in shown
    assert "It is short." in shown


def test_lost_evidence_is_named(campaign, mia, tmp_path):
    import_lines(tmp_path, campaign, line(7, "SUPPORTS", ["a_1"], ["lost_1", "b_1"], source="z_1"))

    shown = claim_page(mia, campaign)

    assert "lost_1 + b_1" in shown
    assert "Its source z_1 is not in the corpus." in shown
    assert "<mark>The bridge opened in May.<sup> 1</sup></mark>" in shown


def test_the_pages_ask_a_constant_number_of_queries(campaign, mia, tmp_path):
    def queries(get):
        get()
        with CaptureQueriesContext(connection) as caught:
            get()
        return len(caught)

    import_lines(tmp_path, campaign, SCIFACT, format="scifact")
    make_dataset_import(campaign, by=make_user(username="mia"))
    one = queries(lambda: claim_page(mia, campaign))
    listed = queries(lambda: mia.get(reverse("datasets:imports", args=[campaign.slug])))
    more = {**SCIFACT, "id": 8, "cited_doc_ids": ["a", "b"], "evidence": {
        "a": [{"sentences": [0], "label": "SUPPORT"}, {"sentences": [1, 2], "label": "SUPPORT"}],
        "b": [{"sentences": [n], "label": "SUPPORT"} for n in range(3)]}}  # fmt: skip
    import_lines(tmp_path, campaign, more, format="scifact", name="more.jsonl")
    for name in ("mia", "ben", "cyn"):
        make_dataset_import(campaign, by=make_user(username=name))

    assert queries(lambda: claim_page(mia, campaign, 8)) == one
    assert queries(lambda: mia.get(reverse("datasets:imports", args=[campaign.slug]))) == listed


def test_the_card_asks_again_for_itself_until_the_job_ended(campaign, mia, tmp_path):
    upload(mia, campaign, write_lines(tmp_path, line(7, "SUPPORTS", ["a_1"])))
    run = DatasetImport.objects.get()
    address = reverse("datasets:import", args=[run.pk])

    waiting = read(mia.get(address, headers=HTMX))
    run_next_job()
    done = read(mia.get(address, headers=HTMX))

    assert f'hx-get="{address}" hx-trigger="every 2s" hx-swap="outerHTML"' in waiting
    assert "<html" not in waiting
    assert "hx-get" not in done
    assert "Import these files?" in done
    assert "<html" not in done


def test_a_link_chooses_format_and_lines(campaign, mia):
    address = reverse("datasets:imports", args=[campaign.slug])

    form = mia.get(address, {"format": "csfever", "lines": "ranks"}).context["form"]
    other = mia.get(address, {"format": "nothing"})

    assert (form["format"].value(), form["lines"].value()) == ("csfever", "ranks")
    assert "selected" not in str(other.context["form"]["format"])


def test_records_are_sent_over_the_api(campaign, mia):
    address = reverse("api:dataset-imports", args=[campaign.slug])
    sent = {"format": "ctkfacts", "records": [line(7, "SUPPORTS", ["a_1"])], "wave": "Sent"}

    dry = mia.post(address, {**sent, "dry_run": True}, content_type="application/json")
    run_next_job()
    assert dry.status_code == 202
    assert not Claim.objects.exists()
    wet = mia.post(address, sent, content_type="application/json")
    run_next_job()

    told = mia.get(wet.json()["url"]).json()
    assert (told["state"], told["wave"]) == ("complete", "Sent")
    assert (told["report"]["claims_new"], told["job"]["state"]) == (1, "done")
    assert mia.get(dry.json()["url"]).json()["report"]["claims_new"] == 1
    listed = [each["id"] for each in mia.get(address).json()["results"]]
    assert listed == [told["id"], dry.json()["id"]]


def test_options_that_do_not_fit_are_refused_over_the_api(campaign, mia):
    address = reverse("api:dataset-imports", args=[campaign.slug])
    Wave.objects.create(campaign=campaign, name="Work")

    answer = mia.post(address, {"format": "fever", "records": [{}], "wave": "Work"},
                      content_type="application/json")  # fmt: skip

    assert answer.status_code == 400
    assert "is for work" in str(answer.json())
