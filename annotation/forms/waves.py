"""The settings of a wave, typed, each with its meaning; what is frozen is shown with the reason."""

from dataclasses import asdict

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.forms.fields import MomentField, TypedLine
from annotation.guidelines import current_guideline
from annotation.models import Mutation, Wave
from annotation.waves import FROZEN, RISING, is_worked, rising_reason
from dictionaries.backends.base import DictionarySettings

MUTATIONS = [(key, label) for key, label in Mutation.choices if key != Mutation.UNKNOWN]
# How the numbers of a dictionary are called in `Wave.dictionary_settings`.
DICTIONARY = {
    "dictionary_n_kw": "n_kw",
    "dictionary_n_sem": "n_sem",
    "dictionary_n_pre": "n_pre",
    "dictionary_k": "k",
    "dictionary_max_entities": "max_entities",
    "dictionary_per_pair": "per_pair",
}
GROUPS = [
    (_("Name and dates"), ["name", "opens_at", "closes_at", "is_sandbox", "guideline"]),
    (_("Quotas for each person"), ["quota_t1a", "quota_t1b", "quota_t2"]),
    (_("Claims"), ["writers_per_source", "mutations", "pool"]),
    (
        _("Labels"),
        [
            "plan",
            "labels_wanted",
            "extra_share",
            "extra_labels",
            "labels_own_claims",
            "rests_a_day",
            "allows_search",
            "seed",
        ],
    ),
    (_("Dictionaries"), list(DICTIONARY)),
]
QUOTA_HELP = _("Times the person's factor. 0: no quota.")


