"""What is chosen on the pages of agreement: forms that are sent by GET, from fixed choices."""

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.figures import AgreementSettings, Scope

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


class ScopeForm(forms.Form):
    """Figures of which wave; what is not said, or is not known, has its default."""

    wave = forms.ChoiceField(label=_("Wave"), required=False)

    def __init__(self, query, *, campaign):
        self.campaign = campaign
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

    @property
    def query(self):
        """What was chosen, for links and for the form that asks for new figures."""
        return {name: self.chosen(name) for name in self.fields}


def choice(label, choices):
    return forms.ChoiceField(label=label, choices=choices, initial=choices[0][0], required=False)


class AgreementForm(ScopeForm):
    duplicates = choice(_("An imported annotator's repeats"), DUPLICATES)
    own = choice(_("Labels of one's own claims count"), OWN)
    conditional = choice(_("Labels under a condition count"), CONDITIONAL)
    resample = choice(_("Interval by drawing"), RESAMPLE)

    @property
    def settings(self):
        names = ("duplicates", "own", "conditional", "resample")
        return AgreementSettings(**{name: self.chosen(name) for name in names})
