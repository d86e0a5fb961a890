"""Fields that several forms share: typed text as DESIGN wants it, zones, moments."""

from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpus.texts import one_line
from corpus.typed import seen_text


class TypedText(forms.CharField):
    """Text of several lines: NFC, trimmed, line ends unified, no unseen characters."""

    widget = forms.Textarea

    def to_python(self, value):
        return seen_text(value or "")


class TypedLine(TypedText):
    """Text of one line."""

    widget = forms.TextInput

    def to_python(self, value):
        return one_line(super().to_python(value))


class ZoneField(forms.CharField):
    """The name of a time zone, with suggestions while typing where the browser has them."""

    default_error_messages = {
        "unknown": _("“%(value)s” is no time zone; write one such as “Europe/Prague” or “UTC”.")
    }

    def to_python(self, value):
        name = super().to_python(value)
        if name and name not in available_timezones():
            raise ValidationError(
                self.error_messages["unknown"], code="unknown", params={"value": name}
            )
        return name and ZoneInfo(name).key


class MomentField(forms.DateTimeField):
    """A moment to the minute, typed and shown in the zone that is active (the campaign's)."""

    def __init__(self, **options):
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, **options)

    def to_python(self, value):
        """Years at the ends of the calendar are refused: in UTC they may have no such moment."""
        moment = super().to_python(value)
        if moment and not 1000 <= moment.year <= 9000:
            raise ValidationError(gettext("This year cannot be right; use one from 1000 to 9000."))
        return moment

    def has_changed(self, initial, data):
        """A stored moment has seconds that the form does not show: that is no change."""
        return super().has_changed(initial and initial.replace(second=0, microsecond=0), data)
