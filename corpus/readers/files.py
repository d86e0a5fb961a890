"""Opening the files of an import: packed or not, in any stated encoding, one line at a time.

A problem with a whole file is an UnreadableFile, one with a line an UnreadableLine; the readers
turn both into BadRecords, so that nothing else leaves them.
"""

import codecs
import gzip
import lzma
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from corpus.records import MAX_LINE

CHUNK = 1 << 18
BEFORE, AFTER = 20, 60  # characters around a problem
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\0"
OTHER_PACKINGS = {
    b"PK\x03\x04": "a ZIP archive",
    b"BZh": "packed with bzip2",
    b"\x28\xb5\x2f\xfd": "packed with zstd",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"%PDF-": "a PDF",
    b"SQLite format 3\0": "a database",
}
DAMAGED = "the packed file is damaged or cut short; pack it again"
LONE_CR = "a line ends with CR alone (old Mac); save the file with LF or CRLF line ends"
DAMAGE = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)


class Unreadable(Exception):
    """Why something cannot be read, as a sentence; line 0: no line.

    column: where in the line, counted from 1; excerpt: what stands there; as far as known.
    """

    def __init__(self, reason: str, line: int = 0, *, column: int = 0, excerpt: str = ""):
        super().__init__(reason)
        self.line, self.column, self.excerpt = line, column, excerpt


class UnreadableFile(Unreadable):
    """Why nothing can be read from here to the file's end.

    before, after: what can be read around the place, beside what was read already.
    """

    before = after = ""


class UnknownEncoding(UnreadableFile):
    """The file's bytes are no text in the encoding that it is read in.

    what: why, without the advice to state another.
    """

    def __init__(self, what: str, advice: str, *, before: str = "", after: str = ""):
        super().__init__(f"{what}; {advice}")
        self.what, self.before, self.after = what, before, after


class UnreadableLine(Unreadable):
    """Why one line cannot be read."""


def around(text: str, column: int) -> str:
    """What stands around a column of a line, counted from 1."""
    return text[max(column - 1 - BEFORE, 0) : max(column - 1, 0) + AFTER]


def unreadable_at(at: int, reason: str, line: str, number: int) -> UnreadableLine:
    """The problem at a place of a line, counted from 0."""
    return UnreadableLine(reason, number, column=at + 1, excerpt=around(line, at + 1))


def display_names(paths: Iterable[Path]) -> list[str]:
    """What to call the files in reports: the name, with its folder where two have the same."""
    paths = list(paths)
    count = Counter(path.name for path in paths)
    return [path.name if count[path.name] == 1 else str(path) for path in paths]


