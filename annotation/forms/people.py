"""Invitations, roles, participation: what managers type about people."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.forms.fields import TypedLine, TypedText
from annotation.models import Participation, Role, Wave

MAX_LIST = 500
MAX_NAME = 200


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class ParticipationForm(forms.Form):
    """Whether somebody works in a wave, and how much is asked of them."""

    status = forms.ChoiceField(label=_("Status"), choices=Participation.Status.choices)
    quota_factor = forms.DecimalField(
        label=_("Factor"), min_value=0, max_value=20, max_digits=4, decimal_places=2
    )


class InvitationForm(forms.Form):
    """One link, for one person or for as many as it is capped at."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANNOTATOR)
    wave = forms.ModelChoiceField(
        None,
        label=_("Wave"),
        required=False,
        empty_label=_("none: the campaign only"),
        help_text=_("Whoever joins may work in this wave at once."),
    )
    days = forms.IntegerField(
        label=_("Days until it expires"), min_value=1, max_value=366, initial=30
    )

    def __init__(self, *args, campaign, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["wave"].queryset = campaign.waves.filter(purpose=Wave.Purpose.NORMAL)


class OneLinkForm(InvitationForm):
    max_uses = forms.IntegerField(
        label=_("How many people may use it"), min_value=1, max_value=10_000, initial=1
    )
    addressee = TypedLine(
        label=_("For"),
        max_length=MAX_NAME,
        required=False,
        help_text=_("A name, an address or a group, so that you know the link again."),
    )
    field_order = ["addressee", "role", "wave", "max_uses", "days"]


class ClassList(TypedText):
    """Lines as a spreadsheet gives them: its tabs are blanks."""

    def to_python(self, value):
        return super().to_python((value or "").replace("\t", " "))


class ClassListForm(InvitationForm):
    """A pasted list: one link for each line."""

    people = ClassList(
        label=_("Names or addresses"),
        help_text=_("One on each line. Each gets a link of their own that works once."),
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    field_order = ["people", "role", "wave", "days"]

    def clean_people(self):
        """The lines, each once, in their order."""
        lines = [" ".join(line.split()) for line in self.cleaned_data["people"].splitlines()]
        names = list(dict.fromkeys(line for line in lines if line))
        if len(names) > MAX_LIST:
            raise ValidationError(
                gettext("These are %(n)d lines; paste at most %(max)d at a time.")
                % {"n": len(names), "max": MAX_LIST}
            )
        for number, name in enumerate(names, start=1):
            if len(name) > MAX_NAME:
                raise ValidationError(
                    gettext("Line %(number)d has %(n)d characters; %(max)d are allowed.")
                    % {"number": number, "n": len(name), "max": MAX_NAME}
                )
        return names
