"""What is chosen when a sample of translated claims is drawn."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Label
from datasets.models.translations import MOST_CLAIMS
from datasets.options import BIGGEST_SEED


class SampleForm(forms.Form):
    """How many translated claims are judged anew, and which."""

    size = forms.IntegerField(label=_("Claims"), min_value=1, max_value=MOST_CLAIMS, initial=200)
    labels = forms.MultipleChoiceField(
        label=_("Labels of their dataset"),
        choices=Label,
        initial=Label.values,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Claims without enough information have no evidence to show, which gives them away: "
            "leave them out where that matters."
        ),
    )
    is_stratified = forms.BooleanField(label=_("As many claims of each label"), required=False)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=BIGGEST_SEED,
        initial=0,
        required=False,
        help_text=_("The same seed draws the same claims."),
    )

    def clean_seed(self):
        return self.cleaned_data["seed"] or 0

    def clean_labels(self):
        """In the order of the labels, whatever the order of the ticks."""
        chosen = self.cleaned_data["labels"]
        return [label for label in Label.values if label in chosen]
