"""Splits of exports: chosen once, so that each format has a claim in the same one."""

import csv
import json

import pytest

from datasets.exporting import export_to
from datasets.options import FORMATS, ExportOptions
from operations.progress import JobCancelled
from tests.datasets.builders import label, labelled, make_item_of
from tests.datasets.importing import import_lines, line, make_target
from tests.datasets.releasing import make_release
from tests.factories import make_article, make_campaign, make_claim, make_corpus, make_wave

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
SPLIT = "train=0.5,dev=0.25,test=0.25"
NAMES = ("train", "dev", "test")


def export(campaign, folder, format="ctkfacts", **options):
    return export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))


def test_an_export_can_be_cancelled_while_its_groups_are_sought(tmp_path):
    wave = make_wave(make_campaign(corpus=make_corpus()))
    labelled(wave, S)

    def tell(done, total, message=""):
        if message == "Finding what has to stay together" and 0 < done < total:
            raise JobCancelled

    options = ExportOptions(format="ctkfacts", split=SPLIT)
    with pytest.raises(JobCancelled):
        export_to(tmp_path / "out", campaign=wave.campaign, options=options, progress=tell)
    assert not (tmp_path / "out").exists()


def lines_of(path):
    return [json.loads(each) for each in path.read_text().splitlines()]


def splits_in(folder):
    """{claim's number: the splits that hold it} of an export in any format."""
    found = {}
    for name in NAMES:
        for number in numbers_in(folder, name):
            found.setdefault(int(number), set()).add(name)
    return found


def numbers_in(folder, name):
    if (table := folder / f"{name}.csv").exists():
        return [row["id"] for row in csv.DictReader(table.open())]
    if (table := folder / f"qrels/{name}.tsv").exists():
        return [row["query-id"] for row in csv.DictReader(table.open(), delimiter="\t")]
    return [each.get("claim_id", each.get("id")) for each in lines_of(folder / f"{name}.jsonl")]


@pytest.fixture
def campaign():
    """Sixty claims: verdicts, some of which cite nothing, not enough info, and ties.

    A few are judged against one article, too.
    """
    campaign = make_campaign(corpus=make_corpus(publishes_text=True))
    wave = make_wave(campaign)
    for number in range(60):
        claim = labelled(wave, *[(S, S), (R,), (N,), (N, N), (S, R), (S,)][number % 6])
        if number % 7 == 0:
            article = make_article(campaign.corpus)
            scope = {"scope_kind": "article", "article": article, "article_version": 1}
            label(make_item_of(claim, wave, **scope), "ben", R)
        if number % 5 == 0:
            bare = make_claim(wave)
            label(make_item_of(bare, wave), "ben", S)
    return campaign


def test_every_format_has_a_claim_in_the_same_split(campaign, tmp_path):
    found = {}
    for format in FORMATS:
        export(campaign, tmp_path / format, format, split=SPLIT, seed=7)
        found[format] = splits_in(tmp_path / format)

    assert all(found.values())
    everywhere = found["raw"]
    assert all(len(names) == 1 for names in everywhere.values())
    for splits in found.values():
        assert splits == {number: everywhere[number] for number in splits}
    assert len(found["beir"]) < len(found["ctkfacts"]) < len(found["ambifc"])


def test_ties_and_supersets_that_are_left_out_change_no_split(campaign, tmp_path):
    export(campaign, tmp_path / "hard", split=SPLIT, drop_supersets=True)
    export(campaign, tmp_path / "soft", split=SPLIT, ties="soft")

    hard, soft = splits_in(tmp_path / "hard"), splits_in(tmp_path / "soft")
    assert hard == {number: soft[number] for number in hard}
    assert len(soft) == len(hard) + 10


