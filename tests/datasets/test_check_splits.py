"""`check_splits`: what two or three files share, ours or others'."""

import gzip
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.shared import shared_data


def run(*files, **options):
    out = StringIO()
    call_command("check_splits", *map(str, files), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def write(path, *claims):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt") as file:
        file.writelines(json.dumps(claim) + "\n" for claim in claims)
    return path


def line(number, source, claim=None):
    text = claim or f"w{number} x{number} y{number}"
    return {"id": number, "label": "SUPPORTS", "claim": text, "evidence": [], "source": source,
            "mutated_from": None}  # fmt: skip


def test_a_shared_article_is_a_leak(tmp_path):
    train = write(tmp_path / "train.jsonl", line(1, "a1_1"), line(2, "a2_1"))
    test = write(tmp_path / "test.jsonl.gz", line(3, "a1_2"))

    report = json.loads(run(train, test, json=True))

    assert report["counts"] == {"train": 2, "test": 1}
    assert report["leaks"]["source_article"] == 1
    assert report["leaks"]["source_paragraph"] == 0


def test_files_that_share_nothing_have_no_leaks(tmp_path):
    train = write(tmp_path / "train.jsonl", line(1, "a1_1"))
    test = write(tmp_path / "test.jsonl", line(3, "a3_1"))

    assert run(train, test) == "Claims: train 1, test 1. Leaks: none.\n"


def test_an_empty_first_record_is_no_claim(tmp_path):
    first = {"id": "", "label": "", "claim": "", "evidence": ""}
    train = write(tmp_path / "train.jsonl", first, line(1, "a1_1"))
    test = write(tmp_path / "test.jsonl", line(3, "a3_1"))

    assert run(train, test).startswith("Claims: train 1, test 1.")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"id": 1, "claim": "a"}\n{"id": 2,\n', ":2:10: no JSON: expecting property name"),
        (b"3\n", ":1:1: the line is JSON, but no object: 3"),
        (b'{"id": 1}\n', ':1:1: it has no claim: {"id": 1}'),
        (b'{"id": 1, "claim": "a", "evidence": {"4": [{}]}}\n', ":1:25: its evidence cannot be"),
        (b'{"claim": "\xff"}\n', ":1:12: byte 11 (0xFF) is not utf-8"),
    ],
)
def test_a_broken_line_is_named(tmp_path, content, reason):
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(content)
    good = write(tmp_path / "good.jsonl", line(1, "a1_1"))

    with pytest.raises(CommandError) as refused:
        run(good, bad)

    assert f"bad.jsonl{reason}" in str(refused.value)


def test_two_or_three_different_files_are_asked_for(tmp_path):
    one = write(tmp_path / "one.jsonl", line(1, "a1_1"))

    with pytest.raises(CommandError, match="name two or three"):
        run(one)
    with pytest.raises(CommandError, match="named twice"):
        run(one, one)
    with pytest.raises(CommandError, match=r"none\.jsonl: the file cannot be read"):
        run(one, tmp_path / "none.jsonl")


def test_the_published_files_share_one_article():
    files = [shared_data("ctkfacts", "fever_ctkId", f"{name}.jsonl.gz")
             for name in ("train", "validation")]  # fmt: skip

    report = json.loads(run(*files, json=True))

    assert report["counts"] == {"train": 2383, "validation": 332}
    assert report["leaks"]["source_article"] == 1


def test_all_broken_lines_of_a_file_are_named(tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": 1\n' * 25)
    good = write(tmp_path / "good.jsonl", line(1, "a1_1"))

    with pytest.raises(CommandError) as refused:
        run(good, bad)

    told = str(refused.value).splitlines()
    assert len(told) == 21
    assert told[19].startswith(f"{bad}:20:9: ")
    assert told[20] == "... and 5 more"


def test_tables_and_arrays_are_compared_too(tmp_path):
    table = tmp_path / "a.csv"
    table.write_text("id,claim,label\n1,The bridge opened.,SUPPORTS\n")
    array = tmp_path / "b.json"
    array.write_text(json.dumps([{"claim": "The bridge opened.", "label": "Refuted"}]))

    report = json.loads(run(table, array, json=True))

    assert report["leaks"]["claim_text"] == 1
