"""What is chosen for a release."""

from copy import deepcopy

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from datasets.forms.exports import EVIDENCE, ExportForm
from datasets.manifest import POLICIES
from datasets.options import FORMATS, publishes_texts
from datasets.releases.options import (
    BASE,
    GIVEN,
    LONGEST,
    ReleaseOptions,
    check_name,
    checked_release,
)

# The same choices as for an export, with the same words.
SHARED = ("waves", "split", "seed", "balanced", "oversized", "own", "conditional", "ties",
          "drop_supersets", "evidence", "per", "is_list", "lines")  # fmt: skip
TEXTS = ("description", "uses", "limitations", "citation")
GROUPS = [
    (_("What"), ["name", "date", "licence", "formats", "waves"], True),
    (_("Splits"), ["split", "seed", "balanced", "oversized"], True),
    (_("For the card"), ["creator", "contact", "url", *TEXTS], True),
    (_("Which labels count"), ["own", "conditional", "ties", "drop_supersets"], False),
    (_("For natural language inference only"), ["evidence", "per", "is_list"], False),
    (_("For FEVER only"), ["lines"], False),
]


def long_text(label, help_text=""):
    area = forms.Textarea(attrs={"rows": 4})
    return forms.CharField(
        label=label, help_text=help_text, required=False, max_length=LONGEST, widget=area
    )


class ReleaseForm(forms.Form):
    """One release: its name, what goes in, and what its card says beside the figures."""

    name = forms.CharField(
        label=_("Name"), max_length=40, help_text=_("Such as 1.0.0; it is never given again.")
    )
    date = forms.DateField(
        label=_("Date on the card"),
        # Browsers take no other form for a value, whatever the language.
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    licence = forms.CharField(
        label=_("Licence of claims and labels"),
        required=False,
        max_length=200,
        help_text=_("Such as CC BY-SA 4.0. That of the source texts is the corpus' own."),
    )
    formats = forms.MultipleChoiceField(
        label=_("Formats beside CTKFacts"),
        required=False,
        choices=[pair for pair in FORMATS.items() if pair[0] != BASE],
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Releases are compared by their lines in CTKFacts form, so it is always there."
        ),
    )
    creator = forms.CharField(label=_("Curated by"), required=False, max_length=200)
    contact = forms.CharField(label=_("Contact"), required=False, max_length=200)
    url = forms.URLField(label=_("Homepage"), required=False, max_length=200, assume_scheme="https")
    description = long_text(_("What the dataset is"))
    uses = long_text(_("What it is for"))
    limitations = long_text(_("What one should know of its limits"))
    citation = long_text(_("How to cite it"), _("As people cite it, for instance in BibTeX."))

    def __init__(self, *args, campaign, **kwargs):
        super().__init__(*args, **kwargs)
        self.campaign = campaign
        like = ExportForm(campaign=campaign)
        self.fields |= {name: deepcopy(like.fields[name]) for name in SHARED}
        self.fields["date"].initial = timezone.localdate
        if campaign.corpus and not publishes_texts(campaign):
            self.fields["evidence"].choices = EVIDENCE[:2]

    @property
    def groups(self):
        """(title, fields, whether they are shown at once); what was changed or is wrong is."""
        for title, names, is_open in GROUPS:
            touched = self.is_bound and any(name in self.changed_data for name in names)
            yield title, [self[name] for name in names], is_open or touched

    def clean_name(self):
        check_name(self.cleaned_data["name"])
        return self.cleaned_data["name"]

    def clean(self):
        cleaned = super().clean()
        if not self.errors:
            try:
                self.options = checked_release(
                    self.campaign, cleaned["name"], options_from(cleaned)
                )
            except ValidationError as error:
                self.add_error(None, error)
        return cleaned


def options_from(chosen: dict) -> ReleaseOptions:
    """The options of a valid form."""
    balanced = [name.strip() for name in chosen["balanced"].split(",")]
    plain = ("split", "oversized", *POLICIES, "evidence", "per", "lines", "licence")
    return ReleaseOptions(
        date=chosen["date"].isoformat(),
        formats=(BASE, *chosen["formats"]),
        waves=tuple(chosen["waves"]),
        balanced=tuple(filter(None, balanced)),
        is_joined=not chosen["is_list"],
        seed=chosen["seed"] or 0,
        **{name: chosen[name] for name in (*plain, *GIVEN)},
    )
