"""Releases: what is in them, that they never change, that they come out the same again."""

import json
from hashlib import sha256
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.models import Event
from annotation.models import Campaign
from corpus.models import Corpus
from datasets.doctor import files_of_releases
from datasets.folders import new_folder
from datasets.models import Release
from datasets.releases.options import ReleaseOptions
from datasets.releases.services import (
    changed_files,
    run_release,
    start_release,
    sweep_releases,
    unfinished_jobs_of,
)
from operations.jobs import cancel_job, claim_next_job, run_job
from operations.models import Job
from tests.datasets.builders import label, labelled
from tests.datasets.releasing import DAY, R, S, make_labelled_campaign, make_release
from tests.factories import make_user

SPLIT = "train=0.5,dev=0.25,test=0.25"

pytestmark = pytest.mark.django_db


@pytest.fixture
def made():
    """(campaign, wave) with twelve claims."""
    return make_labelled_campaign()


def start(campaign, name="1.0.0", **options):
    options = ReleaseOptions(**{"date": DAY, **options})
    return start_release(campaign=campaign, name=name, options=options, by=make_user())


def run_next_job():
    run_job(claim_next_job(worker="test"))


def test_every_file_has_the_hash_that_the_release_lists(made):
    release = make_release(made[0], split=SPLIT, formats=("fever", "raw"))

    files = [path for path in release.folder.rglob("*") if path.is_file()]
    found = {
        str(path.relative_to(release.folder)): sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    assert found == release.hashes
    assert {
        "README.md", "card.html", "croissant.json", "figures.json", "cues.json", "release.json",
        "data/ctkfacts/train.jsonl", "data/fever/test.jsonl", "data/raw/all.jsonl",
    } <= set(found)  # fmt: skip


def test_what_went_in_is_written_down(made):
    contents = make_release(made[0], seed=7, own="vote", licence="CC BY-SA 4.0").contents

    assert contents["n_claims"] == 12
    assert contents["labels"] == {"all": {"NOT ENOUGH INFO": 3, "REFUTES": 3, "SUPPORTS": 6}}
    assert contents["settings"]["seed"] == 7
    assert contents["policies"]["own"] == "vote"
    assert contents["waves"][0]["name"] == "First wave"
    assert contents["licences"] == {
        "labels": "CC BY-SA 4.0", "texts": "CC BY 4.0", "publishes_text": False,
        "publishes_cited": False,
    }  # fmt: skip


def test_agreement_stands_with_its_n_and_interval(made):
    contents = make_release(made[0]).contents

    alpha = contents["figures"][0]
    assert alpha["name"] == "alpha"
    assert alpha["n"] == 12
    assert alpha["ci"][0] < alpha["value"] < alpha["ci"][1]
    # By hand: 30 labels (15 S, 9 R, 6 N); six claims of two and one differ, each by 4 / (3 - 1).
    assert alpha["value"] == pytest.approx(1 - 29 * 12 / (30**2 - 15**2 - 9**2 - 6**2))


def test_every_measure_that_is_defined_stands_with_its_interval(made):
    rows = make_release(made[0]).contents["figures"]

    without = [row["name"] for row in rows if row["value"] is not None and row["ci"] is None]
    assert without == []
    assert len([row for row in rows if row["ci"]]) >= 15
    for row in rows:
        if row["ci"]:
            assert row["ci"][0] - 1e-9 <= row["value"] <= row["ci"][1] + 1e-9


def test_who_did_what_is_counted_and_nobody_is_named(made):
    release = make_release(made[0])
    done = release.contents["contributions"]

    assert (done["writers"], done["annotators"], done["curators"]) == (1, 3, 0)
    assert done["annotations"] == {"cross": 30}
    assert done["source_articles"] == 12
    assert (done["median_labels"], done["largest_share"]) == (12.0, 0.4)
    for path in release.folder.rglob("*.json*"):
        assert not {"ben", "cyn", "dan", "ada"} & set(path.read_text().split('"'))


def test_annotators_are_numbered_by_how_much_they_did(made):
    figures = json.loads((make_release(made[0]).folder / "figures.json").read_text())

    assert figures["annotators"] == {"annotator 1": 12, "annotator 2": 12, "annotator 3": 6}
    assert set(figures["leave_one_out"]) == set(figures["annotators"])
    assert not {"people", "share_right"} & set(figures)


def test_the_same_data_gives_the_same_hashes(made):
    options = {"split": SPLIT, "formats": ("fever", "nli", "raw"), "seed": 3}

    first = make_release(made[0], **options)

    assert changed_files(release=first) == {"rebuilt": [], "kept": []}


def test_files_of_another_version_are_compared_with_what_they_were_only(made, monkeypatch):
    campaign, wave = made
    monkeypatch.setattr("datasets.releases.make.VERSION", 1)
    release = make_release(campaign)
    labelled(wave, S)

    assert changed_files(release=release) == {"rebuilt": [], "kept": []}
    (release.folder / "README.md").write_text("changed")
    assert changed_files(release=release) == {"rebuilt": [], "kept": ["README.md"]}


def test_a_retrieval_set_keeps_its_folder_in_a_release(made):
    Corpus.objects.update(publishes_text=True)
    release = make_release(Campaign.objects.get(), formats=("beir",), split=SPLIT)

    (table,) = [file for file in release.contents["files"] if file["name"].endswith("/test.tsv")]
    assert (table["name"], table["split"]) == ("data/beir/qrels/test.tsv", "test")
    assert release.path_of("data/beir/qrels/test.tsv").is_file()
    assert list(files_of_releases()) == []
    assert changed_files(release=release) == {"rebuilt": [], "kept": []}


def test_a_label_more_or_a_touched_file_is_noticed(made):
    campaign, wave = made
    release = make_release(campaign)
    with (release.folder / "README.md").open("a") as file:
        file.write("changed\n")
    labelled(wave, S)

    changed = changed_files(release=release)

    assert changed["kept"] == ["README.md"]
    assert "data/ctkfacts/all.jsonl" in changed["rebuilt"]


@pytest.mark.parametrize("how", ["save", "update"])
def test_the_database_refuses_every_change(made, how):
    release = make_release(made[0])
    release.name = "2.0.0"

    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        release.save() if how == "save" else Release.objects.update(name="2.0.0")

    assert Release.objects.get().name == "1.0.0"


def test_a_name_is_given_once_whatever_its_case(made):
    make_release(made[0], "Spring")

    with pytest.raises(ValidationError, match="never change"):
        make_release(made[0], "SPRING")
    assert Release.objects.count() == 1


def test_a_job_makes_the_release(made):
    start(made[0])
    run_next_job()

    job, release = Job.objects.get(), Release.objects.get()
    assert job.state == Job.State.DONE
    assert job.result["claims"] == 12
    assert release.created_by == make_user()
    assert set(Event.objects.values_list("verb", flat=True)) >= {"started release", "made release"}


def test_two_releases_of_one_name_are_not_made_at_once(made):
    start(made[0])

    with pytest.raises(ValidationError, match="being made"):
        start(made[0])
    assert unfinished_jobs_of(made[0]).count() == 1


def test_a_cancelled_release_leaves_nothing(made, settings):
    job = start(made[0])
    claimed = claim_next_job(worker="test")
    cancel_job(job=job)

    run_job(claimed)

    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert not Release.objects.exists()
    key = job.arguments["key"]
    assert not [path for path in (settings.DATA_DIR / "releases").iterdir() if key in path.name]


def test_a_worker_killed_before_the_row_was_written_ends_the_same(made, monkeypatch):
    campaign, wave = made
    key, options = uuid4().hex, ReleaseOptions(date=DAY)
    arguments = {"campaign": campaign, "name": "1.0.0", "options": options, "key": key}

    with monkeypatch.context() as patch:
        patch.setattr("datasets.releases.services.store_release", killed)
        with pytest.raises(KeyboardInterrupt):
            run_release(**arguments)
    labelled(wave, R)
    release = run_release(**arguments)

    assert release.contents["n_claims"] == 12
    assert run_release(**arguments) == release


def killed(*_):
    raise KeyboardInterrupt


def test_a_folder_of_nobody_is_swept_away_and_a_release_is_kept(made, monkeypatch):
    release = make_release(made[0])
    parent = release.folder.parent
    whole, half = parent / uuid4().hex, parent / f".{uuid4().hex}.partial-12345678"
    whole.mkdir()
    half.mkdir()
    monkeypatch.setattr("datasets.folders.GRACE", -1)

    with new_folder(parent / uuid4().hex) as being_written:
        sweep_releases()
        assert being_written.is_dir()

    assert not whole.exists()
    assert not half.exists()
    assert release.folder.is_dir()


def test_later_labels_do_not_reach_a_release(made):
    campaign, wave = made
    release = make_release(campaign)
    item = wave.items.order_by("pk").first()

    label(item, "eve", R)
    labelled(wave, S)

    assert len((release.folder / "data/ctkfacts/all.jsonl").read_text().splitlines()) == 12
    assert Release.objects.get().contents["n_claims"] == 12


def test_splits_say_what_leaks_between_them(made):
    contents = make_release(made[0], split=SPLIT).contents

    assert contents["leaks"]["counts"] == {"train": 6, "dev": 3, "test": 3}
    assert contents["leaks"]["leaks"]["source_article"] == 0


def test_how_far_labels_of_a_split_are_off_is_told(made, sign_in):
    make_user(username="mia", is_superuser=True)
    release = make_release(made[0], split="train=0.5,dev=0.5", seed=1)
    deviation = release.contents["leaks"]["deviation"]["dev"]

    card = (release.folder / "README.md").read_text()
    page = sign_in("mia").get(reverse("datasets:release", args=[release.pk])).content.decode()

    assert "| Largest difference of a label's share |" in card
    assert f"| 6 | {100 * deviation:.1f} % |" in card
    assert f"<dt>Labels of dev off by at most</dt><dd>{100 * deviation:.1f} percentage" in page


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("one release", {}, "cannot name a release"),
        ("1", {"date": "soon"}, "2026-01-31"),
        ("1", {"formats": ("xml",)}, "no format"),
        ("1", {"waves": ("Tenth",)}, "no wave"),
        ("1", {"url": "javascript:alert(1)"}, "https://"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_job_is_queued(made, name, options, message):
    with pytest.raises(ValidationError, match=message):
        start(made[0], name, **options)
    assert not Job.objects.exists()


def test_doctor_names_files_that_are_gone_or_of_another_size(made):
    release = make_release(made[0])
    assert list(files_of_releases()) == []

    (release.folder / "cues.json").unlink()
    with (release.folder / "README.md").open("a") as file:
        file.write("!")

    found = [line.partition(": ")[2] for line in files_of_releases()]
    size = (release.folder / "README.md").stat().st_size
    assert found == [f"README.md has {size} bytes instead of {size - 1}", "cues.json is missing"]
