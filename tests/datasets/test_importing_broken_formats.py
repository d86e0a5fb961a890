"""Malformed input of each format, by command and by page: one clear line, nothing stored."""

import html
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign, Claim, Wave
from datasets.models import DatasetImport
from datasets.options import FORMATS
from tests.datasets.importing import make_target
from tests.datasets.reading import write_lines
from tests.datasets.test_importing_pages import post, run_next_job, see, upload
from tests.factories import make_member

pytestmark = pytest.mark.django_db
S = "SUPPORTS"
CLAIM = {"id": 1, "claim": "It opened.", "label": S}
PASSAGE = {"claim_id": 1, "claim": "It opened.", "wiki_page": "a", "wiki_passage": 1}
# {format of an export: (the format that it is read as, a broken line, what is said of it)}
BROKEN = {
    "fever": ("fever", {**CLAIM, "evidence": [[[1, 2, "Oslo"]]]},
              "an evidence item is [1, 2, 'Oslo']; it has four values or more"),
    "csfever": ("csfever", {**CLAIM, "claim_en": "It did.", "evidence": [[[1, 2, 7, 0, "T"]]]},
                "a page is 7; it is a text"),
    "ctkfacts": ("ctkfacts", {**CLAIM, "evidence": [["a_1", 5]]},
                 "a paragraph's id is 5; it is a text"),
    "ctkfacts_fever": ("ctkfacts", {**CLAIM, "evidence": [[[1001, 1001]]], "source": "a_1"},
                       "an evidence item is [1001, 1001]; it has four values or more"),
    "nli": ("nli", {**CLAIM, "evidence": 5}, "an evidence set is 5; it is a list"),
    "scifact": ("scifact", {**CLAIM, "cited_doc_ids": [1], "evidence": []},
                "evidence is []; it is an object"),
    "feverous": ("feverous", {**CLAIM, "evidence": [{"content": ["Oslo"]}]},
                 "an element is 'Oslo'; it names a page and a part of it"),
    "ambifc": ("ambifc", {**PASSAGE, "passage_annotations": [{"worker": "w", "label": "yes"}]},
               "label is 'yes'; it is none of three"),
    "averitec": ("averitec", {"claim": "It opened.", "claim_date": "2020-10-09"},
                 "claim_date is '2020-10-09'; it is dd-mm-yyyy"),
    "claims": ("claims", {"id": 1, "label": S}, "there is no claim; the fields are id, label"),
    "claims_csv": ("claims", "1,It opened.,SUPPORTS,more",
                   "the record has 4 fields where the header has 3; check its quotes"),
}  # fmt: skip
WRITTEN_ONLY = ("beir", "raw")


@pytest.fixture
def campaign():
    campaign = make_target()
    make_member(campaign, "mia", role="manager")
    return campaign


def broken_file(folder, format):
    """(path, reader) of a file whose second line is broken."""
    reader, line, _reason = BROKEN[format]
    if isinstance(line, str):
        return write_lines(folder, "id,claim,label", line, name="broken.csv"), reader
    whole = {"id": 9, "claim": "It closed.", "claim_id": 9, "wiki_page": "a", "wiki_passage": 2}
    return write_lines(folder, whole, line, name="broken.jsonl"), reader


def nothing_is_stored():
    return not Claim.objects.exists() and not Wave.objects.exists()


def test_every_format_is_broken_here():
    assert {*BROKEN, *WRITTEN_ONLY} == {*FORMATS, "averitec"}


@pytest.mark.parametrize("format", BROKEN)
def test_the_command_says_in_one_line_what_is_broken(tmp_path, format):
    path, reader = broken_file(tmp_path, format)
    out, err = StringIO(), StringIO()

    with pytest.raises(CommandError, match=r"^Nothing was stored: 1 line cannot be used\.$"):
        call_command("import_dataset", "new", str(path), "--format", reader, "--language", "en",
                     stdout=out, stderr=err)  # fmt: skip

    (said,) = [line for line in err.getvalue().splitlines() if "in the corpus" not in line]
    assert re.match(rf"{path.name}:2:\d+: {re.escape(BROKEN[format][2])}", said)
    assert nothing_is_stored()
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("format", BROKEN)
def test_the_page_says_in_one_line_what_is_broken(campaign, sign_in, tmp_path, format):
    path, reader = broken_file(tmp_path, format)
    mia = sign_in("mia")

    upload(mia, campaign, path, format=reader)
    run = DatasetImport.objects.get()
    run_next_job()

    assert BROKEN[format][2] in see(mia, run)
    assert "These files cannot be imported as they are" in post(mia, "start-import", run)
    assert nothing_is_stored()


@pytest.mark.parametrize("format", WRITTEN_ONLY)
def test_what_is_only_written_is_no_format_of_an_import(campaign, sign_in, tmp_path, format):
    path = write_lines(tmp_path, {"_id": "1", "text": "It opened."})

    with pytest.raises(CommandError, match=f"invalid choice: '{format}'"):
        call_command("import_dataset", "spring", str(path), "--format", format)
    page = html.unescape(upload(sign_in("mia"), campaign, path, format=format).content.decode())

    assert f"{format} is not one of the available choices" in page
    assert not DatasetImport.objects.exists()
    assert nothing_is_stored()
