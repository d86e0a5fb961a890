"""What the audit trail says, in words; a verb is stored as it was recorded."""

from django.utils.translation import gettext_lazy as _

WORDS = {
    "made account": _("made the account"),
    "issued reset link": _("issued a reset link"),
    "set password": _("set a password"),
    "deactivated account": _("deactivated the account"),
    "reactivated account": _("reactivated the account"),
    "unlocked account": _("unlocked the account"),
    "forgot person": _("forgot the person"),
    "made API token": _("made an API token"),
    "revoked API token": _("ended an API token"),
    "made corpus": _("made a corpus"),
    "changed corpus": _("changed a corpus"),
    "imported": _("imported articles"),
    "cleaned up": _("cleaned up after an import"),
    "discarded an upload": _("deleted an upload"),
    "left out article": _("left an article out"),
    "took in article": _("took an article in again"),
    "made campaign": _("made a campaign"),
    "changed campaign": _("changed a campaign"),
    "published guidelines": _("published guidelines"),
    "invited": _("made an invitation"),
    "withdrew invitation": _("withdrew an invitation"),
    "joined": _("accepted an invitation"),
    "changed role": _("changed a role"),
    "ended membership": _("ended a membership"),
    "restored membership": _("restored a membership"),
    "made wave": _("made a wave"),
    "changed wave": _("changed a wave"),
    "cloned wave": _("cloned a wave"),
    "opened wave": _("opened a wave"),
    "closed wave": _("closed a wave"),
    "changed participation": _("changed somebody's status or factor"),
    "added people": _("added people to a wave"),
    "claim kept": _("kept a reported claim"),
    "claim fixed": _("fixed the wording of a claim"),
    "claim withdrawn": _("withdrew a claim"),
    "source accepted": _("accepted a source again"),
    "source rejected": _("rejected a source"),
    "started export": _("started an export"),
    "cancelled export": _("cancelled an export"),
    "imported dataset": _("imported a dataset"),
    "cancelled import": _("cancelled the import of a dataset"),
    "started release": _("started a release"),
    "made release": _("made a release"),
    "cancelled release": _("cancelled a release"),
}


def in_words(verb):
    return WORDS.get(verb, verb)
