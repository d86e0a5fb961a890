"""From the rows of a file to articles: one row an article, or one row a paragraph."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from corpus.dates import Moment, parse_date
from corpus.markup import markdown_blocks, markup_blocks, plain
from corpus.readers import fields as check
from corpus.readers.fields import Fields, Row
from corpus.readers.identifiers import SeenIds
from corpus.records import (
    MAX_LINE,
    MAX_PARAGRAPHS,
    PROSE,
    ArticleRecord,
    BadRecord,
    ParagraphRecord,
    ReadOptions,
)
from corpus.segmentation import given_blocks, kind_of, numbered, text_blocks
from corpus.sentences import sentence_units
from corpus.texts import clean_text

BLOCKS = {
    "jsonl": markup_blocks,
    "csv": markup_blocks,
    "frontmatter": markdown_blocks,
    "reuters": text_blocks,
}
# whose titles are marked up as their texts are
MARKED_UP = ("jsonl", "csv", "frontmatter")
# what must not differ between the lines of one article
SHARED_FIELDS = ("title", "published_at", "language")


def articles(
    rows: Iterable[Row | BadRecord], file: str, options: ReadOptions, seen: SeenIds
) -> Iterator[ArticleRecord | BadRecord]:
    """The articles of one file, in the order of their first lines.

    Neighbouring rows with `article` and `rank` make one article. Where such an article comes
    again after another one, its later lines are one BadRecord, so that memory stays flat.
    """
    group = Group()
    for row in rows:
        if isinstance(row, BadRecord):
            yield row
            continue
        try:
            found = Fields(row.values, options)
            name = check.external_id(found, "article") if in_paragraphs(found) else None
        except ValueError as error:
            yield BadRecord(file, row.line, str(error))
            continue
        if group.rows and name != group.name:
            yield from group_article(group, file, options, seen)
            group = Group()
        if name is None:
            yield row_article(row, found, file, options, seen)
        else:
            group.add(name, row.line, found)
    if group.rows:
        yield from group_article(group, file, options, seen)


def in_paragraphs(found: Fields) -> bool:
    """Whether a row is one paragraph; raises ValueError where it says so by half."""
    article, rank = found.raw("article") is not None, found.raw("rank") is not None
    if article and not rank:
        raise found.missing("rank")
    return article and rank


def row_article(
    row: Row, found: Fields, file: str, options: ReadOptions, seen: SeenIds
) -> ArticleRecord | BadRecord:
    try:
        external_id = check.external_id(found)
        seen.add(external_id, file, row.line)
        article = article_from(found, external_id, file, row.line)
        paragraphs = row_paragraphs(found)
    except ValueError as error:
        return BadRecord(file, row.line, str(error))
    return with_paragraphs(article, paragraphs, options)


def article_from(found: Fields, external_id: str, file: str, line: int) -> ArticleRecord:
    """An article without its paragraphs."""
    options = found.options
    moment = moment_of(found)
    return ArticleRecord(
        external_id=external_id,
        title=check.title(found, marked_up=options.format in MARKED_UP),
        published_at=moment.instant if moment else None,
        is_day=bool(moment and moment.is_day),
        paragraphs=(),
        url=check.url(found),
        section=check.label(found.text("section"), "section"),
        keywords=check.keywords(found),
        language=check.language(found) or options.language,
        file=file,
        line=line,
        time_zone=options.time_zone,
    )


def moment_of(found: Fields) -> Moment | None:
    options = found.options
    if options.undated:
        return None
    if not found.has("published_at"):
        raise found.missing("published_at")
    now = options.now or datetime.now(UTC)
    return parse_date(
        found.text("published_at"),
        zone=options.time_zone,
        date_format=options.date_format,
        now=now,
    )


def row_paragraphs(found: Fields) -> tuple[ParagraphRecord, ...]:
    """The paragraphs that a row gives: as a list, whose positions are the ranks, or in one text."""
    given = found.raw("paragraphs")
    if isinstance(given, tuple):  # made by the format's reader
        return few(given)
    if given is not None:
        return listed_paragraphs(given)
    if not found.has("text"):
        raise found.missing("text")
    return few(numbered(BLOCKS[found.options.format](found.text("text"))))


def listed_paragraphs(given: object) -> tuple[ParagraphRecord, ...]:
    if not isinstance(given, list):
        raise ValueError("paragraphs is not a list; write a list of texts, or one text as 'text'")
    texts = [plain(check.checked_text(text, "a paragraph")) for text in given]
    return few(tuple(p for p in numbered(given_blocks(texts)) if p.text))


def few(paragraphs: tuple[ParagraphRecord, ...]) -> tuple[ParagraphRecord, ...]:
    if len(paragraphs) > MAX_PARAGRAPHS:
        raise ValueError(f"the article has more than {MAX_PARAGRAPHS:,} paragraphs; divide it")
    return paragraphs


def with_paragraphs(
    article: ArticleRecord, paragraphs: Iterable[ParagraphRecord], options: ReadOptions
) -> ArticleRecord:
    """The article with its paragraphs, their sentences found where the options ask for units."""
    if options.units:
        paragraphs = (with_sentences(p, article.language) for p in paragraphs)
    return replace(article, paragraphs=tuple(paragraphs))


def with_sentences(paragraph: ParagraphRecord, language: str) -> ParagraphRecord:
    if paragraph.kind != PROSE or paragraph.units:
        return paragraph
    units = sentence_units(paragraph.text, language)
    return ParagraphRecord(paragraph.rank, paragraph.text, PROSE, paragraph.section_path, units)


class Group:
    """The neighbouring rows of one article, as long as they are few enough to hold."""

    def __init__(self):
        self.name = ""
        self.rows: list[tuple[int, Fields]] = []
        self.size = 0
        self.too_large = False

    def add(self, name: str, line: int, found: Fields) -> None:
        self.name = name
        text = found.raw("text")
        self.size += len(text) if isinstance(text, str) else 0
        self.too_large |= self.size > MAX_LINE or len(self.rows) >= MAX_PARAGRAPHS
        if not self.too_large:
            self.rows.append((line, found))


def group_article(
    group: Group, file: str, options: ReadOptions, seen: SeenIds
) -> Iterator[ArticleRecord | BadRecord]:
    """One article from its rows, after the rows that cannot be used."""
    first_line, first = group.rows[0]
    try:
        seen.add(group.name, file, first_line)
        if group.too_large:
            raise ValueError(
                f"article {group.name!r} has too many lines or is over 50 MB; divide it"
            )
        article = article_from(merged(group.rows), group.name, file, first_line)
    except ValueError as error:
        yield BadRecord(file, first_line, str(error))
        return
    paragraphs: dict[int, ParagraphRecord] = {}
    for line, found in group.rows:
        try:
            agree(found, first, first_line)
            paragraph = paragraph_from(found, paragraphs)
        except ValueError as error:
            yield BadRecord(file, line, str(error))
            continue
        paragraphs[paragraph.rank] = paragraph
    if not paragraphs:
        return
    title = paragraphs.pop(0, None)
    if title and not article.title:
        article = replace(article, title=" ".join(title.text.split()))
    ordered = [paragraphs[rank] for rank in sorted(paragraphs)]
    yield with_paragraphs(article, ordered, options)


def merged(rows: list[tuple[int, Fields]]) -> Fields:
    """The fields of an article: of each, the first that one of its rows states."""
    values: dict[str, object] = {}
    for _, found in rows:
        for name, value in found.values.items():
            if values.get(name) in (None, ""):
                values[name] = value
    return Fields(values, rows[0][1].options)


def agree(found: Fields, first: Fields, first_line: int) -> None:
    """Refuse a row that states something else about its article than the first row."""
    for name in SHARED_FIELDS:
        here, there = found.raw(name), first.raw(name)
        if here not in (None, "") and there not in (None, "") and here != there:
            raise ValueError(
                f"{name} is {str(here)[:60]!r} here and {str(there)[:60]!r} in line {first_line} "
                "of the same article; make them equal"
            )


def paragraph_from(found: Fields, before: dict[int, ParagraphRecord]) -> ParagraphRecord:
    rank = check.rank(found)
    if rank in before:
        raise ValueError(f"rank {rank} was given before for this article; number its lines anew")
    if not found.has("text"):
        raise found.missing("text")
    text = clean_text(plain(found.text("text")))
    if not text:
        raise ValueError("text is empty; fill it, or remove the line")
    return ParagraphRecord(rank, text, kind_of(text))
