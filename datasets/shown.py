"""What lay before annotators when they answered: dictionaries and articles, by public ids."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain

from django.db.models import QuerySet

from annotation.models import Instance, OpenedArticle
from corpus.models import Paragraph, versioned_name
from dictionaries.models import DictionaryEntry
from operations.listed import listed

MOST_NAMES = 200_000  # about 25 MB


class ParagraphNames:
    """The public ids of paragraphs. Those met are kept: dictionaries share theirs."""

    def __init__(self) -> None:
        self.known: dict[int, str] = {}

    def of(self, paragraphs: Iterable[int]) -> dict[int, str]:
        """{paragraph's id: its public id}, of at least these."""
        wanted = set(paragraphs)
        if len(self.known) + len(wanted) > MOST_NAMES:
            self.known = {}
        if missing := wanted - self.known.keys():
            rows = Paragraph.objects.filter(pk__in=listed(missing)).order_by()
            self.known.update(rows.values_list("pk", "public_id"))
        return self.known


def entry_rows(batch: list[dict]) -> QuerySet:
    """(dictionary, paragraph) of the dictionaries that lay before the annotators, in order."""
    wanted = {row[name] for row in batch for name in ("source_dictionary", "claim_dictionary")}
    rows = DictionaryEntry.objects.filter(dictionary__in=listed(wanted - {None}))
    rows = rows.order_by("dictionary_id", "method", "rank")
    return rows.values_list("dictionary_id", "paragraph_id")


def opened_rows(batch: list[dict]) -> QuerySet:
    """(assignment, article, version) of what was opened, in that order."""
    assignments = [row["assignment"] for row in batch if row["assignment"]]
    rows = OpenedArticle.objects.filter(assignment__in=listed(assignments))
    rows = rows.order_by("assignment_id", "pk")
    return rows.values_list("assignment_id", "article__external_id", "version")


def shown_of(
    batch: list[dict], entries: list[tuple], opened: list[tuple], names: ParagraphNames
) -> dict[int, dict[str, list[str]]]:
    """{annotation id: what lay before its annotator beside the source}.

    dictionaries: the paragraphs retrieved for the source and the claim, each once; opened: the
    articles that were opened. The scope of one article or passage is named by its instance.
    """
    held, versions = paragraphs_held(entries, names), versions_opened(opened)
    pairs = {row["pk"]: dictionaries_of(row) for row in batch}
    both = {pair: joined(held, pair) for pair in set(pairs.values())}
    return {
        row["pk"]: {
            "dictionaries": both[pairs[row["pk"]]],
            "opened": versions.get(row["assignment"], []),
        }
        for row in batch
    }


def dictionaries_of(row: dict) -> tuple:
    """Of the source and of the claim; none where one article or passage is the scope."""
    is_whole = row["scope"] == Instance.ScopeKind.WHOLE
    return (row["source_dictionary"], row["claim_dictionary"]) if is_whole else ()


def joined(held: dict[int, list[str]], dictionaries: tuple) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(held.get(each, ()) for each in dictionaries)))


def paragraphs_held(entries: list[tuple], names: ParagraphNames) -> dict[int, list[str]]:
    name_of = names.of(paragraph for _, paragraph in entries)
    held: dict[int, list[str]] = defaultdict(list)
    for dictionary, paragraph in entries:
        held[dictionary].append(name_of[paragraph])
    return held


def versions_opened(opened: list[tuple]) -> dict[int, list[str]]:
    versions: dict[int, list[str]] = defaultdict(list)
    for assignment, external_id, version in opened:
        versions[assignment].append(versioned_name(external_id, version))
    return versions
