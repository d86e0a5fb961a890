"""Marking near-duplicates: the later of two nearly equal articles leaves sampling and index."""

from collections.abc import Callable, Iterator

from django.db import transaction
from django.db.models import F, Q

from corpus.duplicates import first_copies, near_duplicates
from corpus.models import Article, Corpus, Paragraph

CHUNK = 500


def mark_near_duplicates(*, corpus: Corpus, progress: Callable | None = None) -> int:
    """Mark every article that nearly copies an older one; how many are marked now.

    Reads all texts once and remembers 512 bytes of each; marks of an earlier run are made anew.
    """
    ids = list(candidates(corpus).values_list("pk", flat=True))
    pairs = near_duplicates(texts_of(corpus, ids, progress))
    copies = {ids[copy]: ids[first] for copy, first in first_copies(pairs).items()}
    write_marks(corpus, copies)
    return len(copies)


def candidates(corpus: Corpus):
    """Articles with a text of their own, oldest first: the first of a group stays."""
    return (
        Article.objects.visible()
        .filter(corpus=corpus, is_tabular=False)
        .exclude(duplicate_kind=Article.DuplicateKind.EXACT)
        .exclude(content_hash="")
        .order_by(F("published_at").asc(nulls_last=True), "pk")
    )


def texts_of(corpus: Corpus, ids: list[int], progress: Callable | None) -> Iterator[str]:
    """The text of each article, in the order of `ids`."""
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        if progress:
            progress(start, len(ids), f"{start} of {len(ids)} articles compared")
        texts = {article_id: [] for article_id in chunk}
        rows = Paragraph.objects.current().filter(article__in=chunk, rank__gt=0).in_order()
        for article_id, text in rows.values_list("article", "text"):
            texts[article_id].append(text)
        yield from ("\n".join(texts[article_id]) for article_id in chunk)


@transaction.atomic
def write_marks(corpus: Corpus, copies: dict[int, int]) -> None:
    near = Article.DuplicateKind.NEAR
    before = dict(corpus.articles.filter(duplicate_kind=near).values_list("pk", "duplicate_of"))
    if before == copies:
        return
    gone = [pk for pk in before if pk not in copies]
    corpus.articles.filter(pk__in=gone).update(duplicate_of=None, duplicate_kind="")
    for pk, first in copies.items():
        corpus.articles.filter(Q(pk=pk)).update(duplicate_of=first, duplicate_kind=near)
    Corpus.objects.filter(pk=corpus.pk).update(data_version=F("data_version") + 1)
