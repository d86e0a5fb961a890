"""What an export leaves out, by reason: claims, and annotations of claims."""

from django.db.models import Count, Q

from agreement import tables
from annotation.models import Annotation, Campaign, Claim, WaveItem
from datasets.bridge import UNDECIDED, Tally
from datasets.every_scope import CONTRADICTED
from datasets.fitting import SUPERSETS, TOO_MANY, UNNAMED, UNSTATED
from datasets.options import ExportOptions

REASONS = (*UNDECIDED, "other_scope", UNNAMED, TOO_MANY, UNSTATED)
ENDED = (Annotation.EndReason.SUPERSEDED.value, Annotation.EndReason.REMOVED.value)


def left_out(campaign: Campaign, waves: list, options: ExportOptions, tally: Tally) -> dict:
    """{reason: number}, in alphabetical order; what is not claims begins with annotations_."""
    counts = {**claims_left_out(campaign, waves), **annotations_left_out(campaign, waves, options)}
    reasons = (UNNAMED,) if options.format == "raw" else REASONS
    counts |= {reason: tally.left_out[reason] for reason in reasons}
    if options.drop_supersets:
        counts[SUPERSETS] = tally.left_out[SUPERSETS]
    if tally.left_out[CONTRADICTED]:
        counts[CONTRADICTED] = tally.left_out[CONTRADICTED]
    if options.balanced:
        counts["label_balance"] = tally.left_out["label_balance"]
    if options.is_soft:
        counts = {name: n for name, n in counts.items() if name not in ("tie", "no_majority")}
    return dict(sorted(counts.items()))


def claims_left_out(campaign: Campaign, waves: list) -> dict[str, int]:
    """Withdrawn claims, and those that none of the waves put to work.

    By difference: asking for each claim whether it has an item reads all items each time.
    """
    claim = "instance__claim"
    stands = Q(instance__claim__withdrawn_at=None)
    written = Q(instance__claim__wave__is_sandbox=False)
    counts = WaveItem.objects.filter(wave__in=waves).aggregate(
        withdrawn=Count(claim, distinct=True, filter=~stands),
        at_work=Count(claim, distinct=True, filter=stands & written),
    )
    counted = Claim.objects.filter(campaign=campaign).counted().count()
    return {"withdrawn": counts["withdrawn"], "not_in_waves": counted - counts["at_work"]}


def annotations_left_out(campaign: Campaign, waves: list, options: ExportOptions) -> dict:
    """Annotations that no line rests on, each under the first reason that holds."""
    counts = tables.left_out(campaign, waves if options.waves else None)
    if options.format == "raw":
        counts = {name: n for name, n in counts.items() if name not in ("surplus", "late")}
    if not options.superseded:
        counts |= ended_annotations(waves)
    return {f"annotations_{name}": n for name, n in counts.items()}


def ended_annotations(waves: list) -> dict[str, int]:
    rows = Annotation.objects.filter(item__wave__in=waves, item__instance__claim__withdrawn_at=None)
    return rows.aggregate(**{end: Count("pk", filter=Q(end_reason=end)) for end in ENDED})
