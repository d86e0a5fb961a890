"""The corpus that goes with a dataset, where it may be published: streamed, by articles' ids."""

from collections.abc import Iterator
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
COLUMNS = ("article_id", "version", "rank", "pk", "public_id", "text", "units")


def write_corpus(path: Path, corpus: Corpus, format: str) -> dict:
    """Every version of every article, as scifact or beir has it; the file's entry."""
    out = LinesFile(path / NAME)
    documents = scifact_documents if format == "scifact" else beir_documents
    for name, title, rows in versions_of(corpus):
        for line in documents(name, title, rows):
            out.write(line.encode() + b"\n")
    return out.close()


def versions_of(corpus: Corpus) -> Iterator[tuple[str, str, list[dict]]]:
    """(name, title, paragraphs) of each version. Sorted here: databases sort texts differently."""
    named = Article.objects.visible().filter(corpus=corpus).values_list("external_id", "pk")
    articles = iter(sorted(named.iterator(chunk_size=5000)))
    while batch := {pk: name for name, pk in islice(articles, BATCH)}:
        titles = dict(Article.objects.filter(pk__in=listed(batch)).values_list("pk", "title"))
        found = visible(Paragraph.objects.filter(article__in=listed(batch)))
        places = {pk: place for place, pk in enumerate(batch)}
        key = itemgetter("article_id", "version", "rank")
        rows = sorted(found.values(*COLUMNS), key=lambda row: (places[row["article_id"]], key(row)))
        for (article, version), group in groupby(rows, key=itemgetter("article_id", "version")):
            yield versioned_name(batch[article], version), titles[article], list(group)


def beir_documents(name: str, title: str, rows: list[dict]) -> Iterator[str]:
    """A document for each paragraph; a title that is cited is one, too."""
    for row in rows:
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
    return row["text"][found["start"] : found["end"]]
