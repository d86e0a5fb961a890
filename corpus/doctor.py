"""Rules of texts that no constraint holds."""

from django.db.models import CharField, F, Q, Value
from django.db.models.functions import Cast, Concat, Now

from corpus.importing.locks import DEAD_AFTER
from corpus.models import Article, Import, Paragraph

EXACT = Article.DuplicateKind.EXACT
RANK = Cast("rank", CharField())
NAMES = {
    "first": Concat("article__external_id", Value("_"), RANK),
    "later": Concat(
        "article__external_id", Value("@"), Cast("version", CharField()), Value("_"), RANK
    ),
}


def half_imports():
    """Imports that died, and rows of those that were taken away."""
    dead = Import.objects.unfinished().filter(heartbeat_at__lt=Now() - DEAD_AFTER)
    for run in dead.select_related("corpus").order_by("pk"):
        yield f"import {run.pk} into {run.corpus.slug} is half done: resume it or clean it up"
    gone = Q(added_by__state=Import.State.READ) | Q(added_by__state=Import.State.CLEANED)
    for article in Article.objects.filter(gone).order_by("pk").iterator():
        yield f"article {article.pk} ({article.external_id}) is left over from an import"


def later_versions():
    """Paragraphs of a version that their article has not reached, and no import will reach."""
    rows = Paragraph.objects.filter(version__gt=F("article__version"))
    rows = rows.exclude(article__changes__import_run__state=Import.State.RUNNING)
    for paragraph in rows.order_by("pk").iterator():
        yield f"paragraph {paragraph.public_id} is of a version that its article does not have"


def copied_times():
    """Paragraphs of current versions whose times are not those of their article."""
    rows = Paragraph.objects.filter(version=F("article__version"))
    differ = Q()
    for name in ("published_at", "available_at"):
        theirs = f"article__{name}"
        differ |= ~Q(**{name: F(theirs)}) & Q(**{f"{name}__isnull": False})
        differ |= Q(**{f"{name}__isnull": True, f"{theirs}__isnull": False})
    for paragraph in rows.filter(differ).order_by("pk").iterator():
        yield f"paragraph {paragraph.public_id} has other times than its article"


def times_where_none_belong():
    """Undated texts in a dated corpus, which no date rule could judge, and the other way round."""
    undated = Q(corpus__undated=False, published_at=None)
    dated = Q(corpus__undated=True, published_at__isnull=False)
    for model in (Article, Paragraph):
        for row in model.objects.filter(undated | dated).order_by("pk").iterator():
            has = "a date" if row.published_at else "no date"
            yield f"{model._meta.verbose_name} {row.pk} has {has}, unlike its corpus"


def unresolved_names():
    """Paragraphs whose public id does not lead to them, or that lie in another corpus."""
    first = Q(version=1) & ~Q(public_id=F("first"))
    later = Q(version__gt=1) & ~Q(public_id=F("later"))
    elsewhere = ~Q(corpus=F("article__corpus"))
    for paragraph in (
        Paragraph.objects.annotate(**NAMES)
        .filter(first | later | elsewhere)
        .order_by("pk")
        .iterator()
    ):
        yield f"paragraph {paragraph.pk} is called {paragraph.public_id}, which is not its name"


def wrong_duplicates():
    """Exact duplicates of something else, of a duplicate, or of another corpus' article."""
    marked = Article.objects.filter(duplicate_kind=EXACT).filter(
        ~Q(content_hash=F("duplicate_of__content_hash"))
        | Q(duplicate_of__duplicate_kind=EXACT)
        | ~Q(corpus=F("duplicate_of__corpus"))
    )
    for article in marked.order_by("pk").iterator():
        yield f"article {article.pk} ({article.external_id}) is no duplicate of what it names"


def retrievable_without_text():
    rows = Article.objects.filter(retrievable=True, content_hash="")
    for article in rows.order_by("pk").iterator():
        yield f"article {article.pk} ({article.external_id}) has no text and may be drawn"


RULES = [
    (
        "no half import",
        "An import that died is resumed by the same files, or cleaned up on its page.",
        half_imports,
    ),
    (
        "versions are reached at once",
        "Paragraphs of a new version appear with the last transaction of their import.",
        later_versions,
    ),
    (
        "times of paragraphs equal those of their articles",
        "The date rule looks at the copies; they must say the same as the article.",
        copied_times,
    ),
    (
        "texts are dated where their corpus is",
        "Older than t means nothing for a text without a date; an undated corpus has no dates.",
        times_where_none_belong,
    ),
    (
        "every public id resolves",
        "A public id is the article's id, from version 2 on the version, and the rank.",
        unresolved_names,
    ),
    (
        "exact duplicates have the text of their original",
        "An original is no exact duplicate itself, and lies in the same corpus.",
        wrong_duplicates,
    ),
    (
        "what has no text is not drawn",
        "An article without text is not retrievable.",
        retrievable_without_text,
    ),
]
