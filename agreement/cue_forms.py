"""What is chosen on the pages of cues, sent by GET."""

from django.utils.translation import gettext_lazy as _

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
]


class CueForm(ScopeForm):
    tokens = choice(_("Tokens"), TOKENS)
    order_by = choice(_("Strongest by"), ORDERS)

    @property
    def settings(self):
        return CueSettings(tokens=self.chosen("tokens"), order_by=self.chosen("order_by"))
