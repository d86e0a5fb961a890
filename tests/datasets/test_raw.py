"""Raw annotations: one line for each, by pseudonyms, with more on request."""

import json
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from annotation.answering import submit_annotation
from annotation.giving import ask_for_work
from annotation.models import Annotation
from annotation.pseudonyms import pseudonym_of
from annotation.scope import open_article
from datasets.exporting import export_to
from datasets.options import ExportOptions
from tests.datasets.builders import label, labelled, make_item_of
from tests.datasets.importing import import_lines, make_target
from tests.datasets.importing import line as import_line
from tests.factories import (
    make_answer,
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_participant,
    make_user,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


@pytest.fixture
def campaign():
    return make_campaign(corpus=make_corpus())


@pytest.fixture
def wave(campaign):
    return make_wave(campaign)


def raw(campaign, folder, **options):
    export_to(folder, campaign=campaign, options=ExportOptions(format="raw", **options))
    text = (folder / "all.jsonl").read_bytes().decode()
    return [json.loads(line) for line in text.split("\n")[:-1]]


def test_a_line_names_instance_person_wave_label_and_evidence(campaign, wave, tmp_path):
    article = make_article(campaign.corpus, "One.", "Two.", external_id="a1")
    first, second = paragraph_of(article, 1), paragraph_of(article, 2)
    claim = make_claim(wave, "The bridge is open.", source=first)
    label(make_item_of(claim, wave), "ben", S, [second, first], [first], is_uncertain=True)

    (line,) = raw(campaign, tmp_path / "out")

    assert line == {
        "instance": "1",
        "claim_id": 1,
        "claim": "The bridge is open.",
        "source": "a1_1",
        "mutated_from": None,
        "annotator": pseudonym_of(campaign, make_user(username="ben").pk),
        "wave": "First wave",
        "kind": "cross",
        "label": S,
        "flags": ["uncertain"],
        "evidence": [["a1_2", "a1_1"], ["a1_1"]],
        "scope": {"dictionaries": [], "opened": []},
    }


@pytest.mark.parametrize("names_kept", [1, 1000])
def test_the_shown_scope_is_what_the_annotator_had(campaign, tmp_path, monkeypatch, names_kept):
    monkeypatch.setattr("datasets.shown.MOST_NAMES", names_kept)
    wave = make_wave(campaign)
    older = datetime(2022, 1, 1, tzinfo=UTC)
    near, far = (
        paragraph_of(make_article(campaign.corpus, external_id=name, published_at=older))
        for name in ("near", "far")
    )
    claim = make_claim(
        wave,
        dictionary=make_dictionary(campaign.corpus, near, far),
        source_dictionary=make_dictionary(campaign.corpus, far),
    )
    make_item_of(claim, wave)
    assignment = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")
    open_article(assignment=assignment, article=near.article)
    submit_annotation(assignment=assignment, answer=make_answer(S, [near]))

    (line,) = raw(campaign, tmp_path / "out")

    assert line["evidence"] == [["near_1"]]
    assert line["scope"] == {"dictionaries": ["far_1", "near_1"], "opened": ["near"]}


def test_surplus_and_late_labels_are_in_with_their_flags(campaign, wave, tmp_path):
    item = make_item_of(make_claim(wave), wave)
    label(item, "ben", N, surplus=True, is_relevant=True)
    label(item, "cyn", N, late=True)

    lines = raw(campaign, tmp_path / "out")

    assert [line["flags"] for line in lines] == [["relevant", "surplus"], ["late"]]


def test_superseded_labels_are_in_on_request(campaign, wave, tmp_path):
    claim = labelled(wave, S)
    item = claim.instances.get().items.get()
    ended = {"ended_at": timezone.now(), "end_reason": "superseded"}
    Annotation.objects.filter(item=item).update(**ended)
    label(item, "ben", R, [claim.source])

    without = raw(campaign, tmp_path / "without")
    all_of_them = raw(campaign, tmp_path / "with", superseded=True)

    assert [line["label"] for line in without] == [R]
    assert [(line["label"], line["flags"]) for line in all_of_them] == [
        (S, ["superseded"]),
        (R, []),
    ]


def test_free_texts_are_in_on_request(campaign, wave, tmp_path):
    claim = make_claim(wave)
    item = make_item_of(claim, wave)
    label(item, "ben", S, [claim.source], condition="It is the same bridge.", note="My note.")

    (without,) = raw(campaign, tmp_path / "without")
    (with_texts,) = raw(campaign, tmp_path / "with", texts=True)

    assert without["flags"] == ["conditional"]
    assert not {"condition", "note"} & set(without)
    assert with_texts["condition"] == "It is the same bridge."
    assert with_texts["note"] == "My note."


def test_times_are_in_on_request(campaign, wave, tmp_path):
    labelled(wave, S)
    at = datetime(2024, 5, 1, 12, 30, 15, tzinfo=UTC)
    Annotation.objects.update(created_at=at)

    (without,) = raw(campaign, tmp_path / "without")
    (with_times,) = raw(campaign, tmp_path / "with", times=True)

    assert "submitted_at" not in without
    assert with_times["submitted_at"] == "2024-05-01T12:30:15.000000Z"
    assert (with_times["given_at"], with_times["active_seconds"]) == (None, None)


def test_a_part_of_a_paragraph_stands_behind_it(campaign, wave, tmp_path):
    article = make_article(campaign.corpus, external_id="a1")
    claim = make_claim(wave, source=paragraph_of(article))
    annotation = label(make_item_of(claim, wave), "ben", S, [claim.source])
    annotation.evidence_sets.get().items.update(unit="s0")

    (line,) = raw(campaign, tmp_path / "out")

    assert line["evidence"] == [["a1_1:s0"]]


def test_an_imported_annotator_keeps_the_name_of_the_file(campaign, wave, tmp_path):
    item = make_item_of(make_claim(wave), wave)
    annotation = label(item, "ben", N)
    Annotation.objects.filter(pk=annotation.pk).update(
        user=None, external_annotator="worker 7", kind="import"
    )

    (line,) = raw(campaign, tmp_path / "out")

    assert line["annotator"] == "worker 7"


def test_instances_of_one_claim_are_sorted_by_scope_and_name(campaign, wave, tmp_path):
    claim = make_claim(wave)
    for name in ("b", "a"):
        article = make_article(campaign.corpus, external_id=name)
        passage = {"scope_kind": "passage", "passage": paragraph_of(article)}
        label(make_item_of(claim, wave, **passage), "ben", N)
        whole = {"scope_kind": "article", "article": article, "article_version": 1}
        label(make_item_of(claim, wave, **whole), "ben", N)
    label(make_item_of(claim, wave), "ben", N)

    lines = raw(campaign, tmp_path / "out")

    assert [line["instance"] for line in lines] == ["1", "1/a", "1/b", "1/a_1", "1/b_1"]


@pytest.mark.parametrize("format", ["raw", "fever", "ctkfacts", "nli"])
def test_no_file_names_a_person(campaign, wave, tmp_path, format):
    fields = {"name": "Zdenka Žižková", "email": "zdenka@example.org"}
    for username in ("zdenka", "author7"):
        make_user(username=username, **fields)
    claim = make_claim(wave, author="author7")
    label(make_item_of(claim, wave), "zdenka", N)

    options = ExportOptions(format=format)
    export_to(tmp_path / "out", campaign=campaign, options=options)

    content = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir()).lower()
    for name in ("zdenka", "Žižková", "\\u017di", "example.org", "author7", "manager-of"):
        assert name.lower().encode() not in content


