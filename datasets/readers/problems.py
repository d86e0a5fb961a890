"""What cannot be read, and where: file, line, column, and what stands there."""

from dataclasses import dataclass

from corpus.readers.files import UnknownEncoding, Unreadable, UnreadableFile, around

# Nobody can state an encoding here, as they can where texts are imported.
OF_DATASETS = "save the file as UTF-8"


@dataclass(frozen=True, slots=True)
class Problem:
    """One line for the person who made the file.

    line, column: count from 1; 0 stands for the file as a whole. excerpt: what stands around
    the column. stops_file: nothing after this place was read.
    """

    file: str
    line: int
    column: int
    reason: str
    excerpt: str = ""
    stops_file: bool = False

    def __str__(self):
        place = ":".join([self.file, *(str(each) for each in (self.line, self.column) if each)])
        return f"{place}: {self.reason}" + (f": {self.excerpt}" if self.excerpt else "")

    def as_dict(self) -> dict:
        """As reports print it."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "reason": self.reason,
            "excerpt": self.excerpt,
        }


class Unusable(ValueError):
    """Why a record makes no claim; key: the field that is wrong, '' where one is missing."""

    def __init__(self, reason: str, key: str = ""):
        super().__init__(reason)
        self.key = key


def problem_at(file: str, line: int, column: int, reason: str, text: str) -> Problem:
    """The problem with a part of the text around it."""
    return Problem(file, line, column, printable(reason), one_line(around(text, column)))


def unreadable(file: str, error: Unreadable) -> Problem:
    """The problem of a line, or of a file from some place on, that is no text or no record."""
    what = f"{error.what}; {OF_DATASETS}" if isinstance(error, UnknownEncoding) else str(error)
    is_last = isinstance(error, UnreadableFile)
    return Problem(file, error.line, error.column, what, one_line(error.excerpt), is_last)


def one_line(excerpt: str) -> str:
    return " ".join(printable(excerpt).split())


def printable(text: str) -> str:
    """The text with what cannot be shown or encoded as question marks."""
    return "".join(c if c.isprintable() else "?" if c.strip() else " " for c in text)


def column_of(text: str, key: str) -> int:
    """Where a field's name stands in a line of JSON, counted from 1; 1 where it is not there."""
    return max(text.find(f'"{key}"'), 0) + 1 if key else 1
