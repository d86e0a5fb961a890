"""Files that nobody meant to be read: claims and problems come of them, and nothing else."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets.readers.dispatch import FORMATS, read_claims
from datasets.readers.problems import Problem
from datasets.readers.records import ReadClaim

KEYS = [
    "id", "claim", "claim_id", "label", "evidence", "source", "mutated_from", "verifiable",
    "cited_doc_ids", "wiki_page", "wiki_passage", "passage_annotations", "sentence_annotations",
    "sentences", "labels", "claim_date", "challenge", "claim_en", "content", "context", "worker",
]  # fmt: skip
TEXTS = st.text(max_size=6) | st.sampled_from(["SUPPORTS", "neutral", "a_1", "A_sentence_1", "1"])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)
GOOD = {
    "id": 1, "claim_id": 1, "claim": "A.", "label": "SUPPORTS", "wiki_page": "a",
    "wiki_passage": "a_1", "cited_doc_ids": [],
}  # fmt: skip
quick = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def found(folder, content, format, name="claims.jsonl"):
    path = folder / name
    path.write_bytes(content)
    return list(read_claims([path], format))


def claims_and_problems(records):
    return all(isinstance(record, ReadClaim | Problem) for record in records)


@quick
@given(content=st.binary(max_size=200), name=st.sampled_from(["a.jsonl", "a.csv", "a.json.gz"]))
@pytest.mark.parametrize("format", FORMATS)
def test_any_bytes(tmp_path, content, name, format):
    assert claims_and_problems(found(tmp_path, content, format, name))


@quick
@given(values=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
@pytest.mark.parametrize("format", FORMATS)
def test_any_object_is_one_claim_or_one_problem(tmp_path, values, format):
    content = json.dumps({**GOOD, **values}).encode() + b"\n"

    records = found(tmp_path, content, format)

    assert claims_and_problems(records)
    assert len(records) == 1
    assert all("\n" not in str(record) for record in records if isinstance(record, Problem))
    assert all(json.dumps(r.record) for r in records if isinstance(r, ReadClaim))
