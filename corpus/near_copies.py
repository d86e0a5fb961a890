"""Marking near-duplicates: the later of two nearly equal articles leaves sampling and index."""

from collections.abc import Callable, Iterator

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, F
from django.utils.translation import gettext as _

from corpus.duplicates import first_copies, near_duplicates
from corpus.followups import changed_texts
from corpus.models import Article, Corpus, Import, Paragraph

NEAR = Article.DuplicateKind.NEAR
CHUNK = 500
ATTEMPTS = 5


def mark_near_duplicates(*, corpus: Corpus, progress: Callable | None = None) -> int:
    """Mark every article that nearly copies an older one; how many are marked now.

    Reads all texts once and remembers 512 bytes of each; marks of an earlier run are made anew.
    Where the texts change meanwhile it begins again.
    """
    for _attempt in range(ATTEMPTS):
        corpus.refresh_from_db(fields=["data_version"])
        ids = list(candidates(corpus).values_list("pk", flat=True))
        pairs = near_duplicates(texts_of(corpus, ids, progress))
        copies = {ids[copy]: ids[first] for copy, first in first_copies(pairs).items()}
        if write_marks(corpus, copies):
            return len(copies)
    raise ValidationError(
        _("The texts of %(corpus)s keep changing; mark its near-duplicates once they rest.")
        % {"corpus": corpus.slug}
    )


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
            progress(start, len(ids), _("articles compared"))
        texts = {article_id: [] for article_id in chunk}
        rows = Paragraph.objects.current().filter(article__in=chunk, rank__gt=0).in_order()
        for article_id, text in rows.values_list("article", "text"):
            texts[article_id].append(text)
        yield from ("\n".join(texts[article_id]) for article_id in chunk)


@transaction.atomic
def write_marks(corpus: Corpus, copies: dict[int, int]) -> bool:
    """Make {article: the first of its group} the marks of a corpus, with the counts of imports.

    False, and nothing written, where the texts are not those that were compared.
    """
    locked = Corpus.objects.select_for_update().get(pk=corpus.pk)
    if locked.data_version != corpus.data_version:
        return False
    before = dict(corpus.articles.filter(duplicate_kind=NEAR).values_list("pk", "duplicate_of"))
    if before != copies:
        gone = [pk for pk in before if pk not in copies]
        mark(corpus, dict.fromkeys(gone), "")
        mark(corpus, {pk: copies[pk] for pk in copies if before.get(pk) != copies[pk]}, NEAR)
        changed_texts(corpus)
    count_in_imports(corpus)
    return True


def mark(corpus: Corpus, copies: dict, kind: str) -> None:
    rows = [Article(pk=pk, duplicate_of_id=copies[pk], duplicate_kind=kind) for pk in copies]
    corpus.articles.bulk_update(rows, ["duplicate_of", "duplicate_kind"], batch_size=CHUNK)


def count_in_imports(corpus: Corpus) -> None:
    """Note with each import how many of its articles are near-duplicates."""
    rows = corpus.articles.filter(duplicate_kind=NEAR).order_by()
    counts = dict(rows.values_list("added_by").annotate(Count("pk")))
    for run in corpus.imports.filter(state=Import.State.COMPLETE):
        run.counts |= {"near_duplicates": counts.get(run.pk, 0)}
        run.save(update_fields=["counts"])
