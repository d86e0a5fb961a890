"""What is typed to explore dictionaries."""

from datetime import UTC
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpus.texts import clean_text
from dictionaries.backends.base import DictionarySettings
from dictionaries.bridge import SETTING_NAMES, dictionary_settings
from dictionaries.queries import (
    LONGEST_TEXT,
    paragraph_named,
    query_of_paragraph,
    query_of_text,
)

USUAL = DictionarySettings()


class ExploreForm(forms.Form):
    """A query and the parameters of its dictionary, as a wave would have them."""

    text = forms.CharField(
        label=_("Text"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("A claim or a paragraph."),
    )
    paragraph = forms.CharField(
        label=_("Or the id of a paragraph"),
        required=False,
        max_length=240,
        help_text=_("Its own article is left out, and its own time is the as-of date."),
    )
    as_of = forms.DateTimeField(
        label=_("As of"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Only what is older is found. Empty: now."),
    )
    n_kw = forms.IntegerField(
        label=_("Paragraphs by keywords"), min_value=0, max_value=50, initial=USUAL.n_kw
    )
    n_sem = forms.IntegerField(
        label=_("Paragraphs by meaning"), min_value=0, max_value=50, initial=USUAL.n_sem
    )
    n_pre = forms.IntegerField(
        label=_("Nearest to cluster"), min_value=1, max_value=5000, initial=USUAL.n_pre
    )
    k = forms.IntegerField(label=_("Clusters"), min_value=1, max_value=20, initial=USUAL.k)
    max_entities = forms.IntegerField(
        label=_("Names at most"), min_value=0, max_value=30, initial=USUAL.max_entities
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=2**31 - 1, initial=USUAL.seed)
    per_pair = forms.BooleanField(label=_("The best of each pair of names in turn"), required=False)

    def __init__(self, *args, corpus, **kwargs):
        super().__init__(*args, **kwargs)
        self.corpus = corpus
        for name in SETTING_NAMES:
            self.fields[name].required = False
        if corpus.undated:
            del self.fields["as_of"]

    def clean_text(self):
        return clean_text(self.cleaned_data["text"])

    def clean_as_of(self):
        """A moment typed in the corpus' zone, whatever zone this server is in."""
        moment = self.cleaned_data["as_of"]
        if moment is None:
            return None
        if not 1000 <= moment.year <= 9000:
            raise ValidationError(gettext("This year cannot be right; use one from 1000 to 9000."))
        local = timezone.make_naive(moment, timezone.get_current_timezone())
        return local.replace(tzinfo=ZoneInfo(self.corpus.time_zone)).astimezone(UTC)

    def clean_paragraph(self):
        name = self.cleaned_data["paragraph"].strip()
        if not name:
            return None
        if paragraph := paragraph_named(self.corpus, name):
            return paragraph
        told = {"corpus": self.corpus.slug, "paragraph": name}
        raise ValidationError(gettext("%(corpus)s has no paragraph “%(paragraph)s”.") % told)

    def clean(self):
        values = super().clean()
        if not self.errors and bool(values["text"]) == bool(values["paragraph"]):
            self.add_error("text", gettext("Give a text or a paragraph, one of the two."))
        if not self.errors:
            try:
                self.settings = dictionary_settings(self.corpus, self.chosen())
            except ValueError as error:
                self.add_error(None, str(error))
        return values

    def chosen(self):
        return {
            name: self.cleaned_data[name]
            for name in SETTING_NAMES
            if self.cleaned_data[name] is not None
        }

    def query(self):
        """What is asked of the index."""
        values = self.cleaned_data
        as_of = values.get("as_of")
        if values["paragraph"]:
            query = query_of_paragraph(values["paragraph"])
            return query | {"as_of": as_of} if as_of else query
        return query_of_text(self.corpus, values["text"], as_of or timezone.now())
