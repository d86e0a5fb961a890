"""Whose turn it is with which claim of a sample, and how far everybody is."""

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from annotation.models import Campaign, Membership, Role
from datasets.models import TranslationAnswer, TranslationItem, TranslationSample


def samples_for(user, campaign: Campaign) -> QuerySet[TranslationSample]:
    """A campaign's samples with how many of their claims `user` has answered, newest first."""
    return with_mine(campaign.translation_samples.all(), user).order_by("-id")


def samples_to_judge(user) -> QuerySet[TranslationSample]:
    """Open samples of all campaigns with claims that wait for `user`, the oldest first.

    `left` is how many claims those are.
    """
    samples = TranslationSample.objects.open().read_by(user).blind_to(user)
    waiting = with_mine(samples, user).annotate(left=F("size") - F("mine")).filter(left__gt=0)
    return waiting.select_related("campaign").order_by("id")


def with_mine(samples: QuerySet[TranslationSample], user) -> QuerySet[TranslationSample]:
    answers = TranslationAnswer.objects.filter(item__sample=OuterRef("pk"), user=user)
    counted = answers.order_by().values("item__sample").annotate(n=Count("pk")).values("n")
    return samples.annotate(mine=Coalesce(Subquery(counted), 0))


def judges_of(campaign: Campaign) -> QuerySet[Membership]:
    """The members to whom the labels of its samples are a secret."""
    members = campaign.memberships.current().filter(role=Role.ANNOTATOR)
    return members.filter(user__is_active=True, user__is_superuser=False)


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
    people = User.objects.filter(translation_answers__item__sample=sample)
    counted = people.annotate(answers=Count("translation_answers")).order_by("-answers", "username")
    return [{"user": person, "answers": person.answers} for person in counted]