def test_formats_of_a_release_share_its_splits(campaign):
    formats = ("ambifc", "beir", "fever", "scifact")
    release = make_release(campaign, split=SPLIT, formats=formats, balanced=("test",), seed=3)

    base = splits_in(release.folder / "data/ctkfacts")
    for format in formats:
        for number, names in splits_in(release.folder / "data" / format).items():
            assert names == base.get(number, names)
    leaks = release.contents["leaks"]
    assert leaks["counts"] == {name: len(numbers_in(release.folder / "data/ctkfacts", name))
                               for name in NAMES}  # fmt: skip


def test_sizes_and_balance_are_of_claims_with_a_label(tmp_path):
    campaign = make_campaign(corpus=make_corpus(publishes_text=True))
    wave = make_wave(campaign)
    for given in [(S,), (R,), (N,), (S, R)] * 12:
        labelled(wave, *given)
    make_item_of(make_claim(wave), wave)

    hard = export(campaign, tmp_path / "hard", split="train=rest,test=9", balanced=("test",))
    soft = export(campaign, tmp_path / "soft", split="train=rest,test=9", ties="soft")

    assert hard["splits"]["labels"]["test"] == {N: 3, R: 3, S: 3}
    assert hard["splits"]["counts"] == {"train": 27, "test": 9}
    assert soft["splits"]["labels"]["test"] == {N: 3, R: 3, S: 3, "undecided": 3}
    assert soft["splits"]["counts"] == {"train": 36, "test": 12}
    assert soft["splits"]["targets"] == {"train": 27.0, "test": 9.0}


def test_the_report_is_of_the_claims_that_the_format_has(campaign, tmp_path):
    for format in ("beir", "scifact", "ambifc"):
        manifest = export(campaign, tmp_path / format, format, split=SPLIT)

        held = splits_in(tmp_path / format).values()
        counts = {name: sum(name in names for names in held) for name in NAMES}
        assert manifest["splits"]["counts"] == counts


@pytest.mark.parametrize("format", ["scifact", "ambifc", "ctkfacts"])
def test_labels_are_counted_alike_with_and_without_splits(campaign, tmp_path, format):
    whole = export(campaign, tmp_path / "whole", format)
    parted = export(campaign, tmp_path / "parted", format, split=SPLIT)

    assert parted["counts"] == whole["counts"]


def test_what_balance_takes_away_is_not_counted_as_without_evidence(tmp_path):
    campaign = make_campaign(corpus=make_corpus())
    wave = make_wave(campaign)
    labelled(wave, R)
    for _ in range(4):
        label(make_item_of(make_claim(wave), wave), "ben", S)

    manifest = export(campaign, tmp_path / "out", split="test=1.0", balanced=("test",))

    assert manifest["left_out"]["label_balance"] == 3
    assert manifest["counts"]["labels"] == {S: 1, R: 1, N: 0}
    assert manifest["counts"]["verdicts_without_evidence"] == 1


def test_raw_labels_of_articles_are_in_their_claims_split(tmp_path):
    campaign = make_target()
    claims = [
        {"id": number, "claim": f"Bridge {number} opened.", "cited_doc_ids": ["a"],
         "evidence": {"a": [{"sentences": [0], "label": "SUPPORT"}]}}
        for number in range(1, 5)
    ]  # fmt: skip
    import_lines(tmp_path, campaign, *claims, format="scifact")

    manifest = export(campaign, tmp_path / "out", "raw", split="train=0.5,test=0.5")

    assert sum(file["lines"] for file in manifest["files"]) == 4
    assert manifest["counts"]["annotations"] == 4


def test_mutations_of_a_claim_that_is_not_here_stay_together(tmp_path):
    campaign = make_target()
    parents = {1: 1295, 2: 1, 3: 1295, **dict.fromkeys(range(10, 50))}
    lines = [
        line(number, text=f"w{number} x{number}", source=None, mutated_from=parent)
        for number, parent in parents.items()
    ]
    import_lines(tmp_path, campaign, *lines)

    for seed in range(5):
        export(campaign, tmp_path / str(seed), split="train=0.5,dev=0.5,test=0", seed=seed)
        found = splits_in(tmp_path / str(seed))
        assert found[1] == found[2] == found[3]
