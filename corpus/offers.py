"""What the app above offers to compare paragraphs by, in words with an estimate."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.found import found
from corpus.counts import corpus_counts
from corpus.models import Corpus

USUAL_SIZE = 100_000


def encoder_choices(corpus: Corpus) -> list[tuple[str, str]]:
    """The encoders that suit the language of a corpus, with the time that its index would take."""
    paragraphs = (corpus.pk and corpus_counts(corpus)["retrievable"]) or USUAL_SIZE
    names = dict(Corpus.Encoder.choices)
    choices = [(Corpus.Encoder.AUTO.value, names["auto"])]
    for offers in found("encoder_offers", "available_encoders"):
        for name, recommended, seconds in offers(corpus.language, paragraphs):
            words = [names[name], duration_for(seconds, paragraphs)]
            words += [_("recommended for this language")] if recommended else []
            choices.append((name, " · ".join(map(str, words))))
    return choices


def duration_for(seconds: float, paragraphs: int) -> str:
    hours, minutes = round(seconds / 3600), round(seconds / 60)
    if hours > 1:
        text = ngettext("about %(n)d hour", "about %(n)d hours", hours) % {"n": hours}
    elif minutes:
        text = ngettext("about %(n)d minute", "about %(n)d minutes", minutes) % {"n": minutes}
    else:
        text = _("under a minute")
    return _("%(time)s for %(n)s paragraphs") % {"time": text, "n": f"{paragraphs:,}"}
