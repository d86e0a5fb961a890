"""What decided claims cite, looked up in the corpus for a batch at once."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from corpus.models import Paragraph
from datasets.importing.linking import Part, parts_of
from datasets.lost import Lost
from datasets.options import NUMBERS
from datasets.records import Cited
from operations.listed import listed


def cited_parts(
    parts: Iterable[Part], *, with_text: bool, names: str = ""
) -> dict[Part, tuple[Cited, ...]]:
    """What stands in an export for each (paragraph, unit); unit '' is the whole paragraph.

    names: what files call the parts, "numbers" or "elements"; a paragraph is then all its
    sentences. Without it parts have no names.
    """
    wanted = set(parts)
    known = paragraphs_by_id({paragraph for paragraph, _ in wanted}, with_text=with_text)
    named = names_of_parts(known, names) if names else {}
    return {
        (paragraph, unit): tuple(units_of(known[paragraph], unit, named.get(paragraph, {})))
        for paragraph, unit in wanted
    }


def units_of(cited: Cited, unit: str, names: Mapping[str, str]) -> Iterator[Cited]:
    """The part under its name; each sentence of a whole paragraph that has no name itself."""
    whole = not unit and unit not in names
    for own in [own for own in names if is_sentence(own)] or [unit] if whole else [unit]:
        yield Cited(cited.paragraph, cited.text, unit=own, external=names.get(own, ""))


def is_sentence(unit: str) -> bool:
    """Whether a unit's id is that of a sentence: s0, or sentence_0 as some corpora have it."""
    return unit.startswith("s")


def names_of_parts(paragraphs: Iterable[int], names: str) -> dict[int, dict[str, str]]:
    """{paragraph: {unit: name}} of all parts of the articles that hold these paragraphs."""
    held = Paragraph.objects.filter(pk__in=listed(paragraphs))
    wanted = set(held.values_list("article_id", "version").distinct())
    rows = Paragraph.objects.filter(article__in=listed({article for article, _ in wanted}))
    columns = ("article_id", "version", "rank", "pk", "units")
    named: dict[int, dict[str, str]] = {}
    read = rows.order_by("article_id", "version", "rank").values(*columns)
    for version, group in groupby(read, key=itemgetter("article_id", "version")):
        if version in wanted:
            for name, (paragraph, unit) in parts_of(list(group)).items():
                if name.isdecimal() == (names == NUMBERS):
                    named.setdefault(paragraph, {}).setdefault(unit, name)
    return named


def cited_set(items: Iterable, known: Mapping[Part, tuple[Cited, ...]]) -> tuple[Cited, ...]:
    """A set as it is written, with what the corpus does not hold as its file named it."""
    cited: list[Cited] = []
    for item in items:
        if isinstance(item, Lost):
            cited.append(lost_cited(item))
        else:
            cited.extend(known[item])
    return tuple(cited)


def lost_cited(item: Lost) -> Cited:
    return Cited(item.paragraph, item.text, item.unit, item.external, is_resolved=False)


def paragraphs_by_id(ids: Iterable[int], *, with_text: bool) -> dict[int, Cited]:
    columns = ("pk", "public_id", "text") if with_text else ("pk", "public_id")
    rows = Paragraph.objects.filter(pk__in=listed(ids)).values_list(*columns)
    return {pk: Cited(*fields) for pk, *fields in rows}
