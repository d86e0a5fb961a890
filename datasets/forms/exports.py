"""What is chosen on the page of exports."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from datasets.options import (
    BIGGEST_SEED,
    FORMATS,
    ExportOptions,
    checked_options,
    publishes_texts,
)

OWN = [
    ("never", _("never count")),
    ("when-alone", _("count where nobody else labelled the claim")),
    ("vote", _("count like the others")),
]
CONDITIONAL = [
    ("nei", _("count as “not enough information”, where no other label is there")),
    ("drop", _("are left out")),
    ("as-is", _("count like the others")),
]
TIES = [
    ("leave-out", _("leave them out, and count them")),
    ("soft", _("keep them without a label, and give every claim its shares of labels")),
]
EVIDENCE = [("", _("as the format and the corpus have it")), ("ids", _("ids")), ("text", _("text"))]
PER = [
    ("", _("one line for each evidence set")),
    ("claim", _("one line for each claim")),
]
OVERSIZED = [
    ("train", _("goes to the training split whole")),
    ("cut", _("is cut between claims that are merely alike")),
]
LINES = [
    ("", _("as the corpus was read")),
    ("ranks", _("ranks of paragraphs")),
    ("units", _("numbers of sentences in the article")),
]
MORE = ["superseded", "times", "texts"]
# What everybody chooses, then what some look for; the rest is folded away.
GROUPS = [
    (_("What"), ["format", "waves"], True),
    (_("Splits"), ["split", "seed", "balanced", "oversized"], True),
    (_("Which labels count"), ["own", "conditional", "ties", "drop_supersets"], False),
    (_("For natural language inference only"), ["evidence", "per", "is_list"], False),
    (_("For FEVER only"), ["lines"], False),
    (_("For raw annotations, and what annotators did in FEVEROUS"), MORE, False),
]


class ExportForm(forms.Form):
    """One export: format, waves, policies, splits, and what raw annotations carry."""

    format = forms.ChoiceField(choices=list(FORMATS.items()), label=_("Format"))
    waves = forms.MultipleChoiceField(
        label=_("Waves"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen means all. Sandboxes are in no export."),
    )
    own = forms.ChoiceField(choices=OWN, label=_("Labels of a claim's author"))
    conditional = forms.ChoiceField(choices=CONDITIONAL, label=_("Labels with a condition"))
    ties = forms.ChoiceField(choices=TIES, label=_("Claims on whose label nobody decided"))
    drop_supersets = forms.BooleanField(
        label=_("Leave out evidence sets that contain another one"), required=False
    )
    split = forms.CharField(
        label=_("Splits"),
        required=False,
        max_length=200,
        help_text=_(
            "Shares or numbers of claims: “train=0.8,dev=0.1,test=0.1”, or "
            "“train=rest,dev=500,test=500”. Empty for one file. No two splits share a source "
            "article."
        ),
    )
    balanced = forms.CharField(
        label=_("Splits with as many claims of each label"),
        required=False,
        max_length=200,
        help_text=_("Such as “dev,test”. The other claims of these splits are left out."),
    )
    oversized = forms.ChoiceField(
        choices=OVERSIZED, label=_("A group of more than a tenth of all claims")
    )
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=BIGGEST_SEED, initial=0, required=False
    )
    evidence = forms.ChoiceField(choices=EVIDENCE, label=_("Evidence as"), required=False)
    per = forms.ChoiceField(choices=PER, label=_("Lines"), required=False)
    is_list = forms.BooleanField(
        label=_("Texts of an evidence set as a list, not joined to one text"), required=False
    )
    lines = forms.ChoiceField(choices=LINES, label=_("Lines of evidence"), required=False)
    superseded = forms.BooleanField(
        label=_("Labels that were superseded or removed, too"), required=False
    )
    times = forms.BooleanField(
        label=_("When each label was given, how long it took, and when each step was done"),
        required=False,
    )
    texts = forms.BooleanField(
        label=_("Conditions, notes and searches, as annotators wrote them"), required=False
    )

    def __init__(self, *args, campaign, **kwargs):
        super().__init__(*args, **kwargs)
        self.campaign = campaign
        names = sorted(campaign.waves.counted().values_list("name", flat=True))
        self.fields["waves"].choices = [(name, name) for name in names]
        if campaign.corpus and not publishes_texts(campaign):
            self.fields["evidence"].choices = EVIDENCE[:2]
            self.fields["evidence"].help_text = _("The texts of this corpus are not published.")

    @property
    def groups(self):
        """(title, fields, whether they are shown at once); what was changed or is wrong is."""
        for title, names, is_open in GROUPS:
            fields = [self[name] for name in names]
            touched = any(name in self.changed_data for name in names) if self.is_bound else False
            yield title, fields, is_open or touched

    def clean(self):
        cleaned = super().clean()
        if not self.errors:
            try:
                self.options = checked_options(self.campaign, options_from(cleaned))
            except ValidationError as error:
                self.add_error(None, error)
        return cleaned


def options_from(chosen: dict) -> ExportOptions:
    """The options of a valid form."""
    balanced = [name.strip() for name in chosen["balanced"].split(",")]
    return ExportOptions.of(
        {
            **chosen,
            "waves": chosen["waves"],
            "balanced": list(filter(None, balanced)),
            "is_joined": not chosen["is_list"],
            "seed": chosen["seed"] or 0,
        }
    )
