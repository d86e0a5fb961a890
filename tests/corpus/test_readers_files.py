import codecs
import gzip
import lzma
import random
import tracemalloc

import pytest

from corpus.readers import files
from corpus.records import ReadOptions
from tests.corpus.reading import (
    articles_of,
    bad_of,
    make_line,
    one_reason,
    read_all,
    read_text,
    write,
)

CZECH = make_line(text="Žlutý kůň běží.")


def text_of(records):
    (article,) = articles_of(records)
    return article.paragraphs[0].text


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_files_are_told_by_their_first_bytes(tmp_path, pack):
    records = read_text(tmp_path, pack(CZECH.encode()), name="anything.txt")

    assert text_of(records) == "Žlutý kůň běží."


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_says_the_encoding(tmp_path, mark, encoding):
    records = read_text(tmp_path, mark + CZECH.encode(encoding))

    assert text_of(records) == "Žlutý kůň běží."


@pytest.mark.parametrize("encoding", ["cp1250", "iso-8859-2", "utf-16-le"])
def test_a_declared_encoding_is_used(tmp_path, encoding):
    records = read_text(tmp_path, CZECH.encode(encoding), encoding=encoding)

    assert text_of(records) == "Žlutý kůň běží."


def test_another_encoding_is_refused_at_its_first_byte(tmp_path):
    good = make_line()
    bad = make_line(id="a2", text="Žlutý").encode("cp1250")

    article, problem = read_text(tmp_path, good.encode() + bad)

    assert article.external_id == "a1"
    assert (problem.line, problem.stops_file) == (2, True)
    assert problem.reason.startswith(f"byte {len(good) + bad.index(0x8E)} (0x8E) is not utf-8")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 64])
def test_the_byte_is_the_same_however_the_file_comes_in_pieces(tmp_path, monkeypatch, size):
    monkeypatch.setattr(files, "CHUNK", size)

    reason = one_reason(read_text(tmp_path, "čččč€".encode() + b"\xe2\x82x"))

    assert reason.startswith("byte 11 (0xE2) is not utf-8")


def test_the_byte_is_counted_over_the_unpacked_file_and_its_mark(tmp_path):
    lines = "".join(make_line(id=f"n{n}", text="x" * 900) for n in range(600)).encode()
    content = codecs.BOM_UTF8 + lines + b"\xff"

    problem = read_text(tmp_path, gzip.compress(content, mtime=0))[-1]

    assert problem.reason.startswith(f"byte {len(content) - 1} (0xFF)")
    assert problem.line == 601


def test_utf_16_without_a_mark_is_refused_with_the_way_out(tmp_path):
    records = read_text(tmp_path, CZECH.encode("utf-16-le"))

    assert "byte 1 is NUL" in one_reason(records)
    assert "'utf-16-le'" in one_reason(records)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(CZECH.encode() * 50, mtime=0)[:-20], "damaged or cut short"),
        (gzip.compress(CZECH.encode(), mtime=0)[:30] + b"\0" * 40, "damaged or cut short"),
        (lzma.compress(random.Random(1).randbytes(9000))[:500], "damaged or cut short"),
        (b"PK\x03\x04rest", "a ZIP archive; unpack it"),
        (b"BZh91AY", "packed with bzip2"),
    ],
)
def test_a_damaged_or_foreign_packing_is_one_line(tmp_path, content, reason):
    *_, problem = read_text(tmp_path, content)

    assert reason in problem.reason
    assert problem.stops_file


def test_a_missing_file_and_a_folder_are_one_line_each(tmp_path):
    records = read_all(tmp_path / "none.jsonl", tmp_path)

    assert [r.line for r in records] == [0, 0]
    assert "no such file" in records[0].reason
    assert "is a directory" in records[1].reason


def test_files_of_one_name_are_reported_with_their_folders(tmp_path):
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "{")

    records = read_all(tmp_path / "x/news.jsonl", tmp_path / "y/news.jsonl")

    assert [r.file for r in records] == [str(tmp_path / f"{f}/news.jsonl") for f in "xy"]


@pytest.mark.parametrize(
    ("format_name", "content"),
    [
        ("jsonl", make_line().replace("\n", "\r") * 3),
        ("csv", "id,published_at,text\ra1,2019-05-07,One\ra2,2019-05-07,Two\r"),
        ("reuters", "<REUTERS>\r<TEXT>One</TEXT>\r</REUTERS>\r"),
    ],
)
def test_line_ends_of_cr_alone_are_one_line(tmp_path, format_name, content):
    problem = bad_of(read_text(tmp_path, content, format=format_name))[0]

    assert problem.line == 1
    assert "CR alone" in problem.reason


def test_an_endless_line_is_refused_and_the_next_one_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_LINE", 5000)
    monkeypatch.setattr(files, "CHUNK", 1000)
    content = make_line(text="x" * 30_000) + make_line(id="a2")

    problem, article = read_text(tmp_path, content)

    assert (problem.line, article.external_id) == (1, "a2")
    assert "longer than 50 MB" in problem.reason


def test_a_nul_is_refused_by_its_line_and_place(tmp_path):
    problem, article = read_text(tmp_path, '{"id": "\0"}\n' + make_line())

    assert (problem.line, article.external_id) == (1, "a1")
    assert "character 9 is NUL" in problem.reason


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_lines_are_the_same_however_the_file_comes_in_pieces(tmp_path, monkeypatch, size):
    monkeypatch.setattr(files, "CHUNK", size)
    content = CZECH.replace("\n", "\r\n") + "\n" + make_line(id="a2").rstrip("\n")

    records = read_text(tmp_path, content)

    assert [(r.external_id, r.line) for r in records] == [("a1", 1), ("a2", 3)]


def peak_while_reading(path):
    tracemalloc.start()
    with gzip.open(path) as stream:
        assert sum(1 for _ in files.Lines(stream)) >= 4_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_file(tmp_path):
    line = (make_line(text="x" * 500)).encode()
    small, large = tmp_path / "small.gz", tmp_path / "large.gz"
    small.write_bytes(gzip.compress(line * 4_000, mtime=0))
    large.write_bytes(gzip.compress(line * 32_000, mtime=0))

    assert peak_while_reading(large) < 1.3 * peak_while_reading(small)


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("format", "xml", "The format is 'xml'; use one of jsonl, csv"),
        ("encoding", "utf-9", "The encoding is 'utf-9'"),
        ("encoding", "rot13", "The encoding is 'rot13'"),
        ("time_zone", "Prague", "The time zone is 'Prague'"),
        ("date_format", "%d.%m.", "The date format is '%d.%m.'"),
        ("date_format", "%", "The date format is '%'"),
        ("delimiter", ";;", "The delimiter is ';;'"),
        ("mapping", {"guid": "id"}, "The field in the mapping is 'guid'"),
        ("header", ("id", "id"), "names 'id' twice"),
    ],
)
def test_a_wrong_option_is_named_with_what_was_expected(option, value, reason):
    with pytest.raises(ValueError, match=reason.replace(".", r"\.")):
        ReadOptions(**{option: value})
