"""Files as objects: lines, an array or a table, and where they break off."""

import gzip
import tracemalloc

import pytest

from datasets.readers.dispatch import read_claims
from datasets.readers.lines import Raw, raw_records
from datasets.readers.problems import Problem
from tests.datasets.reading import read, write_lines

GOOD = '{"id": 1, "claim": "One."}'


def records(folder, content, name="claims.jsonl"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(raw_records(path, name))


def test_every_broken_line_is_named_with_column_and_excerpt(tmp_path):
    lines = [GOOD, '{"id": 2, "claim" "Two."}', "", "[3]", '{"id": 4, "id": 5}', GOOD]

    found = read(tmp_path, "fever", *lines)

    assert [str(each) for each in found[1:4]] == [
        'claims.jsonl:2:19: no JSON: expecting \':\' delimiter: {"id": 2, "claim" "Two."}',
        "claims.jsonl:4:1: the line is JSON, but no object: [3]",
        'claims.jsonl:5:1: the key \'id\' stands twice in one object; keep one: {"id": 4, "id": 5}',
    ]
    assert [each.text for each in (found[0], found[4])] == ["One.", "One."]


def test_the_excerpt_of_a_long_line_stands_around_its_column(tmp_path):
    (problem,) = records(tmp_path, '{"a": "' + "x" * 500 + '", "b" 1}')

    assert problem.column == 515
    assert problem.excerpt == "x" * 13 + '", "b" 1}'


def test_a_line_separator_within_a_text_does_not_cut_the_excerpt(tmp_path):
    (problem,) = records(tmp_path, '{"a": "One.\u2028Two.", "b" 1}')

    assert problem.excerpt.endswith('Two.", "b" 1}')


@pytest.mark.parametrize("layout", ["[%s, %s]", "[\n%s,\n%s\n]\n", "\n [ %s\n,%s ]"])
def test_an_array_holds_objects(tmp_path, layout):
    found = records(tmp_path, layout % ('{"id": 1}', '{"id": 2}'), name="claims.json")

    assert [each.values for each in found] == [{"id": 1}, {"id": 2}]


def test_the_objects_of_an_array_know_their_lines(tmp_path):
    found = records(tmp_path, '[\n{"id": 1},\n\n{"id": 2,\n "b": 3}, {"id": 4}]', name="a.json")

    assert [each.line for each in found] == [2, 4, 5]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('[{"id": 1},\n{"id" 2}]', (2, 7)),
        ('[{"id": 1},\n{"id": 2}', (2, 10)),
        ('[{"id": 1}\n{"id": 2}]', (2, 1)),
        ('\n\n[{"id": 1},\n{"id" 2}]', (4, 7)),
    ],
)
def test_a_broken_array_ends_where_it_breaks(tmp_path, content, place):
    found = records(tmp_path, content, name="claims.json")

    assert found[0].values == {"id": 1}
    assert (found[-1].line, found[-1].column) == place


LONG = "x" * 1000
MANY = 2000  # objects of this size are read in several pieces


@pytest.mark.parametrize("between", [",\n", ", ", "\n,\n\n"])
def test_a_long_array_is_read_whole(tmp_path, between):
    objects = (f'{{"id": {n},\n"text": "{LONG}"}}' for n in range(MANY))

    found = records(tmp_path, f"[{between.join(objects)}]", name="a.json")

    lines = {",\n": 2, ", ": 1, "\n,\n\n": 4}[between]
    assert [each.values["id"] for each in found] == [*range(MANY)]
    assert [each.line for each in found] == [1 + lines * n for n in range(MANY)]
    assert found[-1].text == f'{{"id": {MANY - 1},\n"text": "{LONG}"}}'


@pytest.mark.parametrize("lines", [10, 100_000])
def test_an_object_of_many_lines_is_read_whole(tmp_path, lines):
    objects = ['{"id": 1}', '{"of": [\n' + "1,\n" * lines + "1]}", '{"id": 3}']

    found = records(tmp_path, f"[{','.join(objects)}]", name="a.json")

    assert [len(each.values.get("of", [])) for each in found] == [0, lines + 1, 0]
    assert [each.line for each in found] == [1, 1, lines + 2]


