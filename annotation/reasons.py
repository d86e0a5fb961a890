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
    until = ""
    if none.until:
        local = none.until.astimezone(ZoneInfo(wave.campaign.time_zone))
        until = date_format(local, "H:i")
    sentences = {
        "done": _("Everything that you may do here is done. Thank you!"),
        "quota": _("You reached your quota in this wave. Thank you!"),
        "leased": _("Everything that is left is reserved for others until %(until)s; ask again then."),
        "paused": _("You are paused in this wave; ask its manager."),
        "not_approved": _("You are not approved for this wave yet; ask its manager."),
        "guidelines": _("The guidelines have changed; read what is new first."),
        "dictionaries": _("The next pieces wait for their dictionaries; ask again in a few minutes."),
        "closed": _("This wave is not open."),
        "rest": _("What is left was written today; ask again tomorrow."),
        "no_sources": _("No source is preselected yet; a curator has to accept some first."),
        "no_claims": _("You have no claims to mutate; extract some first."),
    }
    return sentences.get(none.reason, _("There is nothing to do here right now.")) % {"until": until}
