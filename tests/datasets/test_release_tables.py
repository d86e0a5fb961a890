"""Configurations of hubs: only files that Arrow reads as they are; and whose licence is whose."""

import json

import mlcroissant
import pyarrow
import pytest
import yaml
from pyarrow import json as arrow

from datasets.options import FORMATS
from datasets.releases.tabular import is_table
from tests.datasets.importing import import_lines, line, make_target
from tests.datasets.releasing import make_labelled_campaign, make_release
from tests.datasets.test_export_formats import rationale, scifact_campaign

S = "SUPPORTS"


def table(*records, later=None):
    files = [records] if later is None else [records, later]
    return is_table([[json.dumps(record) for record in file] for file in files])


@pytest.mark.parametrize(
    "records",
    [
        [{"id": 1, "evidence": [["a_1"], []]}, {"id": 2, "evidence": []}],
        [{"id": 1, "label": None}, {"id": 2, "label": S}],
        [{"share": {"S": 1, "R": 0.5}}, {"share": {"S": 0.25, "R": 1}}],
    ],
)
def test_one_type_in_each_place_makes_a_table(records, tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    assert table(*records)
    assert len(arrow.read_json(path)) == len(records)


@pytest.mark.parametrize(
    "records",
    [
        [{"evidence": [[[1001, 1001, "a", 0]]]}],
        [{"id": 1}, {"id": "a-1"}],
        [{"id": 1, "evidence": "a text"}, {"id": 2, "evidence": ["a text"]}],
        [{"flag": True}, {"flag": 1}],
        [{"text": "half \ud83c"}],
    ],
)
def test_what_arrow_refuses_is_no_table(records, tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    with pytest.raises(pyarrow.ArrowInvalid):
        arrow.read_json(path)
    assert not table(*records)


def test_objects_whose_keys_are_ids_are_no_table():
    assert not table({"evidence": {"11": [1]}}, {"evidence": {"12": [1]}})
    assert not table({"id": 1}, {"id": 2, "more": "x"})


def test_what_stands_in_later_files_only_is_no_table():
    """The first split says of which types the columns are."""
    assert table({"source": "a_1"}, later=[{"source": None}])
    assert not table({"source": None}, later=[{"source": "a_1"}])
    assert table(later=[{"source": "a_1"}])
    assert not table()


@pytest.mark.django_db
def test_every_configuration_is_read_by_arrow_and_the_others_are_named():
    campaign, _ = make_labelled_campaign(publishes_text=True)
    release = make_release(campaign, formats=tuple(FORMATS), split="train=0.5,test=0.5")
    card = (release.folder / "README.md").read_text()
    header = yaml.safe_load(card.split("---\n")[1])

    for config in header["configs"]:
        schemas = [
            arrow.read_json(release.folder / file["path"]).schema for file in config["data_files"]
        ]
        assert len({str(schema) for schema in schemas}) == 1
    offered = [config["config_name"] for config in header["configs"]]
    assert offered == ["ctkfacts", "ambifc", "beir-queries", "beir-corpus", "claims", "nli", "raw",
                       "scifact-corpus"]  # fmt: skip
    assert "load\\_dataset reads: those of csfever, ctkfacts\\_fever, fever" in card
    with pytest.raises(pyarrow.ArrowInvalid):
        arrow.read_json(release.folder / "data/fever/train.jsonl")


@pytest.mark.django_db
def test_a_base_of_texts_and_numbers_as_ids_is_offered_to_pandas_alone(tmp_path):
    campaign = make_target()
    import_lines(tmp_path, campaign, line(1, S, ["a_1"]), line("two", S, ["a_2"]), language="en")

    release = make_release(campaign)

    card = (release.folder / "README.md").read_text()
    assert 'pandas.read_json("data/ctkfacts/all.jsonl"' in card
    assert "load_dataset(" not in card
    assert "configs:" not in card


@pytest.mark.django_db
def test_texts_of_the_corpus_stand_under_their_own_licence(tmp_path):
    claim = {"id": 1, "claim": "Cells grow.", "cited_doc_ids": [11], "evidence":
        {"11": [rationale("SUPPORT", 0)]}}  # fmt: skip
    campaign = scifact_campaign(tmp_path, claim, publishes_text=True, licence="ODC-By 1.0")

    release = make_release(campaign, formats=("scifact", "nli"), licence="CC BY 4.0")

    described = json.loads((release.folder / "croissant.json").read_text())
    card = (release.folder / "README.md").read_text()
    held = {each["name"]: each["description"] for each in described["distribution"]}
    assert described["license"] == ["CC BY 4.0", "ODC-By 1.0"]
    assert held["data/ctkfacts/all.jsonl"] == "License of claims and labels: CC BY 4.0."
    assert held["data/scifact/corpus.jsonl"] == "License of texts of the corpus: ODC-By 1.0."
    assert held["data/nli/all.jsonl"] == (
        "License of claims and labels: CC BY 4.0; of texts of the corpus: ODC-By 1.0."
    )
    header = yaml.safe_load(card.split("---\n")[1])
    assert header["license"] == ["cc-by-4.0", "other"]
    assert header["license_name"] == "odc-by-1.0"
    assert "(texts are in data/scifact/corpus.jsonl)" in card
    found = mlcroissant.Dataset(jsonld=str(release.folder / "croissant.json")).metadata
    assert not found.issues.errors
    assert found.license == ["CC BY 4.0", "ODC-By 1.0"]


@pytest.mark.django_db
def test_a_release_of_ids_has_the_licence_of_its_labels_alone():
    release = make_release(make_labelled_campaign()[0], formats=("nli",), licence="CC BY 4.0")

    described = json.loads((release.folder / "croissant.json").read_text())
    header = yaml.safe_load((release.folder / "README.md").read_text().split("---\n")[1])
    assert described["license"] == "CC BY 4.0"
    assert header["license"] == "cc-by-4.0"
    assert "license_name" not in header