@pytest.mark.parametrize(
    ("last", "place"),
    [
        ('{"id" 2}]', (MANY + 2, 7)),
        ('{"id": 2,\n\n "b" 1}]', (MANY + 4, 6)),
        ('{"id": "2\n"}]', (MANY + 2, 10)),
        ('{"id": 2} {"id": 3}]', (MANY + 2, 11)),
        ('{"id": 2, "id": 3}]', (MANY + 2, 1)),
        ('{"id": 2}\n', (MANY + 2, 10)),
    ],
)
def test_where_a_long_array_breaks_is_told(tmp_path, last, place):
    objects = "".join(f'{{"id": {n}, "text": "{LONG}"}},\n' for n in range(MANY))

    found = records(tmp_path, f"[\n{objects}{last}", name="a.json")

    assert isinstance(found[MANY - 1], Raw)
    assert (found[-1].line, found[-1].column) == place


def test_what_breaks_an_object_is_told_before_the_rest_of_the_file_is_read(tmp_path):
    content = b'[{"id": 1},\n{"id" 2},\n' + b'{"id": 3},\n' * 100_000 + b"\xff"

    found = records(tmp_path, content, name="a.json")

    assert [(each.line, each.column) for each in found[1:]] == [(2, 7)]


def test_an_object_without_an_end_is_given_up_at_50_mb(tmp_path):
    line = '"' + "x" * 1_000_000 + '",\n'

    (problem,) = records(tmp_path, '[{"of": [\n' + line * 120, name="a.json")

    assert problem.reason == "an object of the array is larger than 50 MB; divide it"
    assert (problem.line, problem.stops_file) == (1, True)


@pytest.mark.parametrize(
    ("behind", "place"),
    [(" x", (2, 11)), ('\n[{"id": 3}]', (3, 1)), ("\n\n\n,\n", (5, 1))],
)
def test_what_stands_behind_an_array_is_not_passed_over(tmp_path, behind, place):
    found = records(tmp_path, '[{"id": 1},\n{"id":2}]' + behind, name="a.json")

    assert [each.values["id"] for each in found[:-1]] == [1, 2]
    assert found[-1].reason == "something stands behind the array"
    assert (found[-1].line, found[-1].column) == place


def test_an_array_takes_no_more_memory_than_a_piece_of_it(tmp_path):
    path = tmp_path / "a.json"
    with path.open("w") as file:
        file.writelines(["[", *(f'{{"text": "{LONG * 20}"}},\n' for _ in range(MANY)), "{}]"])
    tracemalloc.start()

    count = sum(1 for _ in raw_records(path, "a.json"))

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == MANY + 1
    assert peak < path.stat().st_size / 10


def test_what_is_no_object_in_an_array_is_passed_over(tmp_path):
    first, second = records(tmp_path, '[3, {"id": 1}]', name="claims.json")

    assert first.reason == "the array holds what is no object"
    assert second.values == {"id": 1}


def test_the_rows_of_a_table_stand_under_its_header(tmp_path):
    found = records(tmp_path, 'id,claim,label\n1,"A, b.",\n2,C.\n', name="claims.csv")

    assert found[0] == Raw(2, {"id": "1", "claim": "A, b."}, '1,"A, b.",')
    assert found[1].reason.startswith("the record has 2 fields where the header has 3")


CR = "a line ends with CR alone (old Mac); save the file with LF or CRLF line ends"
QUOTE = "a quote ends before its field does; double every quote inside a field"
OPEN = "a quote is opened here and never closed; the rest of the file was not read"
FEW = "the record has 1 fields where the header has 2; check its quotes"
UTF16 = "byte 1 is NUL, as in UTF-16 without a byte order mark; save the file as UTF-8"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.csv", b'id,claim\n1,"a "b" c"\n', f'2:6: {QUOTE}: 1,"a "b" c"'),
        ("a.csv", b'id,claim\n1,"a\nx"b" c"\n', f'3:2: {QUOTE}: x"b" c"'),
        ("a.csv", b'id,claim\n1,"a ""b"" "c"\n', f'2:12: {QUOTE}: 1,"a ""b"" "c"'),
        ("a.csv", b'id,"claim"s\n1,a\n', f'1:10: {QUOTE}: id,"claim"s'),
        ("a.tsv", b'id\tclaim\n1\t"a b c\n2\td\n', f'2:3: {OPEN}: 1 "a b c'),
        ("a.csv", b"id,claim\n1,a\rb\n", f"2:4: {CR}: 1,a b"),
        ("a.csv", b"id,claim\n1,a\0b\n", "2:4: character 4 is NUL; remove it: 1,a?b"),
        ("a.csv", b"id,claim\nfirst\n", f"2:1: {FEW}: first"),
        ("a.csv", b"id,claim,id\n", "1:10: two columns are named 'id'; rename one: id,claim,id"),
        ("a.csv", b"id,claim\n1,a\xffb\n",
         "2:4: byte 12 (0xFF) is not utf-8; save the file as UTF-8: 1,a\ufffdb"),
        ("b.jsonl", b'{"id": 1}\n{"claim": "a\xffb"}\n{"id": 3}\n',
         '2:13: byte 22 (0xFF) is not utf-8; save the file as UTF-8: {"claim": "a\ufffdb"}'),
        ("b.jsonl", b'{"id": 1}\n{"claim": "a\0b"}\n',
         '2:13: character 13 is NUL; remove it: {"claim": "a?b"}'),
        ("b.json", b'[{"id": 1},\n{"claim": "\0"}]',
         '2:12: character 12 is NUL; remove it: {"claim": "?"}]'),
        ("b.jsonl", '{"id": 1}\n'.encode("utf-16-le"), f'1:2: {UTF16}: {{?"?i?d?"?:? ?1?}}?'),
        ("b.jsonl", b'{"id": 1}\n\0\0\0', f"2:1: {UTF16.replace('1', '10', 1)}: ???"),
    ],
)  # fmt: skip
def test_broken_tables_and_bytes_are_named_with_column_and_excerpt(tmp_path, name, content, told):
    problems = [each for each in records(tmp_path, content, name) if isinstance(each, Problem)]

    assert [str(each) for each in problems] == [f"{name}:{told}"]


