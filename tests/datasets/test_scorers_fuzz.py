"""Whatever stands in a file, a scorer scores it or says in one line why not."""

import copy
import json
import random

import pytest

from datasets.scorers import BadInput, score_records

JUNK = (None, True, 0, -1, 2.5, "", "x", [], [[]], {}, {"a": []}, [None], [{}], "0", 10**30)
VERDICT = {"id": 1, "label": "SUPPORTS"}
TOLD = {"id": 1, "predicted_label": "SUPPORTS"}
LINES = {
    "fever": (
        VERDICT | {"evidence": [[[1, 2, "A", 0], [1, 2, "B", 1]]]},
        TOLD | {"predicted_evidence": [["A", 0], ["B", 1]]},
    ),
    "feverous": (
        VERDICT | {"evidence": [{"content": ["A_sentence_0"], "context": {"A_sentence_0": []}}]},
        TOLD | {"predicted_evidence": [["A", "sentence", "0"]]},
    ),
    "scifact": (
        {"id": 1, "evidence": {"11": [{"sentences": [0, 1], "label": "SUPPORT"}]}},
        {"id": 1, "evidence": {"11": {"sentences": [0, 1], "label": "SUPPORT"}}},
    ),
    "ambifc": (
        {
            "id": 1,
            "labels": {"passage": "neutral"},
            "passage_annotations": [{"label": "neutral"}],
            "sentences": {"0": "One."},
            "sentence_annotations": {"0": [{"annotation": "neutral"}]},
        },
        {"id": 1, "predicted": [0.0, 1.0, 0.0], "sentence_keys": ["0"], "multi_predicted": []},
    ),
    "ctkfacts": (
        VERDICT | {"evidence": [["a_1"], [[1, 1, "a_2", 0]]]},
        TOLD | {"predicted_pages": ["a_1"]},
    ),
}


def places(value, path=()):
    """The way to every part of a JSON value."""
    yield path
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from places(part, (*path, key))


def replaced(value, path, junk):
    if not path:
        return junk
    changed = copy.deepcopy(value)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = junk
    return changed


def damaged(line, rng):
    """The line with each part replaced by each kind of junk in turn; then with two at once."""
    for path in list(places(line))[1:]:
        for junk in JUNK:
            yield replaced(line, path, junk)
    for _ in range(100):
        once = replaced(line, rng.choice(list(places(line))[1:]), rng.choice(JUNK))
        yield replaced(once, rng.choice(list(places(once))[1:]), rng.choice(JUNK))


@pytest.mark.parametrize("task", LINES)
def test_damaged_lines_are_scored_or_refused(task):
    rng = random.Random(4)
    gold, told = LINES[task]
    refused = []

    for claims, answers in [
        *(([line], [told]) for line in damaged(gold, rng)),
        *(([gold], [line]) for line in damaged(told, rng)),
    ]:
        try:
            json.dumps(score_records(task, claims, answers).as_json(), allow_nan=False)
        except BadInput as error:
            refused.append(str(error))

    assert len(refused) > 50
    assert not [reason for reason in refused if "\n" in reason]
