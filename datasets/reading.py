"""What a page of one imported claim shows: its instances, their labels, the evidence marked."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import Q

from annotation.models import (
    Annotation,
    Claim,
    EvidenceItem,
    Instance,
    WaveItem,
    instances_hidden_from,
)
from corpus.models import Paragraph, versioned_name
from datasets.importing.extra import from_text
from datasets.marks import Segment, marked

MOST_PARAGRAPHS = 200
MOST_LABELS = 100


@dataclass
class ShownParagraph:
    """A paragraph with its segments; sets: the numbers of those that cite any of it."""

    paragraph: Paragraph
    segments: tuple[Segment, ...]
    sets: tuple[int, ...]


@dataclass
class ShownLabel:
    """One label with what it cites, and what of it is not in the corpus."""

    annotation: Annotation
    paragraphs: list[ShownParagraph] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass
class ShownInstance:
    instance: Instance
    labels: list[ShownLabel]


def shown_instances(claim: Claim, user) -> list[ShownInstance]:
    """The claim's instances with the labels that `user` may see, in a constant number of queries.

    An article is shown whole with its cited sentences marked, a passage likewise; of the whole
    scope only what is cited.
    """
    annotations = labels_of(claim, user)
    cited = citations(annotations)
    scopes = scope_paragraphs(annotations, cited)
    lost = lost_sets(claim)
    by_instance = defaultdict(list)
    for annotation in annotations:
        shown = shown_label(annotation, cited[annotation.pk], scopes, lost)
        by_instance[annotation.item.instance_id].append(shown)
    rows = claim.instances.select_related("article", "passage").order_by("pk")[:MOST_LABELS]
    return [ShownInstance(row, by_instance[row.pk]) for row in rows]


def labels_of(claim: Claim, user) -> list[Annotation]:
    rows = Annotation.objects.live().shown_to(user, claim.campaign)
    rows = rows.filter(item__instance__claim=claim, item__purpose=WaveItem.Purpose.IMPORT)
    rows = rows.select_related("item__wave", "item__instance__article", "item__instance__passage")
    return list(rows.order_by("item__instance_id", "pk")[:MOST_LABELS])


def citations(annotations) -> dict[int, list[tuple[int, str, int]]]:
    """{annotation: [(paragraph, unit, number of the set)]} in the order of the sets."""
    found = defaultdict(list)
    rows = EvidenceItem.objects.filter(evidence_set__annotation__in=annotations)
    rows = rows.order_by("evidence_set__number", "pk")
    columns = ("evidence_set__annotation_id", "paragraph_id", "unit", "evidence_set__number")
    for annotation, *part in rows.values_list(*columns):
        found[annotation].append(tuple(part))
    return found


def scope_paragraphs(annotations, cited) -> list[Paragraph]:
    """What is cited, and the articles and passages that are judged, in order."""
    wanted = Q(pk__in={part[0] for parts in cited.values() for part in parts})
    for instance in {row.item.instance for row in annotations}:
        if instance.article_id:
            wanted |= Q(article=instance.article_id, version=instance.article_version, rank__gt=0)
        elif instance.passage_id:
            wanted |= Q(pk=instance.passage_id)
    rows = Paragraph.objects.filter(wanted).select_related("article")
    return list(rows.order_by("article__external_id", "version", "rank")[:MOST_PARAGRAPHS])


def shown_label(annotation: Annotation, cited, scopes, lost) -> ShownLabel:
    instance = annotation.item.instance
    parts = defaultdict(list)
    for paragraph, unit, number in cited:
        parts[paragraph].append((unit, number))
    shown = [
        ShownParagraph(
            row,
            marked(row.text, row.units, parts[row.pk]),
            tuple(sorted({number for _, number in parts[row.pk]})),
        )
        for row in scopes
        if row.pk in parts or is_scope(row, instance)
    ]
    key = (annotation.item.wave_id, scope_name(instance), annotation.external_annotator)
    return ShownLabel(annotation, shown, lost[key])


def is_scope(paragraph: Paragraph, instance: Instance) -> bool:
    if instance.article_id:
        own = (instance.article_id, instance.article_version)
        return paragraph.rank > 0 and (paragraph.article_id, paragraph.version) == own
    return paragraph.pk == instance.passage_id


def scope_name(instance: Instance) -> str:
    """How what is kept with a claim names an instance."""
    if instance.passage_id:
        return instance.passage.public_id
    if instance.article_id:
        return versioned_name(instance.article.external_id, instance.article_version)
    return Instance.ScopeKind.WHOLE


def lost_sets(claim: Claim) -> dict[tuple, list[str]]:
    """{(wave, scope, annotator): what each set cites that the corpus does not have as a whole}."""
    found = defaultdict(list)
    for entry in from_text(claim.extra).get("unresolved", []):
        if "items" in entry:
            items = " + ".join(told(item) for item in entry["items"])
            found[entry["wave"], entry["scope"], entry["annotator"]].append(items)
    return found


def lost_labels(claim: Claim, user) -> list[dict]:
    """The labels whose text the corpus does not have; none while `user` may judge the claim."""
    hidden = instances_hidden_from(user, among=claim.instances.values("pk"))
    if hidden.exists():
        return []
    return [each for each in from_text(claim.extra).get("unresolved", []) if "label" in each]


def told(item: dict) -> str:
    names = [item.get("paragraph", ""), item.get("external", "")]
    return " ".join(filter(None, names)) or item.get("text", "")
