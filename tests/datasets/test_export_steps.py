"""What annotators did before they answered: searched, opened, ticked; exported on request only."""

import json
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from annotation.giving import ask_for_work
from annotation.models import Annotation, Operation
from datasets.exporting import export_to
from datasets.options import ExportOptions
from tests.datasets.builders import label, make_export, make_item_of
from tests.datasets.importing import import_lines, make_target
from tests.datasets.test_importing_linked import feverous
from tests.factories import make_claim, make_participant, make_wave, paragraph_of, submit

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
DONE = [
    ("search", "keyword 2: Norvell: the bridge"),
    ("open", "b"),
    ("tick", "1: b_2 s0"),
    ("untick", "1: b_2 s0"),
    ("add_set", "3"),
]
STEPS = [
    ("start", "start", "0"),
    ("search", "Norvell: the bridge", "1.500"),
    ("Now on", "b", "3.000"),
    ("Highlighting", "b_2 s0", "4.500"),
    ("Highlighting deleted", "b_2 s0", "6.000"),
    ("finish", "finish", "9.000"),
]


@pytest.fixture
def campaign():
    return make_target()


@pytest.fixture
def assignment(campaign):
    """An answer of ben that took nine seconds."""
    wave = make_wave(campaign)
    source = paragraph_of(campaign.corpus.articles.get(external_id="a"))
    make_item_of(make_claim(wave, "It opens.", source=source), wave)
    assignment = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")
    for kind, value in DONE:
        Operation.objects.create(assignment=assignment, kind=kind, value=value)
    submit(assignment)
    for number, operation in enumerate(Operation.objects.order_by("pk"), start=1):
        operation.at = assignment.given_at + timedelta(seconds=1.5 * number)
        operation.save()
    return assignment


def lines_of(campaign, folder, format, **options):
    export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))
    return [json.loads(line) for line in (folder / "all.jsonl").read_text().splitlines()]


def steps_in(line):
    return [tuple(step.values()) for step in line["annotator_operations"]]


@pytest.mark.parametrize("format", ["feverous", "raw"])
def test_steps_are_exported_on_request_and_their_times_too(campaign, assignment, tmp_path, format):
    (plain,) = lines_of(campaign, tmp_path / "plain", format)
    (texts,) = lines_of(campaign, tmp_path / "texts", format, texts=True)
    (times,) = lines_of(campaign, tmp_path / "times", format, texts=True, times=True)

    assert plain.get("annotator_operations", []) == []
    assert steps_in(texts) == [(name, value, None) for name, value, _ in STEPS]
    assert steps_in(times) == STEPS
    manifest = json.loads((tmp_path / "texts/manifest.json").read_text())
    assert "searches by their words" in manifest["fields"]["annotator_operations"]


def test_the_page_of_an_export_says_that_typed_words_are_in_it(
    campaign, sign_in, settings, tmp_path
):
    settings.DATA_DIR = tmp_path
    plain, more = (
        make_export(campaign, format="raw"),
        make_export(campaign, format="raw", texts=True),
    )
    manager = sign_in("manager-of-spring")

    pages = [manager.get(reverse("datasets:export", args=[each.pk])) for each in (plain, more)]

    said = ["Conditions, notes and searches" in page.content.decode() for page in pages]
    assert said == [False, True]


def test_an_edited_answer_has_what_was_done_for_it(campaign, assignment, tmp_path):
    first = Annotation.objects.get()
    Operation.objects.create(assignment=assignment, kind="search", value="keyword 0: zeppelin")
    assignment.refresh_from_db()
    submit(assignment, N, drawn_from=first.pk)
    Operation.objects.create(assignment=assignment, kind="search", value="keyword 0: too late")

    old, new = lines_of(campaign, tmp_path / "out", "raw", texts=True, superseded=True)

    assert old["flags"] == ["superseded"]
    assert [value for _, value, _ in steps_in(old)] == [value for _, value, _ in STEPS]
    assert [step[:2] for step in steps_in(new)[-2:]] == [("search", "zeppelin"), ("finish",) * 2]


def test_the_steps_of_feverous_are_of_whoever_first_gave_the_label(campaign, assignment, tmp_path):
    item = assignment.item
    Annotation.objects.update(label=R)
    label(item, "cyn", N)
    label(item, "dan", N)

    (line,) = lines_of(campaign, tmp_path / "out", "feverous", texts=True)

    assert (line["label"], line["annotator_operations"]) == (N, [])


def test_the_steps_of_a_file_go_once_people_decide(campaign, tmp_path):
    claim = feverous("a_sentence_0")
    claim["annotator_operations"] = [{"operation": "start", "value": "start", "time": "0"}]
    import_lines(tmp_path, campaign, claim, format="feverous")
    (before,) = lines_of(campaign, tmp_path / "before", "feverous")
    label(make_item_of(campaign.claims.get(), make_wave(campaign)), "ben", N)

    (after,) = lines_of(campaign, tmp_path / "after", "feverous", texts=True)

    assert before["annotator_operations"] == claim["annotator_operations"]
    assert after["annotator_operations"] == []


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "feverous", "times": True}, "ask for texts, too"),
        ({"format": "feverous", "superseded": True}, "are for raw"),
        ({"format": "fever", "texts": True}, "are for raw"),
    ],
)
def test_where_there_are_no_steps_it_says_so(campaign, tmp_path, options, reason):
    with pytest.raises(ValidationError, match=reason):
        export_to(tmp_path / "out", campaign=campaign, options=ExportOptions(**options))
