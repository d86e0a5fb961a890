"""Reuters-21578: SGML with illegal control references, odd dates, tickers in angle brackets.

Source: Lewis, "Reuters-21578 text categorization test collection, README" (1997), section VI.
"""

import html
import re
from collections.abc import Iterator

from corpus.readers.fields import Row
from corpus.readers.files import Lines, UnreadableFile, UnreadableLine, refuse_lone_cr
from corpus.records import MAX_FIELD, BadRecord, ReadOptions
from corpus.segmentation import is_ended
from corpus.tables import looks_like_row

START, END = "<REUTERS", "</REUTERS>"
IDENTIFIER = re.compile(r'<REUTERS[^>]*\bNEWID="([^"]*)"')
REFERENCE = re.compile(r"&#(\d{1,7});")
KEYWORD_FIELDS = ("TOPICS", "PLACES", "PEOPLE", "ORGS", "EXCHANGES")
KEYWORD = re.compile(r"<D>([^<]*)</D>")
TAGGED = re.compile(r"<(TITLE|AUTHOR|DATELINE|MKNOTE)>.*?</\1>", re.DOTALL)
TEXT_TAG = re.compile(r"<TEXT\b[^>]*>")
BLANK_START = re.compile(r"\A\s*\n")
FILLER = re.compile(r"^\*+|blah blah blah\.?", re.IGNORECASE | re.MULTILINE)
# as the wire's operators typed it; a last line "Reuters." ends a sentence and stays
SIGNATURE = re.compile(
    r"\s*(?:reuters?|reuiter|reueter|reute|more)(?: [A-Z]|\s*\d)?(?:\s*\.{2,})?(?:\s*\^M)?\s*",
    re.IGNORECASE,
)
SHORT = 60
NO_ID = "the story has no NEWID; number it"


def read_rows(lines: Lines, file: str, options: ReadOptions) -> Iterator[Row | BadRecord]:
    """The stories of a file as rows of id, title, published_at, text and keywords."""
    found = False
    for line, story in stories(lines):
        found = True
        if isinstance(story, UnreadableLine):
            yield BadRecord(file, line, str(story))
            continue
        values = story_values(story)
        yield Row(line, values) if values["id"] else BadRecord(file, line, NO_ID)
    if not found:
        raise UnreadableFile("no <REUTERS> story was found; is this another format?")


def stories(lines: Lines) -> Iterator[tuple[int, str | UnreadableLine]]:
    """Every story with the line that it begins in; what is no whole story, with the reason."""
    parts: list[str] = []
    first = size = 0
    while True:
        try:
            line = next(lines)
            refuse_lone_cr(line, lines.number)
        except StopIteration:
            break
        except UnreadableLine as error:
            yield error.line, error
            first, parts, size = 0, [], 0
            continue
        if START in line:
            if first:
                yield first, cut_off(first)
            first, parts, size = lines.number, [], 0
        size += len(line)
        if first and size <= MAX_FIELD:
            parts.append(line)
        if first and END in line:
            yield first, "\n".join(parts) if size <= MAX_FIELD else too_long(first)
            first, parts, size = 0, [], 0
    if first:
        yield first, cut_off(first)


def cut_off(line: int) -> UnreadableLine:
    return UnreadableLine("the story has no </REUTERS>; it was cut off", line)


def too_long(line: int) -> UnreadableLine:
    return UnreadableLine("the story is larger than 10 MB; is a </REUTERS> missing?", line)


def story_values(story: str) -> dict[str, object]:
    identifier = IDENTIFIER.search(story)
    title, text = title_and_text(between(story, *text_marks(story)))
    return {
        "id": identifier[1] if identifier else "",
        "title": title,
        "published_at": stated_date(between(story, "<DATE>", "</DATE>")),
        "text": text,
        "keywords": [word for field in KEYWORD_FIELDS for word in keywords_of(story, field)],
    }


def text_marks(story: str) -> tuple[str, str]:
    start = TEXT_TAG.search(story)
    return (start.group() if start else "<TEXT>"), "</TEXT>"


def between(text: str, start: str, end: str) -> str:
    """What stands between the first `start` and the next `end`; '' where either is missing."""
    _, found, rest = text.partition(start)
    inner, closed, _ = rest.partition(end)
    return inner if found and closed else ""


def stated_date(text: str) -> str:
    """The date without the wire's desk codes, which follow it as tab references."""
    return re.split(r"&#|[\t\n]", text.strip())[0].strip()


def keywords_of(story: str, field: str) -> list[str]:
    return [html.unescape(w) for w in KEYWORD.findall(between(story, f"<{field}>", f"</{field}>"))]


def title_and_text(inner: str) -> tuple[str, str]:
    """The headline and the text of a story, whether or not it has a BODY."""
    headline = readable(between(inner, "<TITLE>", "</TITLE>"))
    if "<BODY>" in inner:
        body = unsigned(readable(between(inner, "<BODY>", "</BODY>")))
        return headline, with_dateline(readable(between(inner, "<DATELINE>", "</DATELINE>")), body)
    text = unsigned(FILLER.sub("", readable(TAGGED.sub("", inner))))
    if headline:
        return headline, text
    first, _, rest = BLANK_START.sub("", text).partition("\n")
    return first.strip(), rest


def readable(text: str) -> str:
    """Text with its references resolved; those to control characters are blanks."""
    return html.unescape(REFERENCE.sub(referred, text))


def referred(match: re.Match) -> str:
    code = int(match[1])
    if code < 32 or 127 <= code < 160 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return " "
    return chr(code)


def unsigned(text: str) -> str:
    """Text without the wire's signature lines at its end."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or SIGNATURE.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def with_dateline(dateline: str, body: str) -> str:
    """The text with its dateline before it: in its first sentence, or above its first row."""
    place, text = " ".join(dateline.split()), body.strip()
    if not place or not text:
        return body
    return f"    {place.rstrip(' -')}\n    {text}" if begins_table(text) else f"    {place} {text}"


def begins_table(text: str) -> bool:
    """Whether the first line is a row, or stands right above one, rather than wraps."""
    first, second = (*text.split("\n", 2), "")[:2]
    if second and not second[0].isspace():
        return False
    return looks_like_row(first) or (
        len(first) <= SHORT and not is_ended(first) and looks_like_row(second)
    )
