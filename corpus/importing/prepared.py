"""Records with what follows from them, computed once for both passes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from corpus.duplicates import content_hash, record_hash
from corpus.models import Article, Corpus
from corpus.readers.identifiers import folded_hash, folded_id, stored_clash
from corpus.records import ArticleRecord, BadRecord, ParagraphRecord
from corpus.tables import is_tabular

MOST_RECORDS = 500
MOST_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """One article of a file: what it states, and what follows from its text."""

    record: ArticleRecord
    record_hash: str
    content_hash: str
    is_tabular: bool

    @property
    def external_id(self) -> str:
        return self.record.external_id

    @property
    def paragraphs(self) -> tuple[ParagraphRecord, ...]:
        """Those that are stored: the title first, as rank 0."""
        title = self.record.title
        texts = self.record.paragraphs
        return (ParagraphRecord(0, title, "title"), *texts) if title else texts


@dataclass(slots=True)
class Batch:
    """Neighbouring records, sorted by what an import does with them.

    read: how many records of all files, bad ones included, end with this batch.
    article_ids: {external id: primary key} of the changed ones.
    units: {external id: the parts of each of the article's paragraphs, as they are stored}, of
    what is written; filled by the second pass.
    """

    read: int
    bad: list[BadRecord] = field(default_factory=list)
    same: int = 0
    new: list[Prepared] = field(default_factory=list)
    changed: list[Prepared] = field(default_factory=list)
    article_ids: dict[str, int] = field(default_factory=dict)
    units: dict[str, list[str]] = field(default_factory=dict)

    @property
    def written(self) -> list[Prepared]:
        return [*self.new, *self.changed]


def sorted_batches(
    corpus: Corpus, records: Iterable, *, read: int = 0, is_cased: bool = False
) -> Iterator[Batch]:
    """The records in batches, each article compared with what is stored.

    read: how many records went before these.
    is_cased: ids that differ by case or blanks alone are told apart.
    """
    for records_of_batch in batches(records):
        read += len(records_of_batch)
        yield sorted_batch(corpus, records_of_batch, read, is_cased=is_cased)


def batches(records: Iterable) -> Iterator[list]:
    """Lists of neighbouring records, small in number and in text: memory stays flat."""
    batch: list = []
    size = 0
    for record in records:
        batch.append(record)
        size += characters_of(record)
        if len(batch) >= MOST_RECORDS or size >= MOST_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def characters_of(record: ArticleRecord | BadRecord) -> int:
    if isinstance(record, BadRecord):
        return 0
    return sum(len(paragraph.text) for paragraph in record.paragraphs)


def sorted_batch(corpus: Corpus, records: list, read: int, *, is_cased: bool) -> Batch:
    ids = [record.external_id for record in records if isinstance(record, ArticleRecord)]
    known = stored_hashes(corpus, ids)
    alike = {} if is_cased else stored_alike(corpus, [each for each in ids if each not in known])
    batch = Batch(read)
    for record in (checked(record, alike) for record in records):
        if isinstance(record, BadRecord):
            batch.bad.append(record)
            continue
        record = in_zone(corpus, record)
        pk, stored = known.get(record.external_id, (None, ""))
        if pk is None:
            batch.new.append(prepared(record, record_hash(record)))
        elif stored == (digest := record_hash(record)):
            batch.same += 1
        else:
            batch.changed.append(prepared(record, digest))
            batch.article_ids[record.external_id] = pk
    return batch


def checked(record: ArticleRecord | BadRecord, alike: dict[str, str]) -> ArticleRecord | BadRecord:
    """The record; why it cannot be used, where its id is hard to tell from a stored one."""
    if isinstance(record, BadRecord) or record.external_id not in alike:
        return record
    reason = stored_clash(record.external_id, alike[record.external_id])
    return BadRecord(record.file, record.line, reason)


def in_zone(corpus: Corpus, record: ArticleRecord) -> ArticleRecord:
    """A day is a day of the corpus' zone, whatever zone the file's times are in."""
    if not record.is_day or record.published_at is None or record.time_zone == corpus.time_zone:
        return record
    day = record.published_at.astimezone(ZoneInfo(record.time_zone))
    start = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(corpus.time_zone))
    return replace(record, published_at=start.astimezone(UTC), time_zone=corpus.time_zone)


def prepared(record: ArticleRecord, digest: str) -> Prepared:
    paragraphs = record.paragraphs
    return Prepared(record, digest, content_hash(paragraphs), is_tabular(paragraphs))


def stored_hashes(corpus: Corpus, external_ids: list[str]) -> dict[str, tuple[int, str]]:
    """{external id: (article id, record hash)} of those articles that are stored already."""
    if corpus.pk is None:  # the first pass of a corpus that is not there yet
        return {}
    rows = Article.objects.visible().filter(corpus=corpus, external_id__in=external_ids)
    return {row[0]: row[1:] for row in rows.values_list("external_id", "pk", "record_hash")}


def stored_alike(corpus: Corpus, new_ids: list[str]) -> dict[str, str]:
    """{new id: a stored one that differs from it by case or blanks alone}, by one query."""
    if corpus.pk is None or not new_ids:
        return {}
    rows = Article.objects.visible().filter(
        corpus=corpus, folded_hash__in={folded_hash(each) for each in new_ids}
    )
    stored = {folded_id(each): each for each in rows.values_list("external_id", flat=True)}
    return {each: stored[folded_id(each)] for each in new_ids if folded_id(each) in stored}
