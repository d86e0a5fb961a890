"""What is chosen on the pages of agreement: forms that are sent by GET, from fixed choices."""

from dataclasses import fields

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.figures import CHOOSING, AgreementSettings, Scope
from agreement.label_rows import ends_before_it_begins

DUPLICATES = [("last", _("the last one")), ("first", _("the first one")), ("all", _("all of them"))]
OWN = [
    ("never", _("never")),
    ("when-alone", _("where there is no other")),
    ("vote", _("like any other")),
]
CONDITIONAL = [
    ("nei", _("only alone, as NEI")),
    ("drop", _("never")),
    ("as-is", _("like any other")),
]
RESAMPLE = [("claims", _("claims")), ("sources", _("source articles"))]
INTERVALS = [("percentile", _("draws of claims or articles")), ("kalpha", _("as KALPHA does it"))]
TASKS = [
    ("all", _("all labels")),
    ("T2b", _("T2b: of others' claims")),
    ("T2a", _("T2a: of one's own claims")),
]
SUBSETS = [
    ("all", _("all claims")),
    ("certain", _("certain: nobody was in doubt")),
    ("uncertain", _("uncertain: somebody was in doubt")),
    ("rule", _("by a rule of your own")),
]
BOUNDS = [("at-least", _("at least")), ("at-most", _("at most"))]
MOST_LABELS = 99
TOO_EARLY = _("This day is before the first one; choose a later one.")


class ScopeForm(forms.Form):
    """Figures of which wave; what is not said, or is not known, has its default."""

    wave = forms.ChoiceField(label=_("Wave"), required=False)

    def __init__(self, query, *, campaign, reader=None):
        self.campaign, self.reader = campaign, reader
        self.waves = {str(wave.pk): wave for wave in campaign.waves.counted().order_by("pk")}
        known = {name: query.get(name, "") for name in self.base_fields}
        super().__init__({name: known[name] or self.default_of(name) for name in known})
        self.fields["wave"].choices = [
            ("", _("all but sandboxes")),
            *[(number, wave.name) for number, wave in self.waves.items()],
        ]
        self.is_valid()

    @classmethod
    def default_of(cls, name):
        return cls.base_fields[name].initial or ""

    def chosen(self, name):
        return self.cleaned_data.get(name) or self.default_of(name)

    @property
    def scope(self):
        return Scope(self.campaign, self.waves.get(self.chosen("wave")))

    # The names of the fields that stay in sight; None for all of them.
    IN_SIGHT = None

    @property
    def in_sight(self):
        return [self[name] for name in self.IN_SIGHT or self.fields]

    @property
    def behind(self):
        """The fields behind a summary."""
        return [self[name] for name in self.fields if name not in (self.IN_SIGHT or self.fields)]

    @property
    def is_unusual(self):
        """Whether something behind the summary is not as usual, or was refused."""
        return any(
            field.errors
            or self.query.get(field.name, self.default_of(field.name))
            != self.default_of(field.name)
            for field in self.behind
        )

    @property
    def query(self):
        """What was chosen, for links and for the form that asks for new figures."""
        return {name: self.chosen(name) for name in self.fields}

    @property
    def unusual(self):
        """What was chosen otherwise than usual, for links to what the figures rest on."""
        return {name: value for name, value in self.query.items() if value != self.default_of(name)}


def choice(label, choices):
    return forms.ChoiceField(label=label, choices=choices, initial=choices[0][0], required=False)


def number(label, initial, least):
    return forms.IntegerField(
        label=label, initial=initial, min_value=least, max_value=MOST_LABELS, required=False
    )


def day(label):
    picker = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, input_formats=["%Y-%m-%d"], required=False, widget=picker)


class AgreementForm(ScopeForm):
    """Which labels are measured and how; policies are behind a summary."""

    task = choice(_("Task"), TASKS)
    since = day(_("From"))
    until = day(_("To"))
    subset = choice(_("Subset"), SUBSETS)
    duplicates = choice(_("An imported annotator's repeats"), DUPLICATES)
    own = choice(_("Labels of one's own claims count"), OWN)
    conditional = choice(_("Labels under a condition count"), CONDITIONAL)
    resample = choice(_("Interval by drawing"), RESAMPLE)
    interval = choice(_("Kind of interval"), INTERVALS)
    bound = choice(_("Rule: claims with"), BOUNDS)
    marks = number(_("so many labels in doubt"), 1, 0)
    among = number(_("of so many labels or more"), 2, 1)

    IN_SIGHT = ("wave", "task", "since", "until", "subset")
    RULE = ("bound", "marks", "among")

    def clean(self):
        if ends_before_it_begins(self.cleaned_data.get("since"), self.cleaned_data.get("until")):
            self.add_error("until", TOO_EARLY)
        return self.cleaned_data

    def chosen(self, name):
        """As plain values: days as ISO texts, numbers as numbers, 0 as 0."""
        value = self.cleaned_data.get(name)
        if name in ("since", "until"):
            return value.isoformat() if value else ""
        return value if value == 0 and name == "marks" else super().chosen(name)

    @property
    def choosing(self):
        """(field, what was chosen in words) of what says which labels count, but for the wave."""
        names = (*CHOOSING, *self.RULE)
        chosen = {name: value for name, value in self.unusual.items() if name in names}
        return [(self[name], self.in_words(name, value)) for name, value in chosen.items()]

    def in_words(self, name, value):
        return dict(getattr(self.fields[name], "choices", ())).get(value, value)

    @property
    def settings(self):
        known = {field.name for field in fields(AgreementSettings)}
        return AgreementSettings(
            **{name: value for name, value in self.query.items() if name in known}
        )

    @property
    def query(self):
        """Without the rule where no rule is asked for, so that one choice has one address."""
        rule = () if self.chosen("subset") == "rule" else self.RULE
        return {name: value for name, value in super().query.items() if name not in rule}
