"""Samples of translated claims: what waits for a person, and figures in words."""

from django import template

from annotation.models import Label
from datasets.models.translations import Verdict
from datasets.validating.tasks import samples_for, samples_to_judge

register = template.Library()


@register.inclusion_tag("datasets/translations/_waiting.html")
def open_translation_samples(campaign, user):
    """The open samples of a campaign that `user` may judge, with how far they are."""
    return {"samples": samples_for(user, campaign).open().blind_to(user)}


@register.simple_tag
def translation_samples_to_judge(user):
    """The open samples of all campaigns in which claims wait for `user`. One query."""
    return list(samples_to_judge(user))


@register.filter
def matrix_rows(results):
    """(label, [(verdict, number of claims)]) of each label."""
    names, verdicts = dict(Label.choices), verdict_names(results)
    return [
        (names[label], list(zip(verdicts, row, strict=True)))
        for label, row in results["matrix"].items()
    ]


@register.filter
def verdict_names(results):
    return [Verdict(verdict).label for verdict in results["verdicts"]]


@register.filter
def label_names(labels):
    """Labels in words, in a row."""
    return ", ".join(str(Label(label).label) for label in labels)


@register.filter
def precision_rows(results):
    """(label, precision, precision of usable translations), all labels together at the end."""
    names = {**dict(Label.choices), "all": None}
    return [
        (names[label], results["precision"][label], results["precision_of_usable"][label])
        for label in results["precision"]
    ]
