"""Words for what a retrieval went through."""

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()
STAGES = {
    "entities": _("finding names"),
    "keyword": _("search by keywords"),
    "encode": _("encoding the text"),
    "search": _("search by meaning"),
    "cluster": _("clustering"),
}


@register.filter
def stage_name(stage):
    """What a stage does, in words."""
    return STAGES.get(stage, stage)
