"""What a corpus holds, in numbers: counted once for each state of its texts."""

from django.core.cache import cache
from django.db.models import Count, Max, Min, Q

from corpus.models import Article, Corpus, Paragraph

KIND = Article.DuplicateKind
KEPT_SECONDS = 7 * 24 * 3600


def corpus_counts(corpus: Corpus) -> dict:
    """The counts of the overview; they change only with the data version."""
    key = f"corpus-counts:{corpus.pk}:{corpus.data_version}"
    return cache.get_or_set(key, lambda: counted(corpus), KEPT_SECONDS)


def counted(corpus: Corpus) -> dict:
    articles = Article.objects.visible().filter(corpus=corpus)
    paragraphs = Paragraph.objects.filter(corpus=corpus)
    return {
        **articles.aggregate(
            articles=Count("pk"),
            duplicates=Count("pk", filter=Q(duplicate_kind=KIND.EXACT)),
            near_duplicates=Count("pk", filter=Q(duplicate_kind=KIND.NEAR)),
            tabular=Count("pk", filter=Q(is_tabular=True)),
            without_text=Count("pk", filter=Q(content_hash="")),
            left_out=Count("pk", filter=~Q(content_hash="") & Q(retrievable=False)),
            oldest=Min("published_at"),
            newest=Max("published_at"),
        ),
        "paragraphs": paragraphs.current().filter(rank__gt=0).count(),
        "retrievable": paragraphs.indexed().count(),
    }
