"""`export_dataset`: what it prints, and what it says about a mistake."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.datasets.builders import labelled
from tests.factories import make_campaign, make_corpus, make_wave

pytestmark = pytest.mark.django_db
S, R = "SUPPORTS", "REFUTES"


@pytest.fixture
def campaign():
    return make_campaign(corpus=make_corpus(publishes_text=True))


@pytest.fixture
def wave(campaign):
    return make_wave(campaign)


def run(*arguments, **options):
    out = StringIO()
    call_command("export_dataset", *arguments, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_the_command_prints_files_splits_and_what_is_left_out(campaign, wave, tmp_path):
    labelled(wave, S)
    labelled(wave, S, R)

    output = ["--output", str(tmp_path / "out")]
    report = json.loads(run("spring", "--format", "fever", *output, "--json"))

    assert set(report) == {"files", "splits", "left_out"}
    assert [(file["name"], file["lines"]) for file in report["files"]] == [("all.jsonl", 1)]
    assert report["splits"] is None
    assert report["left_out"]["tie"] == 1


def test_the_command_says_in_one_line_what_it_wrote(campaign, wave, tmp_path):
    labelled(wave, S)
    labelled(wave, S, R)

    text = run("spring", "--format", "nli", "--output", str(tmp_path / "out"), "--per", "claim")

    assert text == "Lines: all.jsonl 1. Left out: tie 1.\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["autumn"], "There is no campaign 'autumn'; there are: spring."),
        (["spring", "--wave", "Third"], "There is no wave “Third”"),
        (["spring", "--split", "train"], "is not name=size"),
    ],
)
def test_a_mistake_is_one_clear_line(campaign, wave, tmp_path, arguments, reason):
    with pytest.raises(CommandError) as refused:
        run(*arguments, "--format", "fever", "--output", str(tmp_path / "out"))

    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_output_that_cannot_be_written_is_one_clear_line(campaign, wave, tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(CommandError, match="cannot be written"):
        run("spring", "--format", "fever", "--output", str(tmp_path / "file" / "out"))
