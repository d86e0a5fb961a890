"""Which claims of a campaign can be judged: their labels agree, and their evidence can be shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef

from annotation.models import Annotation, Campaign, Claim, EvidenceItem, Instance
from datasets.importing.extra import from_text
from datasets.models import TranslationSample
from datasets.records import NOT_ENOUGH_INFO

# number of the claim -> (its key, its label)
Labelled = Mapping[int, tuple[int, str]]


@dataclass(frozen=True)
class Pool:
    """claims: those to draw from; hidden: with a verdict of which the corpus has no evidence, so
    that nobody could judge them."""

    claims: Labelled = field(default_factory=dict)
    hidden: Labelled = field(default_factory=dict)

    def hidden_of(self, labels: list[str]) -> int:
        return sum(label in labels for _claim, label in self.hidden.values())


def pool_of(campaign: Campaign) -> Pool:
    """The translated claims on whose label the imported files agree. One query."""
    rows = Annotation.objects.live().filter(
        kind=Annotation.Kind.IMPORT,
        item__wave__campaign=campaign,
        item__instance__scope_kind=Instance.ScopeKind.WHOLE,
        item__instance__claim__withdrawn_at=None,
        item__instance__claim__origin=Claim.Origin.TRANSLATED,
    )
    claim = "item__instance__claim"
    cited = EvidenceItem.objects.filter(evidence_set__annotation=OuterRef("pk"))
    rows = rows.annotate(is_shown=Exists(cited)).order_by("pk")
    found: dict[int, set] = {}
    is_shown = {}
    for number, pk, label, shown in rows.values_list(
        f"{claim}__number", f"{claim}_id", "label", "is_shown"
    ):
        found.setdefault(number, set()).add((pk, label))
        is_shown[number] = shown  # of the last one, which is what people are shown
    agreed = {number: labels.pop() for number, labels in found.items() if len(labels) == 1}
    judged = {
        number: (claim, label)
        for number, (claim, label) in agreed.items()
        if label == NOT_ENOUGH_INFO or is_shown[number]
    }
    return Pool(judged, {number: agreed[number] for number in agreed.keys() - judged.keys()})


def partly_lost(sample: TranslationSample) -> int:
    """How many claims of a sample cite something, too, that the corpus does not have."""
    kept = sample.items.values_list("claim__extra", flat=True)
    return sum(
        any("items" in entry for entry in from_text(extra).get("unresolved", [])) for extra in kept
    )
