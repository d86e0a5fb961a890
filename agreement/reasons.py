"""Why a figure has no value, in a sentence."""

from django.utils.translation import gettext_lazy as _

REASONS = {
    "no_data": _("There are no labels yet."),
    "no_pairs": _("No claim has labels of two people yet."),
    "no_variation": _("All labels are the same, so that chance alone would agree fully."),
    "drawn_otherwise": _(
        "A plan draws single claims, otherwise than the interval that you chose; "
        "choose one of draws of claims to see it."
    ),
    "few_groups": _("The claims come from fewer than five articles, too few to test on others."),
}


def why(reason):
    """The sentence of a reason of a measure; nothing where there is none."""
    return REASONS.get(reason, reason) if reason else ""
