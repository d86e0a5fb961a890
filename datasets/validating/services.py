"""Samples of translated claims: drawn, answered, closed."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.models import Annotation, Campaign, Claim, Instance
from datasets.models import TranslationAnswer, TranslationItem, TranslationSample
from datasets.models.translations import MOST_CLAIMS
from datasets.validating.sampling import draw
from datasets.validating.tasks import may_judge


def labelled_translations(campaign: Campaign) -> dict[int, tuple[int, str]]:
    """{number: (claim, label)} of translated claims on whose label the imported files agree."""
    rows = Annotation.objects.live().filter(
        kind=Annotation.Kind.IMPORT,
        item__wave__campaign=campaign,
        item__instance__scope_kind=Instance.ScopeKind.WHOLE,
        item__instance__claim__withdrawn_at=None,
        item__instance__claim__origin=Claim.Origin.TRANSLATED,
    )
    claim = "item__instance__claim"
    found: dict[int, set] = {}
    for number, pk, label in rows.values_list(f"{claim}__number", f"{claim}_id", "label"):
        found.setdefault(number, set()).add((pk, label))
    return {number: labels.pop() for number, labels in found.items() if len(labels) == 1}


@transaction.atomic
def draw_sample(
    *, campaign: Campaign, size: int, labels: list[str], is_stratified: bool, seed: int, by: User
) -> TranslationSample:
    """A new sample of the campaign's translated claims; the same seed draws the same ones.

    Raises ValidationError where there are too few claims of these labels, or more are asked for
    than people can judge.
    """
    if not 1 <= size <= MOST_CLAIMS:
        told = {"size": size, "most": MOST_CLAIMS}
        raise ValidationError(
            _("%(size)d claims are asked for; a sample has 1 to %(most)d of them.") % told
        )
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    pool = labelled_translations(campaign)
    kinds = {number: label for number, (_claim, label) in pool.items()}
    drawn = draw(kinds, size, order=labels, is_stratified=is_stratified, seed=seed)
    if len(drawn) < size:
        told = {"n": len(drawn), "size": size}
        raise ValidationError(
            _("%(size)d claims are asked for, and %(n)d translated ones are there for it.") % told
        )
    last = campaign.translation_samples.aggregate(last=Max("number"))["last"] or 0
    sample = TranslationSample.objects.create(
        campaign=campaign,
        number=last + 1,
        size=size,
        labels=labels,
        is_stratified=is_stratified,
        seed=seed,
        created_by=by,
    )
    TranslationItem.objects.bulk_create(
        TranslationItem(sample=sample, claim_id=pool[key][0], label=pool[key][1], number=number)
        for number, key in enumerate(drawn, start=1)
    )
    data = {"size": size, "labels": labels, "stratified": is_stratified, "seed": seed}
    record_event(actor=by, verb="drew translation sample", subject=sample, data=data)
    return sample


@transaction.atomic
def answer_item(*, item: TranslationItem, verdict: str, by: User) -> TranslationAnswer:
    """Store what `by` says of an item, in place of what they said before.

    Raises ValidationError where the sample is closed, or `by` can read its labels elsewhere.
    """
    if not may_judge(locked_open(item.sample_id), by):
        raise ValidationError(_("Curators and managers judge no claims: they can read the labels."))
    answer, _made = TranslationAnswer.objects.update_or_create(
        item=item, user=by, defaults={"verdict": verdict}
    )
    return answer


@transaction.atomic
def close_sample(*, sample: TranslationSample, by: User) -> None:
    """Let nobody answer any more; from now on the labels are shown beside the answers."""
    TranslationSample.objects.filter(pk=locked_open(sample.pk).pk).update(closed_at=Now())
    record_event(actor=by, verb="closed translation sample", subject=sample)


def locked_open(sample_id: int) -> TranslationSample:
    """The sample, locked. Raises ValidationError where it is closed."""
    sample = TranslationSample.objects.select_for_update(no_key=True).get(pk=sample_id)
    if not sample.is_open:
        raise ValidationError(_("This sample is closed; its answers stay as they are."))
    return sample
