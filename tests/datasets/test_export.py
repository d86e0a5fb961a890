"""Export of a campaign: which claims, which labels, which files, and the same again."""

import json
from hashlib import sha256

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from annotation.models import Claim
from datasets.exporting import export_to
from datasets.options import ExportOptions
from tests.datasets.builders import label, labelled, make_item_of
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
STRANGE = "Most přes Loučnou, جسر, 🌉 a\u2028konec"


@pytest.fixture
def campaign():
    return make_campaign(corpus=make_corpus(publishes_text=True))


@pytest.fixture
def wave(campaign):
    return make_wave(campaign)


def export(campaign, folder, format="ctkfacts", **options):
    return export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))


def lines_of(folder, name="all.jsonl"):
    text = (folder / name).read_bytes().decode()
    return [json.loads(line) for line in text.split("\n")[:-1]]


def labels_of(folder):
    return {line["id"]: line["label"] for line in lines_of(folder)}


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_lines_are_as_written_by_hand(campaign, wave, tmp_path):
    source = make_article(campaign.corpus, "The bridge opened.", "Ten million.", external_id="a1")
    first, second = paragraph_of(source, 1), paragraph_of(source, 2)
    initial = make_claim(wave, "The bridge is open.", source=first)
    mutated = make_claim(wave, "The bridge is shut.", source=first, parent=initial)
    item = make_item_of(mutated, wave)
    label(item, "ben", R, [first])
    label(item, "cyn", R, [second, first], [first])
    item = make_item_of(initial, wave)
    label(item, "ben", N)

    export(campaign, tmp_path / "doc")
    export(campaign, tmp_path / "nli", "nli")
    export(campaign, tmp_path / "fever", "fever")

    assert (tmp_path / "doc/all.jsonl").read_text() == (
        '{"id": 1, "label": "NOT ENOUGH INFO", "claim": "The bridge is open.", "evidence": [], '
        '"source": "a1_1", "mutated_from": null, "verifiable": "NOT VERIFIABLE"}\n'
        '{"id": 2, "label": "REFUTES", "claim": "The bridge is shut.", '
        '"evidence": [["a1_1"], ["a1_2", "a1_1"]], "source": "a1_1", "mutated_from": 1, '
        '"verifiable": "VERIFIABLE"}\n'
    )
    assert [line["evidence"] for line in lines_of(tmp_path / "nli")] == [
        "The bridge opened.",
        "The bridge opened.",
        "Ten million. The bridge opened.",
    ]
    assert lines_of(tmp_path / "fever")[1]["evidence"] == [
        [[2001, 2001, "a1", 1]],
        [[2002, 2002, "a1", 2], [2003, 2003, "a1", 1]],
    ]


def test_a_disagreement_is_left_out_as_a_tie_and_is_in_raw(campaign, wave, tmp_path):
    tie, sure = labelled(wave, S, R), labelled(wave, S, S, R)

    manifest = export(campaign, tmp_path / "hard")
    export(campaign, tmp_path / "raw", "raw")

    assert labels_of(tmp_path / "hard") == {sure.number: S}
    assert manifest["left_out"]["tie"] == 1
    raw = [line["label"] for line in lines_of(tmp_path / "raw") if line["claim_id"] == tie.number]
    assert raw == [S, R]


def test_soft_labels_keep_a_tie_without_a_label(campaign, wave, tmp_path):
    labelled(wave, S, R)
    labelled(wave, S, S, N)

    manifest = export(campaign, tmp_path / "soft", ties="soft")

    tie, sure = lines_of(tmp_path / "soft")
    assert (tie["label"], tie["soft_label"]) == (None, {S: 0.5, R: 0.5, N: 0.0})
    assert (sure["label"], sure["soft_label"]) == (S, {S: 2 / 3, R: 0.0, N: 1 / 3})
    assert "tie" not in manifest["left_out"]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("never", {1: N}),
        ("when-alone", {1: N, 2: R}),
        ("vote", {2: R}),
    ],
)
def test_a_label_of_the_author_counts_as_chosen(campaign, wave, tmp_path, policy, expected):
    for others in ([N], []):
        claim = labelled(wave, *others)
        item = claim.instances.get().items.get()
        label(item, "ada", R, [claim.source], kind="own")

    export(campaign, tmp_path / "out", own=policy)

    assert labels_of(tmp_path / "out") == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("nei", {1: N, 2: R}), ("drop", {2: R}), ("as-is", {1: S})],
)
def test_a_label_with_a_condition_counts_as_chosen(campaign, wave, tmp_path, policy, expected):
    for others in ([], [R]):
        claim = labelled(wave, *others)
        item = claim.instances.get().items.get()
        label(item, "eve", S, [claim.source], condition="It is the same bridge.")

    export(campaign, tmp_path / "out", conditional=policy)

    assert labels_of(tmp_path / "out") == expected