def test_what_is_left_of_a_damaged_file_is_shown(tmp_path):
    line = '{"id": 2, "claim": "' + "".join(map(str, range(200_000)))
    packed = gzip.compress(f"{GOOD}\n{line}".encode())[:-1000]

    problem = records(tmp_path, packed, name="claims.jsonl.gz")[-1]

    assert "damaged" in problem.reason
    assert problem.line == 2
    assert len(problem.excerpt) == 20
    assert line[: problem.column - 1].endswith(problem.excerpt)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (f'Opened.,"a, b",{"x" * 201}', (2, 16, "uid")),
        (f'"Opened\nlate.",,{"x" * 201}', (3, 9, "uid")),
        ("  ,b,c", (2, 1, "statement")),
    ],
)
def test_a_cell_is_named_by_its_column(tmp_path, row, told):
    (problem,) = read(tmp_path, "claims", "statement,note,uid", row, name="claims.csv")

    line, column, name = told
    assert (problem.line, problem.column) == (line, column)
    assert problem.reason.endswith(f", in the column {name!r}")


def test_a_field_is_named_as_the_file_has_it(tmp_path):
    (problem,) = read(tmp_path, "claims", {"statement": "A.", "uid": "x" * 201})

    assert problem.column == len('{"statement": "A.", ') + 1


def test_an_object_that_is_too_large_is_shown(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.readers.lines.LARGEST_OBJECT", 300_000)
    content = '[{"id": 1},\n {"of": [' + "1,\n" * 200_000

    problem = records(tmp_path, content, name="a.json")[-1]

    assert (problem.line, problem.column) == (2, 2)
    assert problem.excerpt == '{"of": [1,'


def test_packed_files_are_read_and_damaged_ones_named(tmp_path):
    packed = gzip.compress(f"{GOOD}\n".encode() * 1000)

    assert len(records(tmp_path, packed, name="claims.jsonl.gz")) == 1000
    assert "damaged" in records(tmp_path, packed[:-20], name="claims.jsonl.gz")[-1].reason


def test_an_empty_file_and_a_missing_one(tmp_path):
    assert records(tmp_path, "") == []
    (problem,) = read_claims([tmp_path / "none.jsonl"], "fever")
    assert str(problem) == "none.jsonl: the file cannot be read: no such file or directory"


def test_bytes_that_are_no_text_end_the_file(tmp_path):
    found = records(tmp_path, f"{GOOD}\n".encode() + b'{"claim": "\xff"}\n')

    assert len(found) == 2
    assert found[1].stops_file
    assert found[1].reason == "byte 38 (0xFF) is not utf-8; save the file as UTF-8"


def test_an_encoding_that_shows_no_mark_is_not_asked_for(tmp_path):
    (problem,) = records(tmp_path, GOOD.encode("utf-16-le"))

    assert problem.reason.endswith("without a byte order mark; save the file as UTF-8")


def test_a_record_that_states_nothing_is_no_claim(tmp_path):
    path = write_lines(tmp_path, {"id": "", "claim": "", "label": ""}, GOOD)

    assert [each.text for each in read_claims([path], "fever")] == ["One."]
