"""What reading a file of articles gives: plain records, before anything is stored."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

FORMATS = ("jsonl", "csv", "reuters", "frontmatter", "scifact", "feverous", "fever-wiki")
# Pages of encyclopedias, whose names may differ by case alone.
CASED = ("feverous", "fever-wiki")
FIELDS = (
    "id",
    "title",
    "published_at",
    "text",
    "paragraphs",
    "article",
    "rank",
    "url",
    "section",
    "keywords",
    "language",
)

PROSE, TABLE, LIST = "prose", "table", "list"
SENTENCE, CELL, HEADER_CELL = "sentence", "cell", "header_cell"
LIST_ITEM, CAPTION = "list_item", "caption"

MAX_ID = 200
MAX_TITLE = 1_000
MAX_LABEL = 200
MAX_URL = 2_000
MAX_FIELD = 10_000_000
MAX_LINE = 50_000_000
MAX_RANK = 2_000_000_000
MAX_PARAGRAPHS = 100_000


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A part of a paragraph that can be cited alone: text[start:end], in code points.

    headers: the ids of the header cells that a cell stands under.
    """

    id: str
    kind: str
    start: int
    end: int
    external_id: str = ""
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParagraphRecord:
    """One paragraph; rank counts from 1, the title being rank 0 and not among them."""

    rank: int
    text: str
    kind: str = PROSE
    section_path: tuple[str, ...] = ()
    units: tuple[UnitRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class ArticleRecord:
    """One article as a file states it; published_at is in UTC, None in an undated corpus.

    published_at: the first instant of the second, or of the day (is_day), that was stated.
    paragraphs: in order of rank, ranks may have gaps; empty for an article without text.
    language: '' stands for the corpus' own.
    file, line: where the article begins.
    """

    external_id: str
    title: str
    published_at: datetime | None
    is_day: bool
    paragraphs: tuple[ParagraphRecord, ...]
    url: str = ""
    section: str = ""
    keywords: tuple[str, ...] = ()
    language: str = ""
    file: str = ""
    line: int = 0
    time_zone: str = "UTC"

    @property
    def available_at(self) -> datetime | None:
        """When the article is sure to have been out: for a day, its last microsecond."""
        if self.published_at is None or not self.is_day:
            return self.published_at
        zone = ZoneInfo(self.time_zone)
        day = self.published_at.astimezone(zone)
        # by the calendar, since a day may have 23 or 25 hours and begin at 01:00
        tomorrow = datetime(day.year, day.month, day.day, tzinfo=zone) + timedelta(days=1)
        return tomorrow.astimezone(UTC) - timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """What cannot be read, and why, in one line for the person who made the file.

    line: counts from 1; 0 stands for the file as a whole.
    stops_file: nothing after this place was read, so skipping it skips the rest of the file.
    column, excerpt: where in the line, counted from 1, and what stands there, as far as known.
    """

    file: str
    line: int
    reason: str
    stops_file: bool = False
    column: int = field(default=0, compare=False)
    excerpt: str = field(default="", compare=False)


@dataclass(frozen=True)
class ReadOptions:
    """How to read the files of one import; wrong values raise a ValueError that says the fix.

    encoding: '' for UTF-8, or UTF-16 and UTF-32 by their byte order mark.
    delimiter: '' for a tab in .tsv files and a comma elsewhere; quote: '' for none.
    header: the column names of a CSV file that does not begin with them.
    mapping: our field name -> the file's name for it; '' leaves the field out.
    units: whether sentences are looked for; a pass that only reports goes faster without.
    now: the moment after which a date lies in the future; None for the time of reading.
    """

    format: str = "jsonl"
    time_zone: str = "UTC"
    encoding: str = ""
    date_format: str = ""
    undated: bool = False
    delimiter: str = ""
    quote: str = '"'
    header: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    units: bool = True
    now: datetime | None = None

    @property
    def is_cased(self) -> bool:
        """Whether ids that differ by case or blanks alone are told apart."""
        return self.format in CASED

    def __post_init__(self):
        check_choice("format", self.format, FORMATS)
        check_time_zone(self.time_zone)
        check_encoding(self.encoding)
        check_date_format(self.date_format)
        check_csv_marks(self.delimiter, self.quote)
        check_header(self.header)
        for name in self.mapping:
            check_choice("field in the mapping", name, FIELDS)


def check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"The {what} is {value!r}; use one of {', '.join(choices)}.")


def check_time_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(
            f"The time zone is {name!r}; use a name such as 'Europe/Prague' or 'UTC'."
        ) from None


def check_encoding(name: str) -> None:
    """Refuse what is no text encoding: Python also lists codecs such as rot13 and zlib."""
    if not name:
        return
    try:
        is_text = codecs.lookup(name)._is_text_encoding
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise ValueError(f"The encoding is {name!r}; use a name such as 'cp1250' or 'utf-16-le'.")


def check_date_format(pattern: str) -> None:
    """Refuse a date format that cannot be read back, or that states no full day."""
    if not pattern:
        return
    probe = datetime(2001, 12, 25, 13, 14, 15, tzinfo=UTC)
    try:
        day = datetime.strptime(probe.strftime(pattern), pattern).date()
    except (ValueError, TypeError, KeyError, IndexError):
        day = None
    if day != probe.date():
        raise ValueError(
            f"The date format is {pattern!r}; it needs a year, a month and a day, "
            "such as '%d.%m.%Y %H:%M'."
        )


def check_csv_marks(delimiter: str, quote: str) -> None:
    for what, value in (("delimiter", delimiter), ("quote", quote)):
        if len(value) > 1 or value in {"\r", "\n", "\0", " "}:
            raise ValueError(f"The {what} is {value!r}; use one visible character or a tab.")
    if quote and delimiter == quote:
        raise ValueError(f"The delimiter and the quote are both {quote!r}; use two characters.")


def check_header(header: tuple[str, ...]) -> None:
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise ValueError(f"The header names {twice[0]!r} twice; give each column its own name.")


def article_of(paragraph: str) -> str:
    """The article of a public paragraph id: what stands before rank and version."""
    article, _, rank = paragraph.rpartition("_")
    if not article or not rank.isdigit():
        return paragraph
    return re.sub(r"@\d+$", "", article)
