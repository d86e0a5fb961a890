"""What lay before annotators when they answered: dictionaries and articles, by public ids."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain

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


def shown_of(batch: list[dict], names: ParagraphNames) -> dict[int, dict[str, list[str]]]:
    """{annotation id: what lay before its annotator beside the source}.

    dictionaries: the paragraphs retrieved for the source and the claim, each once; opened: the
    articles that were opened. The scope of one article or passage is named by its instance.
    """
    wanted = {row[name] for row in batch for name in ("source_dictionary", "claim_dictionary")}
    entries = dictionary_paragraphs(wanted - {None}, names)
    opened = opened_articles([row["assignment"] for row in batch if row["assignment"]])
    pairs = {row["pk"]: dictionaries_of(row) for row in batch}
    both = {pair: joined(entries, pair) for pair in set(pairs.values())}
    return {
        row["pk"]: {
            "dictionaries": both[pairs[row["pk"]]],
            "opened": opened.get(row["assignment"], []),
        }
        for row in batch
    }


def dictionaries_of(row: dict) -> tuple:
    """Of the source and of the claim; none where one article or passage is the scope."""
    is_whole = row["scope"] == Instance.ScopeKind.WHOLE
    return (row["source_dictionary"], row["claim_dictionary"]) if is_whole else ()


def joined(entries: dict[int, list[str]], dictionaries: tuple) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(entries.get(each, ()) for each in dictionaries)))


def dictionary_paragraphs(dictionaries: set[int], names: ParagraphNames) -> dict[int, list[str]]:
    rows = DictionaryEntry.objects.filter(dictionary__in=listed(dictionaries))
    rows = rows.order_by("dictionary_id", "method", "rank")
    entries = list(rows.values_list("dictionary_id", "paragraph_id"))
    name_of = names.of(paragraph for _, paragraph in entries)
    found: dict[int, list[str]] = defaultdict(list)
    for dictionary, paragraph in entries:
        found[dictionary].append(name_of[paragraph])
    return found


def opened_articles(assignments: list[int]) -> dict[int, list[str]]:
    rows = OpenedArticle.objects.filter(assignment__in=listed(assignments)).order_by(
        "assignment_id", "pk"
    )
    found: dict[int, list[str]] = defaultdict(list)
    columns = ("assignment_id", "article__external_id", "version")
    for assignment, external_id, version in rows.values_list(*columns):
        found[assignment].append(versioned_name(external_id, version))
    return found
