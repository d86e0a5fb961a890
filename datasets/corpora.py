"""The corpus that goes with a dataset, where it may be published: streamed, by articles' ids."""

from collections.abc import Iterator, Set
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from corpus.models import Article, Corpus, Paragraph, versioned_name
from datasets.folders import LinesFile
from datasets.importing.linking import parts_of, visible
from datasets.options import CORPUS
from datasets.writers import beir, scifact
from operations.listed import listed

NAME = f"{CORPUS}.jsonl"
BATCH = 500
NAMES_AT_ONCE = 500
COLUMNS = ("article_id", "version", "rank", "pk", "public_id", "text", "units")


def write_corpus(path: Path, corpus: Corpus, format: str, *, only: Set[str] | None = None) -> dict:
    """Every version of every article, as scifact or beir has it; the file's entry.

    only: public ids of the paragraphs whose texts may be published, where not all may.
    """
    out = LinesFile(path / NAME)
    documents = scifact_documents if format == "scifact" else beir_documents
    for name, title, rows in versions_of(corpus, only):
        for line in documents(name, title, rows):
            out.write(line.encode() + b"\n")
    return out.close()


def versions_of(corpus: Corpus, only: Set[str] | None) -> Iterator[tuple[str, str, list[dict]]]:
    """(name, title, paragraphs) of each version. Sorted here: databases sort texts differently."""
    for name, title, rows in whole_versions(corpus, only):
        if only is None:
            yield name, title, rows
        elif shown := {row["public_id"] for row in rows} & only:
            # A title is a paragraph as well: of this version, and to be cited itself.
            titles = [row["text"] for row in rows if row["rank"] == 0 and row["public_id"] in shown]
            kept = [row if row["public_id"] in shown else row | {"text": None} for row in rows]
            yield name, "".join(titles), kept


def whole_versions(corpus: Corpus, only: Set[str] | None) -> Iterator[tuple[str, str, list[dict]]]:
    """Of all articles, or of those that hold some of these paragraphs."""
    named = Article.objects.visible().filter(corpus=corpus).values_list("external_id", "pk")
    if only is not None:
        named = named.filter(pk__in=listed(articles_with(corpus, only)))
    articles = iter(sorted(named.iterator(chunk_size=5000)))
    while batch := {pk: name for name, pk in islice(articles, BATCH)}:
        titles = dict(Article.objects.filter(pk__in=listed(batch)).values_list("pk", "title"))
        found = visible(Paragraph.objects.filter(article__in=listed(batch)))
        places = {pk: place for place, pk in enumerate(batch)}
        key = itemgetter("article_id", "version", "rank")
        rows = sorted(found.values(*COLUMNS), key=lambda row: (places[row["article_id"]], key(row)))
        for (article, version), group in groupby(rows, key=itemgetter("article_id", "version")):
            yield versioned_name(batch[article], version), titles[article], list(group)


def articles_with(corpus: Corpus, names: Set[str]) -> set[int]:
    """The articles that hold the paragraphs of these public ids."""
    ordered, found = sorted(names), set()
    for start in range(0, len(ordered), NAMES_AT_ONCE):
        piece = ordered[start : start + NAMES_AT_ONCE]
        rows = Paragraph.objects.filter(corpus=corpus, public_id__in=piece)
        found.update(rows.values_list("article_id", flat=True))
    return found


def beir_documents(name: str, title: str, rows: list[dict]) -> Iterator[str]:
    """A document for each paragraph that may be shown; a title that is cited is one, too."""
    for row in rows:
        if row["text"] is not None:
            yield beir.document(row["public_id"], title, row["text"])


def scifact_documents(name: str, title: str, rows: list[dict]) -> Iterator[str]:
    """One document: the sentences at the places that their numbers say."""
    texts = {row["pk"]: row for row in rows}
    numbered = {int(n): part for n, part in parts_of(rows).items() if n.isdecimal()}
    sentences = [""] * (max(numbered, default=-1) + 1)
    for number, (paragraph, unit) in numbered.items():
        sentences[number] = unit_text(texts[paragraph], unit)
    yield scifact.document(name, title, sentences)


def unit_text(row: dict, unit: str) -> str:
    found = next(each for each in row["units"] if each["id"] == unit)
    return (row["text"] or "")[found["start"] : found["end"]]
