"""`manage.py score`: files in, one JSON object or a few lines out, mistakes named."""

import gzip
import json
import lzma
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.shared import shared_data

GOLD = [
    {"id": 1, "label": "SUPPORTS", "evidence": [[[1, 2, "Prague", 0]]]},
    {"id": 2, "label": "NOT ENOUGH INFO", "evidence": [[[3, None, None, None]]]},
]
TOLD = [
    {"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["Prague", 0]]},
    {"id": 2, "predicted_label": "REFUTES", "predicted_evidence": []},
]
OPENERS = {".gz": gzip.open, ".xz": lzma.open}


def write(path, records):
    with OPENERS.get(path.suffix, open)(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    return path


def score(gold, predictions, **options):
    out, err = StringIO(), StringIO()
    options = {"task": "fever", "json": True} | options
    call_command(
        "score", gold=gold, predictions=predictions, stdout=out, stderr=err, **options
    )  # fmt: skip
    return out.getvalue(), err.getvalue()


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "gold.jsonl", GOLD), write(tmp_path / "told.jsonl", TOLD)


def test_figures_have_the_names_of_the_field(files):
    out, _ = score(*files)

    found = json.loads(out)
    names = ("strict_score", "label_accuracy", "precision", "recall", "f1")
    assert [found[name] for name in names] == [0.5, 0.5, 1, 1, 1]
    assert found["n_claims"] == 2
    assert found["matched_by"] == "id"


def test_the_task_may_stand_first_instead(files):
    out, err = StringIO(), StringIO()
    call_command(
        "score", "fever", gold=files[0], predictions=files[1], json=True, stdout=out, stderr=err
    )

    assert json.loads(out.getvalue())["task"] == "fever"


def test_people_read_figures_and_cells(files):
    out, _ = score(*files, json=False)

    assert "label_accuracy                     0.5000\n" in out
    assert "NOT ENOUGH INFO predicted as REFUTES: 1 (2)\n" in out


def test_results_of_each_claim_go_into_a_file(files, tmp_path):
    score(*files, per_claim=tmp_path / "claims.jsonl")

    lines = [json.loads(line) for line in (tmp_path / "claims.jsonl").open()]
    assert [(line["id"], line["label_correct"]) for line in lines] == [("1", True), ("2", False)]


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.xz"])
def test_packed_files_are_read(files, tmp_path, ending):
    packed = write(tmp_path / f"told{ending}", TOLD)

    assert score(files[0], packed) == score(*files)


def test_a_byte_order_mark_is_no_part_of_the_text(files, tmp_path):
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + files[1].read_bytes())

    assert score(files[0], marked) == score(*files)


def test_what_does_not_match_is_said_and_counted(files, tmp_path):
    told = write(tmp_path / "other.jsonl", [TOLD[0], TOLD[1] | {"id": 9}])

    out, err = score(files[0], told)

    assert "1 claim without a prediction, counted as wrong: 2." in err
    assert "1 prediction for no gold claim, left aside: 9." in err
    assert (json.loads(out)["missing_ids"], json.loads(out)["extra"]) == (["2"], 1)


def test_matching_by_position_is_said(tmp_path):
    gold = write(tmp_path / "gold.jsonl", [one | {"id": 0} for one in GOLD])
    told = write(tmp_path / "told.jsonl", [one | {"id": 0} for one in TOLD])

    out, err = score(gold, told)

    assert json.loads(out)["matched_by"] == "position"
    assert "Matched by position" in err


def test_the_order_can_be_held_as_the_official_script_does(files, tmp_path):
    told = write(tmp_path / "other.jsonl", TOLD[::-1])

    assert score(files[0], told) == score(*files)
    with pytest.raises(CommandError, match="Claim 1 is 1, prediction 1 is for 2"):
        score(files[0], told, match="order")


def test_all_evidence_may_count(tmp_path):
    gold = write(tmp_path / "gold.jsonl", GOLD[:1])
    pieces = [["Brno", line] for line in range(5)] + [["Prague", 0]]
    told = write(tmp_path / "told.jsonl", [TOLD[0] | {"predicted_evidence": pieces}])

    assert json.loads(score(gold, told)[0])["strict_score"] == 0
    assert json.loads(score(gold, told, max_evidence=0)[0])["strict_score"] == 1


BAD_LINES = {
    '{"id": 2, "predicted_label": ]': "2:30: no JSON: expecting value",
    '{"id": 2, "id": 3}': "2:1: the key 'id' stands twice",
    '{"id": NaN}': "2:1: NaN is no JSON",
    "[1]": "2:1: the line is JSON, but no object",
    '{"id": 2}': "2:1: there is no predicted_label",
    '{"id": 2, "predicted_label": 3}': "2:11: predicted_label is 3; use a text",
    '{"id": true, "predicted_label": "X", "predicted_evidence": []}': "2:2: the id is True",
    '{"predicted_label": "X", "predicted_evidence": [["A", "0"]]}': "2:26: a piece is ['A', '0']",
    '{"predicted_label": "X", "predicted_evidence": [["A", true]]}': "2:26: a piece is ['A', True",
    '{"predicted_label": "X", "predicted_evidence": []}': "2: there is no id, but others",
}


@pytest.mark.parametrize(("line", "reason"), BAD_LINES.items())
def test_a_broken_line_is_named_with_its_place(files, tmp_path, line, reason):
    told = tmp_path / "broken.jsonl"
    told.write_text(json.dumps(TOLD[0]) + "\n" + line + "\n")

    with pytest.raises(CommandError) as caught:
        score(files[0], told)

    message = str(caught.value)
    assert message.startswith(f"broken.jsonl:{reason}")
    assert "\n" not in message


