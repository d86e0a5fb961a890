"""What is chosen on the page of cues, sent by GET."""

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.cue_claims import may_answer_in
from agreement.cue_figures import CueSettings
from agreement.forms import ScopeForm, choice

TOKENS = [
    ("published", _("as in the CTKFacts paper")),
    ("words", _("words without case and punctuation")),
]
ORDERS = [
    ("harmonic_mean", _("harmonic mean")),
    ("productivity", _("productivity")),
    ("productivity_low", _("lower bound of productivity")),
    ("coverage", _("coverage")),
    ("utility", _("utility")),
    ("lmi", _("LMI")),
    ("dci", _("DCI")),
]
KINDS = [("unigrams", _("words")), ("bigrams", _("pairs of words"))]
SETTINGS = ("tokens", "order_by", "min_count")
MIN_COUNT, MOST_COUNT = CueSettings().min_count, 1000
TOO_FEW = _(
    "You may still label claims here, or change your answers: until that is over, choose 3 or "
    "more, so that no row is about one or two claims."
)


def is_too_few(reader, scope, min_count):
    """Whether a word of so few claims could show `reader` a label that is hidden from them yet."""
    return min_count < MIN_COUNT and may_answer_in(scope, reader)


class CueForm(ScopeForm):
    tokens = choice(_("Tokens"), TOKENS)
    order_by = choice(_("Strongest by"), ORDERS)
    min_count = forms.IntegerField(
        label=_("In so many claims or more"),
        initial=MIN_COUNT,
        min_value=1,
        max_value=MOST_COUNT,
        required=False,
    )

    def clean(self):
        least = self.cleaned_data.get("min_count") or MIN_COUNT
        if self.reader and is_too_few(self.reader, self.scope, least):
            self.add_error("min_count", TOO_FEW)
        return self.cleaned_data

    @property
    def settings(self):
        return CueSettings(**{name: self.chosen(name) for name in SETTINGS})


class CueClaimsForm(ScopeForm):
    """Of which claims, and how they are cut into tokens; the cue itself is any text."""

    tokens = choice(_("Tokens"), TOKENS)
    kind = choice(_("Kind"), KINDS)
