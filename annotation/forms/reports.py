"""What a curator decides about a report."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.fields import TypedText
from annotation.typed import LONGEST_CLAIM

DECISIONS = [
    ("keep", _("Keep: the claim is fine as it is")),
    ("fix", _("Fix the wording: the meaning and the labels stay")),
    ("replace", _("Replace: another meaning, so a new claim takes its place")),
    ("withdraw", _("Withdraw: nobody works on it any more")),
]


class DecisionForm(forms.Form):
    """One of four decisions; a new text where the decision is about the text."""

    decision = forms.ChoiceField(label=_("Decision"), choices=DECISIONS, widget=forms.RadioSelect)
    text = TypedText(
        label=_("New text, to fix or replace"),
        required=False,
        max_length=LONGEST_CLAIM,
        widget=forms.Textarea(attrs={"rows": 2, "class": "read", "dir": "auto"}),
    )
    note = TypedText(
        label=_("Note"), required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2})
    )