def test_the_excerpt_shows_the_place(files, tmp_path):
    told = tmp_path / "broken.jsonl"
    told.write_text('{"x": "' + "long " * 100 + '", "predicted_label": 3}')

    with pytest.raises(CommandError, match=r': g long long long ", "predicted_label": 3\}$'):
        score(files[0], told)


def test_an_array_is_read_as_lines_are(files, tmp_path):
    array = tmp_path / "told.json"
    array.write_text(json.dumps(TOLD, indent=1))

    assert score(files[0], array) == score(*files)


def test_a_file_that_is_not_there_is_one_line(files, tmp_path):
    with pytest.raises(CommandError, match=r"^none\.jsonl: the file cannot be read: no such file"):
        score(files[0], tmp_path / "none.jsonl")


def test_a_damaged_file_is_one_line(files, tmp_path):
    packed = write(tmp_path / "told.jsonl.gz", TOLD)
    packed.write_bytes(packed.read_bytes()[:-12])

    with pytest.raises(CommandError, match="damaged or cut short"):
        score(files[0], packed)


CORPORA = {
    "fever": (
        {"id": "Prague", "text": "…", "lines": "0\tPrague is a city.\tcity\n1\t"},
        TOLD[0] | {"predicted_evidence": [["Prague", 0], ["Prague", 7], ["Brno", 0]]},
        ["Brno 0", "Prague 7"],
    ),
    "scifact": (
        {"doc_id": 11, "title": "…", "abstract": ["One.", "Two."], "structured": False},
        {"id": 1, "evidence": {"11": {"sentences": [1, 2], "label": "SUPPORT"},
                               "12": {"sentences": [], "label": "SUPPORT"}}},
        ["11 2", "12"],
    ),
    "ctkfacts": (
        {"id": "a_1", "text": "…"},
        {"id": 1, "predicted_label": "SUPPORTS", "predicted_pages": ["a_1", "b_1"]},
        ["b_1"],
    ),
}  # fmt: skip
EVIDENCE = {
    "fever": GOLD[0]["evidence"],
    "scifact": {"11": [{"sentences": [1], "label": "SUPPORT"}]},
    "ctkfacts": [["a_1"]],
}


@pytest.mark.parametrize("task", CORPORA)
def test_what_is_cited_and_not_in_the_corpus_is_named(tmp_path, task):
    text, told, unknown = CORPORA[task]
    gold = write(tmp_path / "gold.jsonl", [GOLD[0] | {"evidence": EVIDENCE[task]}])
    told = write(tmp_path / "told.jsonl", [told])
    corpus = write(tmp_path / "corpus.jsonl.gz", [text])

    out, err = score(gold, told, task=task, corpus=corpus)

    assert json.loads(out)["not_in_corpus_ids"] == unknown
    assert f"{len(unknown)} cited, not in the corpus: {', '.join(unknown)}." in err


def test_a_corpus_of_another_task_is_refused(files):
    with pytest.raises(CommandError, match="--corpus does not belong to feverous"):
        score(*files, task="feverous", corpus=files[0])


def test_a_limit_of_another_task_is_refused(files):
    with pytest.raises(CommandError, match="--max-cells does not belong to fever"):
        score(*files, max_cells=3)


def test_a_task_is_needed(files):
    with pytest.raises(CommandError, match="Name one task: fever, feverous"):
        score(*files, task=None)


def test_the_published_fever_claims_find_their_own_evidence(tmp_path):
    path = shared_data("fever", "paper_dev_1-5000.jsonl.gz")
    claims = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    told = write(tmp_path / "told.jsonl", map(best_answer, claims))
    verdicts = [claim for claim in claims if claim["label"] != "NOT ENOUGH INFO"]
    beyond = sum(min(map(len, claim["evidence"])) > 5 for claim in verdicts)

    found = json.loads(score(path, told)[0])

    assert found["n_claims"] == 5000
    assert found["label_accuracy"] == found["precision"] == 1
    assert beyond == 5  # no five sentences can hold the evidence of these
    assert found["strict_score"] == pytest.approx((5000 - beyond) / 5000)


def best_answer(claim):
    shortest = min(claim["evidence"], key=len)
    pieces = [item[2:] for item in shortest if item[3] is not None]
    return {
        "id": claim["id"],
        "predicted_label": claim["label"],
        "predicted_evidence": pieces,
    }


def test_the_published_feverous_record_is_read(tmp_path):
    path = shared_data("feverous", "feverous_official_shape.jsonl")
    pieces = [["Aramais Yepiskoposyan", "cell", "0_6_1"], ["FC Ararat Yerevan", "sentence", "1"]]
    answer = {"predicted_label": "SUPPORTS", "predicted_evidence": pieces}
    told = write(tmp_path / "told.jsonl", [answer])

    assert json.loads(score(path, told, task="feverous")[0])["strict_score"] == 1


def test_the_published_scifact_claims_find_their_own_evidence(tmp_path):
    path = shared_data("scifact", "claims_train.jsonl")
    claims = [json.loads(line) for line in path.open()]
    told = write(tmp_path / "told.jsonl", map(scifact_answer, claims))

    found = json.loads(score(path, told, task="scifact")[0])

    assert found["n_claims"] == 809
    assert found["sentence_label_f1"] == found["abstract_label_only_f1"] == 1


def scifact_answer(claim):
    evidence = {
        doc: {
            "label": sets[0]["label"],
            "sentences": [number for one in sets for number in one["sentences"]],
        }
        for doc, sets in claim["evidence"].items()
    }
    return {"id": claim["id"], "evidence": evidence}
