"""What pages of a corpus share: its tabs, and dates in its zone."""

from zoneinfo import ZoneInfo

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import NoReverseMatch, reverse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from corpus.models import Corpus

register = template.Library()
# The tabs of a corpus: name, page (some are of higher apps), whether for managers only, label.
TABS = [
    ("corpus", "corpus:corpus", False, _("Overview")),
    ("articles", "corpus:articles", False, _("Articles")),
    ("import", "corpus:new-import", True, _("Import")),
    ("index", "dictionaries:index", True, _("Index")),
    ("explore", "dictionaries:explore", True, _("Explore")),
    ("settings", "corpus:edit-corpus", None, _("Settings")),
]


@register.inclusion_tag("corpus/_tabs.html")
def corpus_tabs(corpus, user, current):
    """The pages of a corpus that are open to `user`; `current` is the name of this one."""
    manages = Corpus.objects.managed_by(user).filter(pk=corpus.pk).exists()
    allowed = {False: True, True: manages, None: user.is_superuser}
    tabs = [
        (name, page_of(view, corpus), label)
        for name, view, lowest, label in TABS
        if allowed[lowest]
    ]
    return {"corpus": corpus, "tabs": [tab for tab in tabs if tab[1]], "current": current}


def page_of(view, corpus):
    try:
        return reverse(view, args=[corpus.slug])
    except NoReverseMatch:
        return None


@register.inclusion_tag("components/date.html")
def corpus_date(dated, corpus):
    """When an article or a paragraph came out, in the corpus' zone; a day is shown as a day."""
    local = dated.published_at.astimezone(ZoneInfo(corpus.time_zone))
    text = date_format(local, "SHORT_DATE_FORMAT")
    if not dated.is_day:
        text = f"{text}, {date_format(local, 'H:i')}"
    return {"moment": local, "text": text}


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