class WaveForm(forms.Form):
    """A new wave, or what may change of one."""

    name = TypedLine(label=pgettext_lazy("of a thing", "Name"), max_length=100)
    opens_at = MomentField(
        label=_("Opens"), required=False, help_text=_("Empty: not before you open it.")
    )
    closes_at = MomentField(
        label=_("Closes"),
        required=False,
        help_text=_("Answers that come later are kept as late. Empty: when you close it."),
    )
    is_sandbox = forms.BooleanField(
        label=_("Sandbox"),
        required=False,
        help_text=_("For trying out: has a banner, and stays outside every figure and export."),
    )
    guideline = forms.ModelChoiceField(
        None,
        label=_("Guidelines"),
        required=False,
        empty_label=None,
        help_text=_("People who worked by older ones confirm what changed before the next item."),
    )
    quota_t1a = forms.IntegerField(
        label=_("Sources to write from (T1a)"), min_value=0, max_value=100_000, help_text=QUOTA_HELP
    )
    quota_t1b = forms.IntegerField(
        label=_("Claims to mutate (T1b)"), min_value=0, max_value=100_000, help_text=QUOTA_HELP
    )
    quota_t2 = forms.IntegerField(
        label=_("Claims to label (T2)"), min_value=0, max_value=100_000, help_text=QUOTA_HELP
    )
    writers_per_source = forms.IntegerField(
        label=_("Writers for each source"),
        min_value=1,
        max_value=50,
        help_text=_("So many people, at most, write claims from the same paragraph."),
    )
    mutations = forms.MultipleChoiceField(
        label=_("Mutations"),
        choices=MUTATIONS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("The ways in which people are asked to change their claims."),
    )
    pool = forms.MultipleChoiceField(
        label=_("What is labelled"), choices=Wave.Pool.choices, widget=forms.CheckboxSelectMultiple
    )
    plan = forms.ChoiceField(
        label=_("Plan"),
        choices=Wave.Plan.choices,
        help_text=_(
            "How many people label each claim; nobody is told whether they are the first or the "
            "third."
        ),
    )
    labels_wanted = forms.IntegerField(
        label=_("Labels for each claim"),
        min_value=1,
        max_value=20,
        help_text=_("Used by the plan with an exact number."),
    )
    extra_share = forms.IntegerField(
        label=_("Share that gets more labels, in percent"),
        min_value=0,
        max_value=100,
        help_text=_("Such claims show how far people agree. 0: none."),
    )
    extra_labels = forms.IntegerField(
        label=_("How many more labels these get"), min_value=1, max_value=20
    )
    labels_own_claims = forms.BooleanField(
        label=_("Authors label their own claims, too"),
        required=False,
        help_text=_("Kept apart from the labels of others (T2a)."),
    )
    rests_a_day = forms.BooleanField(
        label=_("Nobody labels their own claims on the day they wrote them"), required=False
    )
    allows_search = forms.BooleanField(
        label=_("People who label may search the corpus"),
        required=False,
        help_text=_(
            "Beside the dictionaries, for what is older than the claim. Searches are written down."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("Every random choice of the wave follows from it."),
    )
    dictionary_n_kw = forms.IntegerField(
        label=_("Paragraphs found by keywords"), min_value=0, max_value=50
    )
    dictionary_n_sem = forms.IntegerField(
        label=_("Paragraphs found by meaning"), min_value=0, max_value=50
    )
    dictionary_n_pre = forms.IntegerField(
        label=_("Nearest paragraphs that these are chosen from"), min_value=1, max_value=10_000
    )
    dictionary_k = forms.IntegerField(
        label=_("Clusters of these"),
        min_value=1,
        max_value=20,
        help_text=_("They take turns, so that different sides of a matter are found."),
    )
    dictionary_max_entities = forms.IntegerField(
        label=_("Entities that are searched for in pairs"), min_value=0, max_value=40
    )
    dictionary_per_pair = forms.BooleanField(
        label=_("Take the best paragraph of each pair of entities in turn"),
        required=False,
        help_text=_("Otherwise the best of all pairs together, highest score first."),
    )

    def __init__(self, *args, campaign, wave=None, **kwargs):
        initial = initial_of(wave or Wave(campaign=campaign)) | (kwargs.pop("initial", None) or {})
        super().__init__(*args, initial=initial, **kwargs)
        self.campaign = campaign
        self.wave = wave
        self.fields["guideline"].queryset = campaign.guidelines.order_by("-number")
        self.fields["guideline"].label_from_instance = guideline_label
        if wave and is_worked(wave):
            self.freeze()

    def freeze(self):
        """Show what work rests on as it is, with the reason; what may grow, with its limit."""
        frozen = set(FROZEN) | set(DICTIONARY)
        for name in frozen & set(self.fields):
            self.fields[name].disabled = True
        for name in RISING:
            self.fields[name].help_text = rising_reason(self.initial[name])
            self.fields[name].widget.attrs["min"] = self.initial[name]

    @property
    def is_frozen(self):
        return self.fields["plan"].disabled

    def groups(self):
        """The fields under their headings, for the page."""
        return [(title, [self[name] for name in names]) for title, names in GROUPS]

    def clean_name(self):
        name = self.cleaned_data["name"]
        others = self.campaign.waves.filter(name=name)
        if self.wave:
            others = others.exclude(pk=self.wave.pk)
        if others.exists():
            raise ValidationError(
                gettext("There is a wave “%(name)s” already; choose another name.") % {"name": name}
            )
        return name

    def clean(self):
        cleaned = super().clean()
        opens, closes = cleaned.get("opens_at"), cleaned.get("closes_at")
        if closes and not opens:
            self.add_error("opens_at", gettext("A wave that closes needs a date when it opens."))
        if opens and closes and closes <= opens:
            self.add_error("closes_at", gettext("A wave closes after it opens."))
        n_pre, n_sem = cleaned.get("dictionary_n_pre"), cleaned.get("dictionary_n_sem")
        if n_pre is not None and n_sem is not None and n_pre < n_sem:
            message = gettext("%(n_sem)d are to be chosen from these, so it takes as many or more.")
            self.add_error("dictionary_n_pre", message % {"n_sem": n_sem})
        return cleaned

    def changes(self):
        """What was changed, as the service takes it: the names and values of a wave's columns."""
        changed = [name for name in self.changed_data if name not in DICTIONARY]
        values = {name: stored(name, self.cleaned_data[name]) for name in changed}
        if set(self.changed_data) & {"seed", *DICTIONARY}:
            values["dictionary_settings"] = self.dictionary_settings()
        return values

    def values(self):
        """All settings, for a wave that is made."""
        names = [name for name in self.fields if name not in DICTIONARY]
        values = {name: stored(name, self.cleaned_data[name]) for name in names}
        return {**values, "dictionary_settings": self.dictionary_settings()}

    def dictionary_settings(self):
        """As `dictionaries` takes them; the wave's seed is theirs, too."""
        settings = {key: self.cleaned_data[name] for name, key in DICTIONARY.items()}
        return {**settings, "seed": self.cleaned_data["seed"]}


class CloneForm(forms.Form):
    """A wave's settings again, under another name."""

    name = TypedLine(label=_("Name of the new wave"), max_length=100)
    with_people = forms.BooleanField(
        label=_("With the same people and factors"), required=False, initial=True
    )


def initial_of(wave):
    """A wave's settings as the form shows them."""
    names = [name for name in WaveForm.base_fields if name not in DICTIONARY]
    values = {name: getattr(wave, name) for name in names}
    values["extra_share"] = round(wave.extra_share * 100)
    if wave.guideline is None:
        values["guideline"] = current_guideline(wave.campaign)
    settings = asdict(DictionarySettings()) | wave.dictionary_settings
    return values | {name: settings[key] for name, key in DICTIONARY.items()}


def stored(name, value):
    return value / 100 if name == "extra_share" else value


def guideline_label(version):
    return gettext("Version %(number)d") % {"number": version.number}
