"""What pages of a corpus share: its tabs, and dates in its zone."""

from zoneinfo import ZoneInfo

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from corpus.models import Corpus

register = template.Library()
READERS, MANAGERS, SUPERUSERS = range(3)
# The tabs of a corpus: name, page (some are of a higher app), who at least, label.
TABS = [
    ("corpus", "corpus:corpus", READERS, _("Overview")),
    ("articles", "corpus:articles", READERS, _("Articles")),
    ("search", "dictionaries:search", READERS, _("Search")),
    ("import", "corpus:new-import", MANAGERS, _("Import")),
    ("index", "dictionaries:index", MANAGERS, _("Index")),
    ("explore", "dictionaries:explore", MANAGERS, _("Explore")),
    ("settings", "corpus:edit-corpus", SUPERUSERS, _("Settings")),
]


@register.inclusion_tag("corpus/_tabs.html")
def corpus_tabs(corpus, user, current):
    """The pages of a corpus that are open to `user`; `current` is the name of this one."""
    rank = rank_of(user, corpus)
    tabs = [
        (name, reverse(view, args=[corpus.slug]), label)
        for name, view, lowest, label in TABS
        if rank >= lowest
    ]
    return {"corpus": corpus, "tabs": tabs, "current": current}


def rank_of(user, corpus):
    if user.is_superuser:
        return SUPERUSERS
    manages = Corpus.objects.managed_by(user).filter(pk=corpus.pk).exists()
    return MANAGERS if manages else READERS


@register.inclusion_tag("components/date.html")
def corpus_date(dated, corpus):
    """When an article or a paragraph came out, in the corpus' zone; a day is shown as a day."""
    local = dated.published_at.astimezone(ZoneInfo(corpus.time_zone))
    return badge_of(local, is_day=dated.is_day)


def badge_of(local, *, is_day):
    """A moment that is in its zone already, for people and for programs; or only its day."""
    text = date_format(local, "SHORT_DATE_FORMAT")
    if is_day:
        return {"stated": local.date().isoformat(), "text": text}
    return {"stated": local.isoformat(), "text": f"{text}, {date_format(local, 'H:i')}"}


@register.filter
def day_in(moment, corpus):
    """The day of a moment in the corpus' zone."""
    return date_format(moment.astimezone(ZoneInfo(corpus.time_zone)), "SHORT_DATE_FORMAT")


@register.filter
def moment_in(moment, corpus):
    """A moment in the corpus' zone, to the minute."""
    local = moment.astimezone(ZoneInfo(corpus.time_zone))
    return f"{date_format(local, 'SHORT_DATE_FORMAT')}, {date_format(local, 'H:i')}"


@register.filter
def count(number):
    """A whole number as people write it; a dash where it is not known yet."""
    return "–" if number is None or number == "" else intcomma(number)


@register.filter
def badge_state(state):
    """The state of an import in the words that badges know."""
    return {"read": "draft", "cleaned": "cancelled"}.get(state, state)