def test_what_never_counts_is_left_out_and_counted(campaign, wave, tmp_path):
    kept = labelled(wave, S)
    item = kept.instances.get().items.get()
    label(item, "late", R, [kept.source], late=True)
    label(item, "slow", R, [kept.source], surplus=True)
    ended = {"ended_at": timezone.now(), "end_reason": "superseded"}
    label(item, "cyn", R, [kept.source], **ended)
    withdrawn = labelled(wave, S)
    Claim.objects.filter(pk=withdrawn.pk).update(withdrawn_at=timezone.now())
    labelled(make_wave(campaign, name="Trial", is_sandbox=True), S)
    make_item_of(make_claim(wave), wave)
    make_claim(wave)

    manifest = export(campaign, tmp_path / "out")

    assert labels_of(tmp_path / "out") == {kept.number: S}
    assert {name: n for name, n in manifest["left_out"].items() if n} == {
        "annotations_late": 1,
        "annotations_sandbox": 1,
        "annotations_superseded": 1,
        "annotations_surplus": 1,
        "annotations_withdrawn": 1,
        "no_labels": 1,
        "not_in_waves": 1,
        "withdrawn": 1,
    }


def test_only_the_waves_that_were_named_are_in(campaign, wave, tmp_path):
    labelled(wave, S)
    second = labelled(make_wave(campaign, name="Second wave"), R)

    export(campaign, tmp_path / "out", waves=("Second wave",))

    assert labels_of(tmp_path / "out") == {second.number: R}


def test_labels_of_several_waves_meet_in_one_line(campaign, wave, tmp_path):
    claim = labelled(wave, S, R)
    again = make_item_of(claim, make_wave(campaign, name="Again"))
    label(again, "eve", R, [claim.source])

    export(campaign, tmp_path / "out")

    assert labels_of(tmp_path / "out") == {claim.number: R}


def test_unusual_letters_and_a_claim_without_source_come_through(campaign, wave, tmp_path):
    labelled(wave, N, text=STRANGE)
    Claim.objects.create(
        campaign=campaign, wave=wave, number=90, origin="imported", text="Lost.", text_hash="0",
        language="en",
    )  # fmt: skip
    label(make_item_of(Claim.objects.get(number=90), wave), "ben", N)

    for format in ("ctkfacts", "fever", "nli", "raw"):
        export(campaign, tmp_path / format, format)

    assert lines_of(tmp_path / "ctkfacts")[0]["claim"] == STRANGE
    assert lines_of(tmp_path / "ctkfacts")[1]["source"] is None
    assert lines_of(tmp_path / "nli")[1]["evidence"] == ""
    assert lines_of(tmp_path / "raw")[0]["claim"] == STRANGE


