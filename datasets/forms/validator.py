"""Which files are checked for what they share."""

from django import forms
from django.utils.translation import gettext_lazy as _

from corpus.forms import FilesField


class CheckForm(forms.Form):
    files = FilesField(
        label=_("Two or three files"),
        help_text=_(
            "JSON lines in the form of FEVER, CTKFacts, CsFEVER, SciFact, FEVEROUS or AmbiFC; "
            "plain, or packed with gzip or xz."
        ),
    )
