"""What is chosen when a dataset is localised."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from corpus.forms import FilesField
from datasets.localising.options import BALANCED, LocalisingOptions, checked
from datasets.options import BIGGEST_SEED

GROUP = [
    ("article", _("grouped: no article is cited in two splits")),
    ("none", _("claim by claim, as in the paper; what leaks is reported")),
]
PAGES = [
    ("fever", _("as FEVER escapes titles: Most_-LRB-film-RRB-")),
    ("given", _("as the table of titles has them")),
]


class LocalisationForm(forms.Form):
    """A dataset, a table of titles, translations, and how the result is split."""

    files = FilesField(
        label=_("Dataset"),
        help_text=_("Files in FEVER's form; plain, or packed with gzip or xz."),
    )
    titles = forms.FileField(
        label=_("Table of titles"),
        help_text=_("TSV, CSV or JSON lines with the columns “source” and “target”."),
    )
    translations = forms.FileField(
        label=_("Translated claims"),
        required=False,
        help_text=_("CSV, TSV or JSON lines with the columns “id” and “claim”."),
    )
    pages = forms.ChoiceField(label=_("Names of pages"), choices=PAGES)
    split = forms.CharField(
        label=_("Splits"),
        required=False,
        max_length=200,
        help_text=_(
            "Shares or numbers of claims: “train=0.8,dev=0.1,test=0.1”, or "
            "“train=rest,dev=500,test=500”. Empty for one file."
        ),
    )
    group = forms.ChoiceField(label=_("How claims are split"), choices=GROUP)
    balanced = forms.CharField(
        label=_("Splits with as many claims of each label"),
        required=False,
        max_length=200,
        initial=",".join(BALANCED),
        help_text=_(
            "It counts only where there are splits. Left as it is, those of these names that "
            "there are; empty for none."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=BIGGEST_SEED, initial=0, required=False
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not settings.TRANSLATOR:
            self.fields["translations"].required = True
        else:
            self.fields["translations"].help_text = _(
                "CSV, TSV or JSON lines with the columns “id” and “claim”. Without a file, the "
                "translator of this site is asked."
            )

    def clean(self):
        cleaned = super().clean()
        if not self.errors:
            try:
                is_usual = "balanced" not in self.changed_data
                self.options = checked(options_from(cleaned, is_balanced_by_default=is_usual))
            except ValidationError as error:
                self.add_error(None, error)
        return cleaned


def options_from(chosen: dict, *, is_balanced_by_default: bool) -> LocalisingOptions:
    """The options of a valid form."""
    is_named = chosen["split"] and not is_balanced_by_default
    balanced = [name.strip() for name in chosen["balanced"].split(",")] if is_named else []
    return LocalisingOptions(
        split=chosen["split"],
        group=chosen["group"],
        balanced=tuple(filter(None, balanced)),
        is_balanced_by_default=is_balanced_by_default,
        seed=chosen["seed"] or 0,
        pages=chosen["pages"],
    )