def test_lines_are_sorted_by_number_beyond_one_batch(campaign, wave, tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.bridge.BATCH", 2)
    monkeypatch.setattr("datasets.raw.BATCH", 2)
    for _ in range(12):
        labelled(wave, S, S)

    export(campaign, tmp_path / "hard")
    export(campaign, tmp_path / "raw", "raw")

    assert [line["id"] for line in lines_of(tmp_path / "hard")] == list(range(1, 13))
    numbers = [line["claim_id"] for line in lines_of(tmp_path / "raw")]
    assert numbers == sorted(list(range(1, 13)) * 2)


@pytest.mark.parametrize("format", ["fever", "ctkfacts", "nli", "raw"])
def test_an_export_done_again_is_the_same_byte_by_byte(campaign, wave, tmp_path, format):
    for number in range(30):
        labelled(wave, S, [S, R, N][number % 3], S)

    split = "train=0.8,dev=0.1,test=0.1"
    export(campaign, tmp_path / "first", format, split=split, seed=5)
    export(campaign, tmp_path / "second", format, split=split, seed=5)

    first = files_in(tmp_path / "first")
    assert sorted(first) == ["dev.jsonl", "manifest.json", "test.jsonl", "train.jsonl"]
    assert first == files_in(tmp_path / "second")


def test_hashes_and_lines_of_the_manifest_are_those_of_the_files(campaign, wave, tmp_path):
    for _ in range(10):
        labelled(wave, S, S)

    manifest = export(campaign, tmp_path / "out", split="train=rest,test=3")

    assert [file["name"] for file in manifest["files"]] == ["train.jsonl", "test.jsonl"]
    for file in manifest["files"]:
        content = (tmp_path / "out" / file["name"]).read_bytes()
        assert file["sha256"] == sha256(content).hexdigest()
        assert file["lines"] == content.count(b"\n")


def test_no_two_splits_share_a_source_article(campaign, wave, tmp_path):
    for number in range(12):
        article = make_article(campaign.corpus, external_id=f"art{number}")
        initial = labelled(wave, S, S, source=paragraph_of(article, 1))
        labelled(wave, R, R, source=paragraph_of(article, 2), parent=initial)

    manifest = export(campaign, tmp_path / "out", split="train=0.5,dev=0.25,test=0.25")

    where = {}
    for name in ("train", "dev", "test"):
        for line in lines_of(tmp_path / "out", f"{name}.jsonl"):
            where.setdefault(line["source"].rpartition("_")[0], set()).add(name)
    assert len(where) == 12
    assert all(len(names) == 1 for names in where.values())
    assert set(manifest["splits"]["leaks"].values()) == {0}
    assert manifest["splits"]["counts"] == {"train": 12, "dev": 6, "test": 6}


def test_raw_lines_of_a_claim_go_where_the_claim_goes(campaign, wave, tmp_path):
    for _ in range(10):
        labelled(wave, S, R)

    for format in ("ctkfacts", "raw"):
        split = "train=0.5,test=0.5"
        ties = {"ties": "soft"} if format != "raw" else {}
        export(campaign, tmp_path / format, format, split=split, **ties)

    for name in ("train.jsonl", "test.jsonl"):
        claims = {line["id"] for line in lines_of(tmp_path / "ctkfacts", name)}
        assert {line["claim_id"] for line in lines_of(tmp_path / "raw", name)} == claims
        assert len(lines_of(tmp_path / "raw", name)) == 10


def test_balance_leaves_claims_out_and_counts_them(campaign, wave, tmp_path):
    for given in [S] * 6 + [R] * 2 + [N] * 2:
        labelled(wave, given)

    manifest = export(campaign, tmp_path / "out", split="train=0,test=1.0", balanced=("test",))

    assert manifest["left_out"]["label_balance"] == 4
    assert manifest["counts"]["labels"] == {S: 2, R: 2, N: 2}
    assert len(lines_of(tmp_path / "out", "test.jsonl")) == 6


def test_texts_of_a_proprietary_corpus_are_refused_and_ids_are_the_default(tmp_path):
    campaign = make_campaign(corpus=make_corpus(publishes_text=False))
    claim = labelled(make_wave(campaign), S)

    export(campaign, tmp_path / "ids", "nli")
    with pytest.raises(ValidationError, match="may not be published"):
        export(campaign, tmp_path / "text", "nli", evidence="text")

    assert lines_of(tmp_path / "ids")[0]["evidence"] == [claim.source.public_id]
    content = b"".join(files_in(tmp_path / "ids").values())
    assert claim.source.text.encode() not in content
    assert not (tmp_path / "text").exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "docx"}, "use one of fever, ctkfacts"),
        ({"waves": ("Third",)}, "no wave “Third”; there are: First wave"),
        ({"evidence": "text"}, "names evidence by ids"),
        ({"per": "claim"}, "one kind of lines only"),
        ({"times": True}, "are for raw"),
        ({"format": "raw", "ties": "soft"}, "every label as given"),
        ({"split": "train=0.8"}, "add up to 0.8"),
        ({"split": "../train=0.8,dev=0.2"}, "cannot name a file"),
        ({"split": "dev=0.5,DEV=0.5"}, "but for capital letters"),
        ({"format": "scifact", "split": "corpus=0.5,dev=0.5"}, "for the corpus’ file"),
        ({"format": "scifact", "split": "dev=0.5,Corpus=0.5"}, "for the corpus’ file"),
        ({"split": "train=90,dev=20"}, "add up to 110"),
        ({"balanced": ("dev",)}, "need splits"),
        ({"split": "train=1.0", "balanced": ("dev",)}, "no split “dev”"),
        ({"seed": -1}, "The seed is -1"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_the_reason(
    campaign, wave, tmp_path, options, reason
):
    with pytest.raises(ValidationError) as refused:
        export(campaign, tmp_path / "out", **options)

    assert reason in " ".join(refused.value.messages)
    assert list(tmp_path.iterdir()) == []


def test_a_sandbox_cannot_be_exported(campaign, tmp_path):
    make_wave(campaign, name="Trial", is_sandbox=True)

    with pytest.raises(ValidationError, match="sandboxes are outside every export"):
        export(campaign, tmp_path / "out", waves=("Trial",))


def test_a_folder_that_holds_the_same_export_stays_as_it_is(campaign, wave, tmp_path):
    labelled(wave, S)
    export(campaign, tmp_path / "out")
    before = (tmp_path / "out/all.jsonl").stat().st_ino

    export(campaign, tmp_path / "out")

    assert (tmp_path / "out/all.jsonl").stat().st_ino == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("found", ["manifest.json", "notes.txt"])
def test_a_folder_with_something_else_is_refused_and_left_alone(campaign, wave, tmp_path, found):
    labelled(wave, S)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / found).write_text("mine")

    with pytest.raises(ValidationError, match="holds something else"):
        export(campaign, tmp_path / "out")

    assert files_in(tmp_path / "out") == {found: b"mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_filled(campaign, wave, tmp_path):
    (tmp_path / "out").mkdir()

    export(campaign, tmp_path / "out")

    assert lines_of(tmp_path / "out") == []


def test_the_number_of_queries_does_not_grow_with_the_claims(
    campaign, wave, tmp_path, django_assert_max_num_queries
):
    for _ in range(25):
        labelled(wave, S, S)

    for format in ("nli", "raw"):
        with django_assert_max_num_queries(25):
            export(campaign, tmp_path / format, format)
