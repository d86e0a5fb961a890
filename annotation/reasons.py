"""The words for reasons: why there is no work, and why somebody skips."""

from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

SKIP_REASONS = {
    "too hard": gettext_lazy("It is too hard for me"),
    "unclear": gettext_lazy("I do not understand the claim or the text"),
    "no facts": gettext_lazy("There is no fact in it that could be checked"),
    "too long": gettext_lazy("It would take too long"),
    "personal": gettext_lazy("I do not want to read about this"),
    "other": gettext_lazy("Another reason"),
}
CLAIM_WITHDRAWN = "claim withdrawn"
# Stored as keys, so that everybody reads them in their own language.
ENDINGS = {
    **SKIP_REASONS,
    CLAIM_WITHDRAWN: gettext_lazy(
        "The claim was withdrawn by a curator. Thank you for your work on it."
    ),
}


def ending_in_words(reason):
    """Why an assignment ended: a known reason in words, else what the person typed."""
    return ENDINGS.get(reason, reason)


def why_no_work(none, wave):
    """A sentence for a person whose queue is empty. none: the NoWork that giving raised."""
    if none.until is None:
        return none.message
    local = none.until.astimezone(ZoneInfo(wave.campaign.time_zone))
    again = _("Ask again at %(time)s.") % {"time": date_format(local, "H:i")}
    return f"{none.message} {again}"
