"""Evidence sets that contain another one: kept, and left out on request."""

import json
from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.urls import reverse

from datasets.exporting import export_to
from datasets.models import Export
from datasets.options import WITHOUT_SETS, ExportOptions
from operations.models import Job
from tests.datasets.builders import label, make_item_of
from tests.datasets.importing import import_lines, make_target
from tests.datasets.releasing import make_release
from tests.datasets.test_release_pages import CHOSEN
from tests.factories import make_campaign, make_claim, make_member, make_wave, paragraph_of

pytestmark = pytest.mark.django_db
S = "SUPPORTS"


@pytest.fixture
def campaign():
    """A claim for which ben cites two paragraphs together, and cyn one of them."""
    campaign = make_target()
    wave = make_wave(campaign)
    article = campaign.corpus.articles.get(external_id="a")
    first, second = paragraph_of(article, 1), paragraph_of(article, 2)
    item = make_item_of(make_claim(wave, "It opened.", source=first), wave)
    label(item, "ben", S, [first, second])
    label(item, "cyn", S, [second])
    return campaign


def evidence_in(folder, name="all.jsonl"):
    return json.loads((folder / name).read_text().splitlines()[0])["evidence"]


@pytest.mark.parametrize(
    ("arguments", "evidence"), [([], [["a_1", "a_2"], ["a_2"]]), (["--drop-supersets"], [["a_2"]])]
)
def test_the_command_leaves_them_out_only_when_asked(campaign, tmp_path, arguments, evidence):
    out = StringIO()
    output = ["--format", "ctkfacts", "--output", str(tmp_path / "out"), "--json"]

    call_command("export_dataset", "spring", *output, *arguments, stdout=out, stderr=StringIO())

    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert evidence_in(tmp_path / "out") == evidence
    assert manifest["policies"]["drop_supersets"] is bool(arguments)
    assert json.loads(out.getvalue())["left_out"].get("sets_supersets", 0) == len(arguments)


def test_the_page_and_the_api_ask_for_it(campaign, sign_in):
    make_member(campaign, "mia", role="manager")
    mia = sign_in("mia")
    chosen = {"format": "fever", "own": "never", "conditional": "nei", "ties": "leave-out",
              "oversized": "train", "seed": 0, "drop_supersets": "on"}  # fmt: skip

    mia.post(reverse("datasets:exports", args=["spring"]), chosen)
    sent = {"format": "ctkfacts", "drop_supersets": True}
    mia.post(reverse("api:exports", args=["spring"]), sent, content_type="application/json")

    assert [each.options["drop_supersets"] for each in Export.objects.all()] == [True, True]
    page = mia.get(reverse("datasets:export", args=[Export.objects.first().pk]))
    assert "Evidence sets that contain another one" in page.content.decode()


def test_what_a_file_said_of_the_sets_that_stay_is_still_theirs(tmp_path):
    campaign = make_campaign(slug="real", corpus=None)
    claim = {"id": 5, "verifiable": "VERIFIABLE", "label": S, "claim": "It is.",
             "evidence": [[[71, 72, "b", 1], [71, 73, "x", 4]], [[74, 75, "b", 1]]]}  # fmt: skip
    import_lines(tmp_path, campaign, claim, format="fever", language="en")

    options = ExportOptions(format="fever", drop_supersets=True)
    export_to(tmp_path / "out", campaign=campaign, options=options)

    assert evidence_in(tmp_path / "out") == [[[74, 75, "b", 1]]]


@pytest.mark.parametrize("format", WITHOUT_SETS)
def test_formats_without_merged_sets_refuse_it(campaign, tmp_path, format):
    options = ExportOptions(format=format, drop_supersets=True)

    with pytest.raises(ValidationError, match="no merged evidence sets"):
        export_to(tmp_path / "out", campaign=campaign, options=options)


def test_a_release_names_it_only_where_it_was_asked_for(campaign, sign_in, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    kept = make_release(campaign, "1.0.0", formats=("raw", "nli"))
    dropped = make_release(campaign, "2.0.0", formats=("raw", "nli"), drop_supersets=True)

    assert "drop_supersets" not in kept.contents["settings"]
    assert dropped.contents["settings"]["drop_supersets"] is True
    assert evidence_in(kept.folder, "data/ctkfacts/all.jsonl") == [["a_1", "a_2"], ["a_2"]]
    assert evidence_in(dropped.folder, "data/ctkfacts/all.jsonl") == [["a_2"]]


def test_the_page_of_releases_asks_for_it(campaign, sign_in):
    make_member(campaign, "mia", role="manager")
    address = reverse("datasets:releases", args=["spring"])

    sign_in("mia").post(address, {**CHOSEN, "drop_supersets": "on"})

    job = Job.objects.get(kind="release")
    assert job.arguments["options"]["drop_supersets"] is True
