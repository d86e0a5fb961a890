"""What a localisation lost, in words."""

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

STEPS = {
    "read": _("As the files have it"),
    "abstracts": _("Evidence by whole abstracts, equal sets once"),
    "covered": _("Sets whose pages all have a title"),
    "merged": _("Equal sets once more, by the new titles"),
    "evidence": _("Verdicts that keep evidence, and NEI"),
    "translated": _("Claims with a translation"),
    "split": _("Written"),
}
LOST = {
    "without_evidence": _("Verdicts that had no evidence before"),
    "evidence_lost": _("Verdicts that lost all of theirs"),
    "no_translation": _("Claims without a translation"),
    "empty_translation": _("Claims with an empty translation"),
    "label_balance": _("Claims that balance took away"),
}


@register.filter
def step_rows(report):
    """(words, [(label, claims left, claims lost)], sets left, sets lost) of each step."""
    return [
        (
            STEPS[step["step"]],
            [(label, n, step["lost_claims"][label]) for label, n in step["claims"].items()],
            step["sets"],
            step["lost_sets"],
        )
        for step in report["steps"]
    ]


@register.filter
def loss_rows(report):
    """(words, number) of why claims went; nothing of what took none."""
    return [(words, report["lost"][name]) for name, words in LOST.items() if report["lost"][name]]
