"""Who did what for a dataset, as counts: no names, no pseudonyms."""

from statistics import median

from django.db.models import Count, QuerySet

from agreement.tables import AGGREGATE_ANNOTATOR
from annotation.models import Annotation, Campaign, Claim, Instance, Wave, WaveItem
from datasets.bridge import instances_in

KIND, SCOPE = Annotation.Kind, Instance.ScopeKind
LABELLING = [KIND.CROSS, KIND.OWN, KIND.IMPORT]


def contributions(campaign: Campaign, waves: list[Wave]) -> dict:
    """Counts of claims by origin, mutations, annotations by kind, people, and sources."""
    claims = claims_in(campaign, waves)
    labels = labels_in(campaign, waves)
    sources = claims.exclude(source=None)
    return {
        "claims": by(claims, "origin"),
        "mutations": by(claims.exclude(mutation=""), "mutation"),
        "annotations": by(labels, "kind"),
        "source_paragraphs": sources.values("source").distinct().count(),
        "source_articles": sources.values("source__article").distinct().count(),
        "writers": claims.exclude(author=None).values("author").distinct().count(),
        "curators": people(labels.filter(kind=KIND.ADJUDICATION)),
        **annotators(labels.filter(kind__in=LABELLING)),
    }


def claims_in(campaign: Campaign, waves: list[Wave]) -> QuerySet[Claim]:
    """The claims that stand and that one of the waves put to work."""
    at_work = WaveItem.objects.filter(instance__in=instances_in(campaign, waves).order_by())
    return Claim.objects.filter(campaign=campaign, pk__in=at_work.values("instance__claim"))


def judged_against(campaign: Campaign, waves: list[Wave]) -> dict[str, int]:
    """{article or passage: how many were, each alone}, of those that labels are there for."""
    labels = labels_in(campaign, waves).order_by()
    columns = {
        SCOPE.ARTICLE: ("item__instance__article", "item__instance__article_version"),
        SCOPE.PASSAGE: ("item__instance__passage",),
    }
    counts = {
        kind.value: labels.filter(item__instance__scope_kind=kind)
        .values_list(*names)
        .distinct()
        .count()
        for kind, names in columns.items()
    }
    return {kind: n for kind, n in counts.items() if n}


def labels_in(campaign: Campaign, waves: list[Wave]) -> QuerySet[Annotation]:
    """Live annotations of claims that stand; surplus and late ones are outside a dataset."""
    return Annotation.objects.live().filter(
        item__wave__in=waves,
        item__instance__claim__campaign=campaign,
        item__instance__claim__withdrawn_at=None,
        surplus=False,
        late=False,
    )


def by(rows: QuerySet, column: str) -> dict[str, int]:
    """{value of the column: number of rows}, in alphabetical order."""
    counts = rows.order_by().values_list(column).annotate(n=Count("pk"))
    return dict(sorted(counts))


def people(rows: QuerySet) -> int:
    return rows.exclude(user=None).order_by().values("user").distinct().count()


def annotators(rows: QuerySet[Annotation]) -> dict:
    """How many annotators there are, and how evenly they shared the work."""
    rows = rows.exclude(external_annotator=AGGREGATE_ANNOTATOR).order_by()
    counts = [n for *_, n in rows.values_list("user", "external_annotator").annotate(n=Count("pk"))]
    return {
        "annotators": len(counts),
        "median_labels": float(median(counts)) if counts else None,
        "largest_share": max(counts) / sum(counts) if counts else None,
    }
