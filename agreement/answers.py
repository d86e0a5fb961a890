"""Everybody's live answers to one instance, with their evidence, as a curator compares them."""

from dataclasses import dataclass

from django.db.models import Prefetch

from agreement import tables
from annotation.models import Annotation, EvidenceItem, EvidenceSet, Instance
from corpus.models import Paragraph


@dataclass(frozen=True)
class Part:
    """A cited paragraph, or the one unit of it that was cited."""

    paragraph: Paragraph
    text: str
    is_unit: bool


@dataclass(frozen=True)
class Answer:
    """A live annotation; sets: its evidence sets in order, each a list of parts."""

    annotation: Annotation
    name: str
    sets: list[list[Part]]

    @property
    def minutes(self):
        """How long its person was active on it; None where nobody measured."""
        assignment = self.annotation.assignment
        return assignment and assignment.active_seconds / 60

    @property
    def has_badges(self):
        """Whether there is more to say than its label."""
        one = self.annotation
        flags = (one.is_uncertain, one.is_relevant, one.surplus, one.late)
        return any(flags) or one.kind != Annotation.Kind.CROSS


def answers_to(instance: Instance, names: dict[str, str]) -> list[Answer]:
    """All live answers but those of sandboxes, oldest first, in a constant number of queries.

    Surplus and late ones too: they do not count, and whoever decides may learn from them.
    """
    campaign = instance.claim.campaign
    name_of = tables.annotator_names(campaign)
    items = EvidenceItem.objects.select_related("paragraph__article").order_by("pk")
    sets = EvidenceSet.objects.prefetch_related(Prefetch("items", items)).order_by("number")
    rows = (
        Annotation.objects.live()
        .filter(item__instance=instance, item__wave__in=tables.waves_of(campaign))
        .exclude(kind=Annotation.Kind.CALIBRATION)
        .select_related("assignment", "item__wave", "revision")
        .prefetch_related(Prefetch("evidence_sets", sets))
        .order_by("pk")
    )
    return [answer_of(row, name_of(row.user_id, row.external_annotator), names) for row in rows]


def answer_of(annotation, name, names) -> Answer:
    sets = [[part_of(item) for item in each.items.all()] for each in annotation.evidence_sets.all()]
    return Answer(annotation, names.get(name, name), sets)


def part_of(item: EvidenceItem) -> Part:
    paragraph = item.paragraph
    for unit in paragraph.units:
        if unit["id"] == item.unit and "start" in unit:
            return Part(paragraph, paragraph.text[unit["start"] : unit["end"]], is_unit=True)
    return Part(paragraph, paragraph.text, is_unit=False)
