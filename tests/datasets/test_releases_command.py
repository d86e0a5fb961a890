"""`make_release` and `release_diff`: what they print, and one line for each mistake."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Corpus
from datasets.models import Release
from tests.datasets.builders import labelled
from tests.datasets.releasing import DAY, S, make_labelled_campaign, make_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def made():
    return make_labelled_campaign(n=4)


def run(*arguments, **options):
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_a_release_is_made_and_printed_as_json(made):
    printed = json.loads(run("make_release", "spring", "1.0.0", date=DAY, seed=3, json=True))

    release = Release.objects.get()
    assert printed == {"name": "1.0.0", "sha256": release.sha256, "files": release.hashes}
    assert release.options["seed"] == 3


def first_line(form):
    path = Release.objects.get().folder / f"data/{form}/all.jsonl"
    return json.loads(path.read_text().splitlines()[0])


def test_lines_and_lists_of_a_release_are_those_of_exports(made):
    Corpus.objects.update(publishes_text=True)

    run("make_release", "spring", "1.0.0", format=["fever", "nli"], lines="units", list=True)

    (number,) = {item[3] for group in first_line("fever")["evidence"] for item in group}
    assert number == 0  # the sentence; the paragraph's rank is 1
    assert first_line("nli")["evidence"] == ["The bridge number 0 opened."]
    contents = Release.objects.get().contents
    assert (contents["settings"]["lines"], contents["settings"]["is_joined"]) == ("units", False)
    assert "comes out the same" in run("make_release", "spring", "1.0.0", check=True)


def test_usual_lines_and_texts_are_not_told_among_settings(made):
    settings = make_release(made[0], formats=("fever", "nli")).contents["settings"]

    assert not {"lines", "is_joined", "drop_supersets"} & set(settings)


def test_a_check_that_finds_changes_ends_with_an_error_that_names_them(made):
    make_release(made[0])
    assert "comes out the same" in run("make_release", "spring", "1.0.0", check=True)
    labelled(made[1], S)

    with pytest.raises(CommandError, match=r"otherwise: .*data/ctkfacts/all\.jsonl.*: none"):
        run("make_release", "spring", "1.0.0", check=True)


def test_a_diff_is_one_line_or_json(made):
    make_release(made[0])
    labelled(made[1], S)
    make_release(made[0], "1.1.0")

    line = run("release_diff", "spring", "1.0.0", "1.1.0")
    diff = json.loads(run("release_diff", "spring", "1.0.0", "1.1.0", json=True))

    assert line.startswith("Claims: 4 before, 5 after; added 1, removed 0, relabelled 0")
    assert diff["claims"]["added"][0]["claim"] == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("make_release", "autumn", "1.0.0"), "no campaign 'autumn'"),
        (("make_release", "spring", "a b"), "cannot name a release"),
        (("release_diff", "spring", "1.0.0", "1.1.0"), "no release '1.0.0'; there are: none yet"),
    ],
)
def test_a_mistake_is_one_clear_line(made, arguments, message):
    with pytest.raises(CommandError, match=message):
        run(*arguments)
    assert not Release.objects.exists()
