"""What is chosen when a dataset is uploaded."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from corpus.forms import FilesField
from corpus.validators import is_language
from datasets.importing.options import LONGEST_NAME, ImportOptions, checked_import
from datasets.models.imports import CHOICES

LINES = [
    ("", _("as the corpus was read")),
    ("units", _("the sentences of an article, counted from 0")),
    ("ranks", _("its paragraphs, by rank")),
]


class DatasetUploadForm(forms.Form):
    """Files of one dataset, and what they leave open."""

    files = FilesField(
        label=_("Files"), help_text=_("Plain, or packed with gzip or xz. All of one format.")
    )
    format = forms.ChoiceField(label=_("Format"), choices=CHOICES)
    wave = forms.CharField(
        label=_("Name of the wave"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=_("The labels of an import make a wave of their own; empty: after the files."),
    )
    language = forms.CharField(
        label=_("Language of the claims"), required=False, validators=[is_language]
    )
    lines = forms.ChoiceField(label=_("What a line of FEVER is"), choices=LINES, required=False)

    def __init__(self, *args, campaign, **kwargs):
        super().__init__(*args, **kwargs)
        self.campaign = campaign
        if campaign.corpus:
            self.fields["language"].help_text = _("Empty: that of the corpus.")
        else:
            self.fields["language"].required = True

    def clean(self):
        cleaned = super().clean()
        if not self.errors:
            names = ("format", "lines", "language", "wave")
            options = ImportOptions(**{name: cleaned[name] for name in names})
            try:
                self.options = checked_import(self.campaign, options)
            except ValidationError as error:
                self.add_error(None, error)
        return cleaned