@contextmanager
def open_packed(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked where its first bytes say gzip or xz."""
    try:
        with path.open("rb") as raw:
            head = raw.read(16)
            raw.seek(0)
            for magic, what in OTHER_PACKINGS.items():
                if head.startswith(magic):
                    raise UnreadableFile(f"the file is {what}; unpack it or use gzip or xz")
            with unpacked(raw, head) as stream:
                yield stream
    except DAMAGE as error:
        raise UnreadableFile(DAMAGED) from error
    except OSError as error:
        raise UnreadableFile(system_reason(error)) from error


def unpacked(raw: BinaryIO, head: bytes) -> IO[bytes]:
    if head.startswith(GZIP):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    return lzma.LZMAFile(raw) if head.startswith(XZ) else raw


class Lines:
    """The lines of a byte stream as text, without their ends, numbered from 1.

    An iterator that goes on after it raised an UnreadableLine. Only \\n and \\r\\n end a line.
    number: of the line given last.
    """

    def __init__(self, stream: IO[bytes], encoding: str = ""):
        self.chunks = decoded(stream, encoding)
        self.ready: Iterator[str] = iter(())
        self.rest = ""
        self.plain = True
        self.number = 0

    def __iter__(self):
        return self

    def __next__(self) -> str:
        line = next(self.ready, None)
        if line is None:
            line = self.first_of_chunk()
        self.number += 1
        return line if self.plain else self.checked(line)

    def checked(self, line: str) -> str:
        if too_large(line, MAX_LINE):
            reason = long_line_reason(line)
            at = line.find("\r") if reason == LONE_CR else 0
            raise unreadable_at(at, reason, line, self.number)
        if "\0" in line:
            at = line.index("\0")
            raise unreadable_at(at, f"character {at + 1} is NUL; remove it", line, self.number)
        return line[:-1] if line.endswith("\r") else line

    def first_of_chunk(self) -> str:
        """The line that ends in the next piece of text; the others of the piece become ready."""
        parts = [self.rest]
        size = len(self.rest)
        self.rest = ""
        while chunk := self.next_chunk(parts):
            lines = chunk.split("\n")
            size += len(lines[0])
            # of an endless line, only as much is kept as shows that it is one
            if size <= MAX_LINE + CHUNK:
                parts.append(lines[0])
            if len(lines) > 1:
                self.rest = lines.pop()
                break
        else:
            lines = []
            if not size:
                raise StopIteration
        line = "".join(parts)
        self.plain = size < CHUNK * 2 and not any(m in t for t in (line, chunk) for m in "\0\r")
        self.ready = iter(lines[1:])
        return line

    def next_chunk(self, parts: Sequence[str]) -> str:
        """More text; '' at the end. parts: of the line that the last piece left open."""
        try:
            return next(self.chunks, "")
        except UnreadableFile as error:
            broken = error
        except DAMAGE:
            broken = UnreadableFile(DAMAGED)
        except OSError as error:
            broken = UnreadableFile(system_reason(error))
        raise self.placed(broken, "".join(parts)) from None

    def placed(self, error: UnreadableFile, read: str) -> UnreadableFile:
        """The error with its place: behind what was read of its line."""
        *whole, line = (read + error.before).split("\n")
        error.line, error.column = self.number + 1 + len(whole), len(line) + 1
        error.excerpt = around(line + error.after, error.column)
        return error


def decoded(stream: IO[bytes], encoding: str) -> Iterator[str]:
    """The text of a stream in pieces, none empty; up to the first byte that is not text."""
    chunk = stream.read(CHUNK)
    mark, name = byte_order(chunk, encoding)
    decoder = codecs.getincrementaldecoder(name)()
    chunk, read, final = chunk[len(mark) :], len(mark), False
    while not final:
        final = not chunk
        waiting = len(decoder.getstate()[0])
        try:
            text = decoder.decode(chunk, final)
        except UnicodeError as error:
            yield from filter(None, [text_before(error, name)])
            raise unknown_encoding(error, name, read - waiting) from None
        yield from filter(None, [text])
        read += len(chunk)
        chunk = b"" if final else stream.read(CHUNK)


def byte_order(head: bytes, encoding: str) -> tuple[bytes, str]:
    """The byte order mark that a file begins with, and the name of its encoding."""
    for mark, name in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return mark, name
    if not encoding and head[:4096].count(0) * 10 > len(head[:4096]):
        at = head.index(0)
        raise UnknownEncoding(
            f"byte {at} is NUL, as in UTF-16 without a byte order mark",
            "say which with the encoding 'utf-16-le' or 'utf-16-be'",
            before=head[:at].decode("latin-1"),
            after=head[at : at + AFTER].decode("latin-1").partition("\n")[0],
        )
    return b"", encoding or "utf-8"


def text_before(error: UnicodeError, name: str) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return ""
    return bytes(error.object[: error.start]).decode(name, "ignore")


def unknown_encoding(error: UnicodeError, name: str, start: int) -> UnknownEncoding:
    """Which byte, counted from 0 over the unpacked file, is not text in the encoding."""
    if not isinstance(error, UnicodeDecodeError):
        return UnknownEncoding(f"the file is not {name}", "give its encoding")
    at, value = start + error.start, error.object[error.start]
    what = f"byte {at} (0x{value:02X}) is not {name}"
    rest = bytes(error.object[error.start : error.start + AFTER]).decode(name, "replace")
    advice = "give the file's encoding, such as 'cp1250'"
    return UnknownEncoding(what, advice, after=rest.partition("\n")[0])


def too_large(text: str, limit: int) -> bool:
    """Whether a text takes more than `limit` bytes in UTF-8."""
    if len(text) * 4 <= limit:
        return False
    return len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit


def long_line_reason(line: str) -> str:
    return LONE_CR if "\r" in line[:-1] else "the line is longer than 50 MB; divide it"


def refuse_lone_cr(line: str, number: int) -> None:
    if "\r" in line:
        raise unreadable_at(line.index("\r"), LONE_CR, line, number)


def system_reason(error: OSError) -> str:
    return f"the file cannot be read: {(error.strerror or str(error)).lower()}"
