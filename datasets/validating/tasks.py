"""Whose turn it is with which claim of a sample, and how far everybody is."""

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Campaign
from datasets.models import TranslationAnswer, TranslationItem, TranslationSample


def samples_for(user, campaign: Campaign) -> QuerySet[TranslationSample]:
    """A campaign's samples with how many of their claims `user` has answered, newest first."""
    answers = TranslationAnswer.objects.filter(item__sample=OuterRef("pk"), user=user)
    counted = answers.order_by().values("item__sample").annotate(n=Count("pk")).values("n")
    samples = campaign.translation_samples.annotate(mine=Coalesce(Subquery(counted), 0))
    return samples.order_by("-id")


def may_judge(sample: TranslationSample, user) -> bool:
    """Whether the labels of the sample are a secret to `user`: no curator, no manager."""
    return TranslationSample.objects.blind_to(user).filter(pk=sample.pk).exists()


def next_item(sample: TranslationSample, user, after: int = 0) -> TranslationItem | None:
    """The next item that `user` has not answered, after this number or else from the first on."""
    answers = TranslationAnswer.objects.filter(item=OuterRef("pk"), user=user)
    waiting = sample.items.filter(~Exists(answers)).order_by("number")
    return waiting.filter(number__gt=after).first() or waiting.first()


def progress_of(sample: TranslationSample) -> list[dict]:
    """How many claims each person answered: {user, answers}, those with most first."""
    rows = TranslationAnswer.objects.filter(item__sample=sample).values("user__username")
    counted = rows.annotate(n=Count("pk")).order_by("-n", "user__username")
    return [{"user": row["user__username"], "answers": row["n"]} for row in counted]
