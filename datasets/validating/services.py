"""Samples of translated claims: drawn, answered, closed."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.models import Campaign
from datasets.models import TranslationAnswer, TranslationItem, TranslationSample
from datasets.models.translations import MOST_CLAIMS
from datasets.validating.pool import pool_of
from datasets.validating.sampling import draw
from datasets.validating.tasks import may_judge


@transaction.atomic
def draw_sample(
    *, campaign: Campaign, size: int, labels: list[str], is_stratified: bool, seed: int, by: User
) -> TranslationSample:
    """A new sample of the campaign's translated claims; the same seed draws the same ones.

    Claims with a verdict whose evidence the corpus lacks are left out: see `Pool`.
    Raises ValidationError where there are too few claims of these labels, or more are asked for
    than people can judge.
    """
    if not 1 <= size <= MOST_CLAIMS:
        told = {"size": size, "most": MOST_CLAIMS}
        raise ValidationError(
            _("%(size)d claims are asked for; a sample has 1 to %(most)d of them.") % told
        )
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    pool = pool_of(campaign)
    kinds = {number: label for number, (_claim, label) in pool.claims.items()}
    drawn = draw(kinds, size, order=labels, is_stratified=is_stratified, seed=seed)
    if len(drawn) < size:
        raise ValidationError(too_few(size, len(drawn), pool.hidden_of(labels)))
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
        TranslationItem(sample=sample, claim_id=claim, label=label, number=number)
        for number, (claim, label) in enumerate((pool.claims[key] for key in drawn), start=1)
    )
    data = {"size": size, "labels": labels, "stratified": is_stratified, "seed": seed}
    record_event(actor=by, verb="drew translation sample", subject=sample, data=data)
    return sample


def too_few(size: int, n: int, hidden: int) -> str:
    told = {"n": n, "size": size, "hidden": hidden}
    words = _("%(size)d claims are asked for, and %(n)d translated ones are there for it.")
    if hidden:
        words += " " + _("Of %(hidden)d more the corpus has no evidence to show.")
    return words % told


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