def test_pseudonyms_differ_between_campaigns_and_stay_in_one(campaign, wave, tmp_path):
    other = make_wave(make_campaign(slug="autumn", corpus=make_corpus()))
    for each in (wave, wave, other):
        label(make_item_of(make_claim(each), each), "ben", N)

    first, second = raw(campaign, tmp_path / "spring")
    (third,) = raw(other.campaign, tmp_path / "autumn")

    assert first["annotator"] == second["annotator"] != third["annotator"]


def test_evidence_that_the_corpus_lacks_stands_at_its_place_in_the_file(tmp_path):
    campaign = make_target()
    sets = [[[1, 1, "Oslo", 4]], [[2, 2, "a", 1]], [[3, 3, "Oslo", 7], [4, 4, "b", 1]]]
    claim = {"id": 5, "verifiable": "VERIFIABLE", "label": S, "claim": "It is.", "evidence": sets}
    import_lines(tmp_path, campaign, claim, format="fever")

    (line,) = raw(campaign, tmp_path / "out")

    assert line["evidence"] == [["Oslo_4"], ["a_1"], ["Oslo_7", "b_1"]]


def test_labels_of_each_annotator_have_their_own_lost_evidence(tmp_path):
    campaign = make_campaign(corpus=None)
    first = import_line(5, S, ["x_1"], source="y_2")
    import_lines(tmp_path, campaign, first, language="en", wave="One")
    import_lines(tmp_path, campaign, first, language="en", wave="Two")
    corrected = import_line(5, R, ["z_1"], source="y_2")
    import_lines(tmp_path, campaign, corrected, language="en", wave="Two")
    claim = campaign.claims.get()
    label(make_item_of(claim, make_wave(campaign, name="Three")), "ben", N)

    lines = raw(campaign, tmp_path / "out", superseded=True)

    assert [(line["wave"], line["label"], line["evidence"]) for line in lines] == [
        ("One", S, [["x_1"]]),
        ("Two", S, []),
        ("Two", R, [["z_1"]]),
        ("Three", N, []),
    ]
    assert {line["source"] for line in lines} == {"y_2"}


def test_a_set_of_a_text_alone_has_no_ids_and_is_counted(tmp_path):
    campaign = make_campaign(corpus=None)
    claim = {"id": 5, "label": S, "claim": "It is.", "evidence": "It is so."}
    import_lines(tmp_path, campaign, claim, format="nli", language="en")

    (line,) = raw(campaign, tmp_path / "out")

    assert line["evidence"] == []
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert manifest["left_out"]["sets_unnamed"] == 1


@pytest.mark.parametrize("format", ["fever", "raw"])
def test_the_label_of_a_file_is_no_annotators(tmp_path, format):
    campaign = make_campaign(corpus=None)
    import_lines(tmp_path, campaign, import_line(5, S), language="en")

    options = ExportOptions(format=format)
    manifest = export_to(tmp_path / "out", campaign=campaign, options=options)

    assert manifest["counts"]["annotations"] == 1
    assert manifest["counts"]["annotators"] == 0
    assert manifest["counts"]["verdicts_without_evidence"] == 1
