"""The pages that localise a dataset: upload, job, losses step by step, archive."""

import io
import lzma
import zipfile
from itertools import count

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from datasets import kept
from datasets.localising.jobs import JOB, OUT, localise_job, sweep_localisations
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from operations.progress import JobCancelled
from tests.annotation.pages import HTMX, read
from tests.datasets.localising import DATASET, TITLES, TRANSLATED, as_lines, uploads
from tests.factories import make_campaign, make_corpus, make_user

PAGE = "datasets:localisations"


@pytest.fixture
def mia(db, sign_in):
    make_campaign(manager=make_user(username="mia"))
    return sign_in("mia")


def chosen(**more):
    settings = {"pages": "fever", "split": "", "group": "article",
                "balanced": "dev,validation,test", "seed": "0"}  # fmt: skip
    return uploads(**{**settings, **more})


def run_next_job():
    job = claim_next_job(worker="test")
    run_job(job)
    job.refresh_from_db()
    return job


def localised(client, **more):
    """Upload, let the job run, the page of what came of it."""
    response = client.post(reverse(PAGE), chosen(**more))
    run_next_job()
    return client.get(response["Location"])


def test_the_losses_are_shown_step_by_step_and_the_files_are_there(mia):
    page = localised(mia)

    text = read(page)
    assert page.context["report"]["steps"][2]["sets"] == 6
    assert "Castle" in text
    assert "Verdicts that lost all of theirs" in text
    key = Job.objects.get().key
    packed = mia.get(reverse("datasets:localisation-archive", args=[key]))
    with zipfile.ZipFile(io.BytesIO(b"".join(packed))) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
    assert names == {"manifest.json", "all.jsonl"}


def test_a_localisation_leads_to_the_import_and_back(mia):
    other = make_campaign(slug="summer", manager=make_user(username="mia"), corpus=make_corpus())
    make_campaign(slug="secret", corpus=other.corpus)
    imports = reverse("datasets:imports", args=["summer"])

    page = read(localised(mia))
    back = read(mia.get(reverse(PAGE)))

    assert f"{imports}?format=csfever&amp;lines=ranks" in page
    assert f'href="{imports}"' in back
    for slug in ("secret", "spring"):  # not managed; without a corpus
        assert reverse("datasets:imports", args=[slug]) not in page + back


def test_splits_and_what_leaks_are_shown(mia):
    page = localised(mia, split="train=0.5,dev=0.5", group="none", balanced="")

    assert "cite an article that another split cites, too" in read(page)


@pytest.mark.parametrize(
    ("split", "balanced"),
    [
        ("train=0.4,validation=0.3,test=0.3", ["validation", "test"]),
        ("train=0.4,dev=0.3,test=0.3", ["dev", "test"]),
        ("a=0.5,b=0.5", []),
    ],
)
def test_the_default_balances_the_splits_that_there_are(mia, split, balanced):
    usual = mia.get(reverse(PAGE)).context["form"]["balanced"].value()

    mia.post(reverse(PAGE), chosen(split=split, balanced=usual))

    assert Job.objects.get().arguments["options"]["balanced"] == balanced


@pytest.mark.parametrize(("text", "balanced"), [("", []), ("test", ["test"])])
def test_the_splits_to_balance_can_be_chosen(mia, text, balanced):
    mia.post(reverse(PAGE), chosen(split="train=0.4,dev=0.3,test=0.3", balanced=text))

    assert Job.objects.get().arguments["options"]["balanced"] == balanced


def test_a_split_to_balance_that_there_is_not_is_named(mia):
    page = mia.post(reverse(PAGE), chosen(split="train=0.5,test=0.5", balanced="dev"))

    assert "There is no split “dev”" in read(page)


def test_a_fault_of_the_files_is_one_line_without_the_servers_folders(mia):
    page = localised(mia, titles=ContentFile(b"source\ttarget\nBridge\n", "titles.tsv"))

    job = Job.objects.get()
    assert job.state == "failed"
    assert job.error.startswith("titles.tsv:2:1: the record has 1 fields")
    assert job.error in read(page).replace("&#x27;", "'")


def test_exchanged_tables_are_told_apart(mia):
    usual = uploads()
    page = localised(mia, titles=usual["translations"], translations=usual["titles"])

    assert "titles and translations seem to be exchanged" in read(page)


def test_without_a_translator_a_file_of_translations_is_asked_for(mia, settings):
    settings.TRANSLATOR = ""
    page = mia.post(reverse(PAGE), {**chosen(), "translations": ""})

    assert "translations" in page.context["form"].errors
    assert not Job.objects.exists()


def test_the_translator_of_the_site_is_asked_where_there_is_no_file(mia, settings):
    settings.TRANSLATOR = "tests.datasets.test_localising.shout"

    page = localised(mia, translations="")

    assert page.context["report"]["translations"]["by"] == "translator"


def test_two_files_of_one_name_are_refused(mia):
    page = mia.post(reverse(PAGE), chosen(titles=ContentFile(b"source\n", "train.jsonl")))

    assert "Two of the files are called train.jsonl" in read(page)


def test_a_job_that_is_cancelled_leaves_no_files(mia):
    mia.post(reverse(PAGE), chosen())
    job = Job.objects.get()

    page = mia.post(reverse("datasets:cancel-localisation", args=[job.key]), follow=True)

    assert "The localisation was cancelled." in read(page)
    assert not kept.folder_of(JOB, job.key).exists()


