"""Which predictions are scored, against what, and how."""

from django import forms
from django.utils.translation import gettext_lazy as _

from datasets.scorers.matching import WAYS
from datasets.scorers.report import LIMITS
from datasets.scoring import PARTS
from datasets.scoring_words import MATCHES, TASKS


class ScoreForm(forms.Form):
    task = forms.ChoiceField(label=_("Task"), choices=TASKS.items())
    gold = forms.FileField(
        label=_("Gold claims"),
        help_text=_("The dataset's own lines; plain, or packed with gzip or xz."),
    )
    predictions = forms.FileField(
        label=_("Predictions"), help_text=_("In the form of the task's own scorer.")
    )
    match = forms.ChoiceField(
        label=_("Predictions belong to claims"), choices=[(way, MATCHES[way]) for way in WAYS]
    )
    max_evidence = forms.CharField(
        label=_("How many predicted items count"),
        required=False,
        max_length=9,
        help_text=_("FEVER and FEVEROUS: a number or “all”; empty for 5."),
    )
    max_cells = forms.CharField(
        label=_("How many predicted cells count"),
        required=False,
        max_length=9,
        help_text=_("FEVEROUS: a number or “all”; empty for 25."),
    )
    corpus = forms.FileField(
        label=_("Corpus"),
        required=False,
        help_text=_(
            "FEVER, SciFact, CTKFacts: then what predictions cite and it lacks is named. "
            "No score depends on it."
        ),
    )

    @property
    def chosen(self):
        """The arguments of `start_score`."""
        values = self.cleaned_data
        return {
            "task": values["task"],
            "match": values["match"],
            "limits": {name: values[name] for name in LIMITS},
            "files": {part: values[part] for part in PARTS if values[part]},
        }
