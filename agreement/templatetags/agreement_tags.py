"""Numbers and reasons as the pages of agreement show them."""

from datetime import date
from urllib.parse import urlencode

from django import template
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from agreement import reasons
from annotation.models import Annotation, Label

register = template.Library()
NOTHING = "–"


@register.filter
def why(reason):
    return reasons.why(reason)


@register.filter
def decimals(value, places=3):
    """A number with so many decimals, in the reader's notation; a dash where there is none."""
    return NOTHING if value is None else in_figures(value, places)


@register.filter
def percent(value, places=0):
    """A share in 0 to 1 as percent."""
    return NOTHING if value is None else f"{in_figures(100 * value, places)} %"


def in_figures(value, places):
    """Rounded first: `number_format` only cuts off. Adding 0 makes -0 plain 0."""
    return number_format(round(value, places) + 0.0, places)


@register.filter
def label_name(label):
    """A label in words; an imported one that we do not know stays as it is."""
    return Label(label).label if label in Label.values else label


@register.filter
def as_query(chosen):
    """What was chosen in a form, for an address."""
    return urlencode(chosen)


@register.filter
def day(iso):
    """A day of figures, in the reader's notation."""
    return date_format(date.fromisoformat(iso), "SHORT_DATE_FORMAT")


@register.filter
def named(pseudonym, names):
    """What an annotator is called on this page."""
    return names.get(pseudonym, pseudonym)


@register.filter
def vote_kind(kind):
    """What kind of label a vote is, in words; nothing for the usual cross-annotation."""
    if kind == Annotation.Kind.CROSS:
        return ""
    return _("the file's own label") if kind == "aggregate" else Annotation.Kind(kind).label