def test_a_job_that_runs_again_after_a_crash_ends_the_same(mia):
    localised(mia)
    job = Job.objects.get()
    folder = kept.folder_of(JOB, job.key)
    first = kept.report_of(JOB, job.key)
    (folder / kept.REPORT).unlink()
    kept.write_files(folder / "again", chosen_files())
    for path in (folder / "again").iterdir():
        path.rename(folder / path.name)
    (folder / "again").rmdir()

    Job.objects.update(state="queued", ended_at=None)
    again = run_next_job()

    assert (again.state, kept.report_of(JOB, job.key)) == ("done", first)


def test_what_was_written_before_a_crash_is_not_translated_again(mia, settings):
    settings.TRANSLATOR = f"{__name__}.never_alike"
    localised(mia, translations="")
    job = Job.objects.get()
    first = kept.report_of(JOB, job.key)
    (kept.folder_of(JOB, job.key) / kept.REPORT).unlink()

    Job.objects.update(state="queued", ended_at=None)
    again = run_next_job()

    assert (again.state, again.error) == ("done", "")
    assert kept.report_of(JOB, job.key) == first


NUMBERS = count()


def never_alike(texts):
    return [f"{text} {next(NUMBERS)}" for text in texts]


def test_a_localisation_that_is_cancelled_at_its_end_leaves_nothing(mia):
    mia.post(reverse(PAGE), chosen())
    job = Job.objects.get()

    with pytest.raises(JobCancelled):
        localise_job(cancelled_at_the_end, **job.arguments)

    assert not (kept.folder_of(JOB, job.key) / OUT).exists()
    assert kept.report_of(JOB, job.key) is None


def cancelled_at_the_end(done, total, message=""):
    """As `Progress` does for a job of less than a second."""
    if total and done >= total:
        raise JobCancelled


@pytest.mark.parametrize("group", ["article", "none"])
def test_a_localisation_can_be_cancelled_while_its_groups_are_sought(mia, group):
    mia.post(reverse(PAGE), chosen(split="train=0.5,test=0.5", group=group))
    job = Job.objects.get()

    def cancelled(done, total, message=""):
        if message == "Finding what has to stay together" and done:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        localise_job(cancelled, **job.arguments)

    assert kept.report_of(JOB, job.key) is None


@pytest.mark.parametrize("part", ["files", "titles", "translations"])
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(mia, monkeypatch, part):
    monkeypatch.setattr(kept, "MOST_UNPACKED", 1_000_000)
    bomb = ContentFile(lzma.compress(as_lines(DATASET) + b" " * 10**6), "bomb.jsonl.xz")

    localised(mia, **{part: bomb})

    assert Job.objects.get().error.startswith("The files have more than 1 MB together")


def chosen_files():
    return {f.name: f for f in chosen().values() if isinstance(f, ContentFile)}


def test_the_card_asks_again_only_while_the_job_lives(mia):
    location = mia.post(reverse(PAGE), chosen())["Location"]
    waiting = read(mia.get(location, headers=HTMX))
    run_next_job()
    done = read(mia.get(location, headers=HTMX))

    assert "hx-trigger" in waiting
    assert "hx-trigger" not in done
    assert "<html" not in done


def test_somebody_elses_localisation_is_not_there(mia, sign_in):
    localised(mia)
    key = Job.objects.get().key
    make_campaign(slug="autumn", manager=make_user(username="zoe"))
    zoe = sign_in("zoe")

    for name in ("localisation", "localisation-archive"):
        assert zoe.get(reverse(f"datasets:{name}", args=[key])).status_code == 404
    assert sign_in("eve").get(reverse(PAGE)).status_code == 404


def test_the_sweep_keeps_what_is_new(mia):
    localised(mia)
    sweep_localisations()

    assert kept.report_of(JOB, Job.objects.get().key) is not None


# The API

LOCALISATIONS = "/api/v1/localisations/"


def sent(**options):
    return {
        "records": DATASET,
        "titles": [{"source": source, "target": target} for source, target in TITLES],
        "translations": [{"id": number, "claim": text} for number, text in TRANSLATED.items()],
        **options,
    }


def test_a_program_sends_records_and_fetches_the_files(mia):
    job = mia.post(LOCALISATIONS, sent(), content_type="application/json").json()
    address = f"{LOCALISATIONS}{job['key']}/"
    assert mia.get(address).json()["report"] is None
    run_next_job()

    found = mia.get(address).json()
    file = b"".join(mia.get(f"{address}files/all.jsonl"))

    assert (found["job"]["state"], found["report"]["lost"]["no_translation"]) == ("done", 1)
    assert len(file.splitlines()) == 4
    assert mia.get(f"{address}files/titles.jsonl").status_code == 404


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"split": "train"}, "is not name=size"),
        ({"split": "train=0.5,dev=0.5", "balanced": ["test"]}, "There is no split “test”"),
        ({"titles": []}, "titles"),
    ],
)
def test_options_that_do_not_fit_are_refused(mia, options, reason):
    answer = mia.post(LOCALISATIONS, sent(**options), content_type="application/json")

    assert answer.status_code == 400
    assert reason in str(answer.json())
