"""What is asked for beside a release: baselines, and the predictions of a model."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.fields import TypedLine
from datasets.options import BIGGEST_SEED
from datasets.results.services import LONGEST_NAME
from datasets.results.shown import splits_to_predict


class BaselinesForm(forms.Form):
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=BIGGEST_SEED, initial=0)


class PredictionsForm(forms.Form):
    """A file of predictions in CTKFacts' form, and what the model is called."""

    name = TypedLine(label=_("Name of the model"), max_length=LONGEST_NAME)
    split = forms.ChoiceField(label=_("Split"))
    file = forms.FileField(
        label=_("Predictions"),
        help_text=_(
            "Lines of JSON with id, predicted_label and predicted_pages (paragraphs, best first), "
            "one for each claim of the split; plain, or packed with gzip or xz."
        ),
    )

    def __init__(self, *args, release, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["split"].choices = [(name, name) for name in splits_to_predict(release)]
