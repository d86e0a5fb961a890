"""What a file cites, found in the campaign's corpus by id."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from django.db.models import F

from corpus.models import Article, Corpus, Import, Paragraph
from corpus.records import CAPTION, LIST_ITEM, SENTENCE
from corpus.texts import clean_text, one_line
from datasets.readers.records import ARTICLE, PASSAGE, ReadClaim, ReadInstance
from datasets.records import Cited
from operations.listed import listed

VERSION = re.compile(r"@([1-9]\d{0,8})$")
TITLE = "title"
Part = tuple[int, str]  # a paragraph's primary key and a unit's id, '' for the whole


@dataclass(frozen=True, slots=True)
class FoundArticle:
    """One version of an article. parts: by the ids or numbers that files give them."""

    pk: int
    version: int
    parts: dict[str, Part] = field(default_factory=dict)
    ranks: dict[str, Part] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


@dataclass
class Links:
    """What of a batch of claims is in the corpus."""

    paragraphs: dict[str, Paragraph] = field(default_factory=dict)
    articles: dict[str, FoundArticle] = field(default_factory=dict)
    sentences: dict[int, dict[str, str]] = field(default_factory=dict)
    by_ranks: bool = False

    def source(self, claim: ReadClaim) -> Paragraph | None:
        return self.paragraphs.get(name_of(claim.source)) if claim.source else None

    def part(self, cited: Cited, source: Paragraph | None) -> Part | None:
        """The cited paragraph or unit; None where the corpus has none of that id."""
        if cited.text and not cited.paragraph:
            same = source is not None and one_line(source.text) == one_line(cited.text)
            return (source.pk, "") if source is not None and same else None
        if not cited.external:
            found = self.paragraphs.get(name_of(cited.paragraph))
            return None if found is None else (found.pk, "")
        article = self.articles.get(name_of(cited.paragraph))
        if article is None:
            return None
        return (article.ranks if self.by_ranks else article.parts).get(cited.external)

    def sentence(self, cited: Cited, passage: int) -> Part | None:
        """A sentence of the passage that is the scope, by its text."""
        unit = self.sentences[passage].get(one_line(cited.text))
        return None if unit is None else (passage, unit)

    def scope(self, instance: ReadInstance) -> dict | None:
        """The columns of an instance; None where its article or passage is not in the corpus."""
        target = instance.target
        if target is None:
            return {"scope_kind": instance.kind}
        article = self.articles.get(name_of(target.paragraph))
        if instance.kind == ARTICLE:
            return article and scope_of_article(article)
        passage = self.passage(target, article)
        return passage and {"scope_kind": PASSAGE, "passage_id": passage[0]}

    def scope_name(self, instance: ReadInstance) -> str:
        """How we name an instance; as its file does where its passage is not in the corpus."""
        if instance.kind != PASSAGE or instance.target is None:
            return instance.name
        article = self.articles.get(name_of(instance.target.paragraph))
        found = self.passage(instance.target, article)
        return found[1] if found else instance.name

    def passage(self, target: Cited, article: FoundArticle | None) -> tuple[int, str] | None:
        """A passage (primary key, public id) by its public id, else by its text or rank."""
        if found := self.paragraphs.get(name_of(target.external)):
            return found.pk, found.public_id
        if article is None:
            return None
        rank, _unit = article.ranks.get(target.external, (None, ""))
        pk = article.texts.get(one_line(target.text)) or rank
        return None if pk is None else (pk, article.names[pk])


def scope_of_article(article: FoundArticle) -> dict:
    return {
        "scope_kind": ARTICLE,
        "article_id": article.pk,
        "article_version": article.version,
    }


def name_of(external_id: str) -> str:
    """An id as the corpus keeps it."""
    return clean_text(external_id)


def look_up(corpus: Corpus | None, claims: list[ReadClaim], *, lines: str) -> Links:
    """Everything that the claims cite and that a complete import brought into the corpus."""
    links = Links(by_ranks=lines == "ranks")
    if corpus is None:
        return links
    cited = list(all_cited(claims))
    scopes = [i for claim in claims for i in claim.instances if i.target is not None]
    links.paragraphs = paragraphs_named(corpus, paragraph_names(claims, cited, scopes))
    names = {name_of(each.paragraph) for each in cited if each.external}
    names |= {name_of(i.target.paragraph) for i in scopes if i.target}
    passages = [instance for instance in scopes if instance.kind == PASSAGE]
    links.articles = articles_named(corpus, names, with_texts=bool(passages))
    links.sentences = sentences_of(filter(None, map(links.scope, passages)))
    return links


def sentences_of(scopes: Iterable[dict]) -> dict[int, dict[str, str]]:
    """{passage: {text of a sentence: its unit}} of the passages that are scopes."""
    ids = [scope["passage_id"] for scope in scopes]
    return {
        row.pk: {one_line(row.text[unit["start"] : unit["end"]]): unit["id"] for unit in row.units}
        for row in Paragraph.objects.filter(pk__in=listed(ids)).only("text", "units")
    }


def all_cited(claims: Iterable[ReadClaim]) -> Iterator[Cited]:
    for claim in claims:
        for instance in claim.instances:
            for annotation in instance.annotations:
                for group in annotation.evidence:
                    yield from group


def paragraph_names(claims, cited, scopes) -> set[str]:
    """Public ids: sources, paragraphs that are cited whole, passages."""
    names = {name_of(claim.source) for claim in claims}
    names |= {name_of(each.paragraph) for each in cited if not each.external}
    names |= {name_of(i.target.external) for i in scopes if i.kind == PASSAGE}
    return names - {""}


def paragraphs_named(corpus: Corpus, names: set[str]) -> dict[str, Paragraph]:
    rows = visible(Paragraph.objects.filter(corpus=corpus, public_id__in=sorted(names)))
    rows = rows.only("public_id", "text", "published_at")
    return {row.public_id: row for row in rows}


def visible(paragraphs):
    """Without what an unfinished import added."""
    return paragraphs.filter(
        article__added_by__state=Import.State.COMPLETE, version__lte=F("article__version")
    )


def articles_named(corpus: Corpus, names: set[str], *, with_texts) -> dict[str, FoundArticle]:
    """The articles of these names, `<id>` or from the second version on `<id>@<version>`."""
    wanted = {name: versioned(name) for name in names if name}
    ids = sorted({external_id for external_id, _ in wanted.values()})
    rows = Article.objects.visible().filter(corpus=corpus, external_id__in=ids)
    keys = {external_id: pk for pk, external_id in rows.values_list("pk", "external_id")}
    paragraphs: dict[tuple[int, int], list[dict]] = {}
    columns = ["article_id", "version", "rank", "pk", "public_id", "units"]
    columns += ["text"] if with_texts else []
    found = visible(Paragraph.objects.filter(article__in=list(keys.values())))
    for row in found.order_by("article_id", "version", "rank").values(*columns):
        paragraphs.setdefault((row["article_id"], row["version"]), []).append(row)
    return {
        name: found_article(keys[external_id], version, paragraphs[keys[external_id], version])
        for name, (external_id, version) in wanted.items()
        if external_id in keys and (keys[external_id], version) in paragraphs
    }


def versioned(name: str) -> tuple[str, int]:
    match = VERSION.search(name)
    return (name[: match.start()], int(match.group(1))) if match else (name, 1)


def found_article(pk: int, version: int, rows: list[dict]) -> FoundArticle:
    return FoundArticle(
        pk=pk,
        version=version,
        parts=parts_of(rows),
        ranks={str(row["rank"]): (row["pk"], "") for row in rows},
        texts={one_line(row["text"]): row["pk"] for row in rows if "text" in row},
        names={row["pk"]: row["public_id"] for row in rows},
    )


def parts_of(rows: list[dict]) -> dict[str, Part]:
    """The units by the ids of their file; where it gave none, sentences by their number from 0."""
    titles: list[Part] = [(row["pk"], "") for row in rows if row["rank"] == 0]
    parts = dict(zip([TITLE], titles, strict=False))
    units = [(row["pk"], unit) for row in rows for unit in row["units"]]
    named = {u["external_id"]: (pk, u["id"]) for pk, u in units if u.get("external_id")}
    if named:
        return parts | named
    sentences = [(pk, u["id"]) for pk, u in units if u["kind"] == SENTENCE]
    numbered = {str(number): part for number, part in enumerate(sentences)}
    return parts | numbered | elements_of(units)


def elements_of(units: list[tuple[int, dict]]) -> dict[str, Part]:
    """Units by the names that FEVEROUS gives: sentences, tables and lists count from 0."""
    elements: dict[str, Part] = {}
    sentences, tables, lists = count(), {}, {}
    for pk, unit in units:
        kind, numbers = unit["kind"], unit["id"].removeprefix(unit["kind"])
        if kind == SENTENCE:
            name = f"sentence_{next(sentences)}"
        elif kind == LIST_ITEM:
            name = f"item_{lists.setdefault(pk, len(lists))}{numbers}"
        elif kind == CAPTION:
            name = f"table_caption_{tables.setdefault(pk, len(tables))}"
        else:
            name = f"{kind}_{tables.setdefault(pk, len(tables))}{numbers}"
        elements[name] = (pk, unit["id"])
    return elements
