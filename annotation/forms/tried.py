"""Where settings that were tried are to go."""

from django import forms
from django.utils.translation import gettext, pgettext_lazy


class SaveSettingsForm(forms.Form):
    """A wave in which nobody has worked yet."""

    wave = forms.ModelChoiceField(
        None,
        label=pgettext_lazy("of a campaign", "Wave"),
        empty_label=None,
        widget=forms.RadioSelect,
        error_messages={"required": pgettext_lazy("of a campaign", "Choose a wave.")},
    )

    def __init__(self, *args, waves, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["wave"].queryset = waves
        self.fields["wave"].label_from_instance = wave_label


def wave_label(wave):
    name = f"{wave.campaign.name}: {wave.name}"
    if wave.worked:
        return gettext("%(name)s (somebody has worked in it, so it stays as it is)") % {
            "name": name
        }
    return name
