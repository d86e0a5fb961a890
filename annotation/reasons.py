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


def why_no_work(none, wave):
    """A sentence for a person whose queue is empty. none: the NoWork that giving raised."""
    if none.until is None:
        return none.message
    local = none.until.astimezone(ZoneInfo(wave.campaign.time_zone))
    again = _("Ask again at %(time)s.") % {"time": date_format(local, "H:i")}
    return f"{none.message} {again}"
