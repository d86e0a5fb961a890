"""Files that nobody meant to be localised: a folder comes of them, or a reason, nothing else."""

import json
import shutil

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from datasets.localising.options import LocalisingOptions
from datasets.localising.running import localise_to
from tests.datasets.localising import as_lines, line
from tests.datasets.test_readers_anything import JSON, KEYS, quick

PARTS = ["dataset", "titles", "translations"]
GOOD = {
    "dataset": [line(1, "SUPPORTS", [("Bridge", 0)]), line(2, "NOT ENOUGH INFO")],
    "titles": [{"source": "Bridge", "target": "Most"}],
    "translations": [{"id": 1, "claim": "Jedna."}, {"id": 2, "claim": "Dvě."}],
}
COLUMNS = [*KEYS, "source", "target", "translation"]


def outcome(folder, part, content, name="file.jsonl"):
    """The manifest, or the reasons why there is none; a part of the input is this content."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    paths = {}
    for each in PARTS:
        paths[each] = folder / (name if each == part else f"{each}.jsonl")
        paths[each].write_bytes(content if each == part else as_lines(GOOD[each]))
    try:
        manifest = localise_to(
            out,
            paths=[paths["dataset"]],
            titles=paths["titles"],
            translations=paths["translations"],
            options=LocalisingOptions(split="train=0.5,dev=0.5", group="none"),
            progress=lambda *_: None,
        )
    except ValidationError as error:
        assert not out.exists()
        return error.messages
    assert json.loads((out / "manifest.json").read_bytes()) == json.loads(json.dumps(manifest))
    return manifest


@quick
@given(
    content=st.binary(max_size=200),
    name=st.sampled_from(["a.jsonl", "a.csv", "a.tsv", "a.tsv.gz", "a.json.xz"]),
)
@pytest.mark.parametrize("part", PARTS)
def test_any_bytes(tmp_path, part, content, name):
    assert outcome(tmp_path, part, content, name)


@quick
@given(values=st.dictionaries(st.sampled_from(COLUMNS), JSON, max_size=5))
@pytest.mark.parametrize("part", PARTS)
def test_any_object_beside_a_good_one(tmp_path, part, values):
    rows = [{**GOOD[part][0], **values}, *GOOD[part][1:]]

    found = outcome(tmp_path, part, as_lines(rows))

    assert isinstance(found, dict) or all(found)
