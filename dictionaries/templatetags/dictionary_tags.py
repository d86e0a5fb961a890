"""Words for what a retrieval went through."""

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from dictionaries.forms import SHOWN, SettingsForm

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


@register.filter
def differences(explorations):
    """Rows (what, first, second, whether they differ) on the settings of two explorations."""
    first, second = (one.chosen_settings for one in explorations)
    return [
        (
            SettingsForm.base_fields[name].label,
            shown(first[name]),
            shown(second[name]),
            first[name] != second[name],
        )
        for name in SHOWN
    ]


def shown(value):
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return value
