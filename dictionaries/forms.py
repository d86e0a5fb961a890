"""What is typed to explore dictionaries."""

from datetime import UTC
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpus.texts import clean_text, one_line
from corpus.typed import seen_text
from dictionaries.backends.base import KEYWORD, SEMANTIC, DictionarySettings
from dictionaries.bridge import SETTING_NAMES, dictionary_settings
from dictionaries.queries import (
    LONGEST_TEXT,
    paragraph_named,
    query_of_paragraph,
    query_of_text,
)
from dictionaries.searching import LONGEST_QUERY, MOST_HITS, PER_PAGE

USUAL = DictionarySettings()
METHODS = [(KEYWORD, _("By its words")), (SEMANTIC, _("By its meaning"))]
SHOWN = ("n_kw", "n_sem", "n_pre", "k", "max_entities", "seed", "per_pair")


class SettingsForm(forms.Form):
    """The parameters of a dictionary, as a wave would have them; what is empty is as usual."""

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

    def __init__(self, data=None, *, corpus, prefix=None):
        super().__init__(with_usual(data, prefix), prefix=prefix)
        self.corpus = corpus

    def clean(self):
        values = super().clean()
        if not self.errors:
            try:
                self.settings = dictionary_settings(self.corpus, self.chosen())
            except ValueError as error:
                self.add_error(None, str(error))
        return values

    def chosen(self):
        return {name: self.cleaned_data[name] for name in SETTING_NAMES}


def with_usual(data, prefix):
    """What was sent, with the usual number where a parameter is empty: a link names but a query."""
    if data is None:
        return None
    data = data.copy()
    for name in SETTING_NAMES:
        sent = f"{prefix}-{name}" if prefix else name
        if name != "per_pair" and not data.get(sent):  # a box that is not ticked is not sent
            data[sent] = str(getattr(USUAL, name))
    return data


class ExploreForm(SettingsForm):
    """A query and the parameters of its dictionary; others, too, where two are compared."""

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
    compare = forms.BooleanField(label=_("Compare with these settings"), required=False)

    def __init__(self, data=None, *, corpus):
        super().__init__(data, corpus=corpus)
        if corpus.undated:
            del self.fields["as_of"]

    def clean_text(self):
        return clean_text(self.cleaned_data["text"])

    def clean_as_of(self):
        """A moment typed in the corpus' zone, whatever zone this server is in."""
        return moment_of(self.cleaned_data["as_of"], self.corpus)

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
        return values

    def query(self):
        """What is asked of the index."""
        values = self.cleaned_data
        as_of = values.get("as_of")
        if values["paragraph"]:
            query = query_of_paragraph(values["paragraph"])
            query["paragraph_id"] = values["paragraph"].pk
            return query | {"as_of": as_of} if as_of else query
        return query_of_text(self.corpus, values["text"], as_of or timezone.now())


class SearchForm(forms.Form):
    """What somebody looks for in a corpus."""

    q = forms.CharField(
        label=_("Look for"),
        max_length=LONGEST_QUERY,
        widget=forms.TextInput(attrs={"type": "search", "dir": "auto"}),
        error_messages={"required": _("Type some words to look for.")},
    )
    method = forms.ChoiceField(
        label=_("How"), choices=METHODS, initial=KEYWORD, widget=forms.RadioSelect
    )
    as_of = forms.DateTimeField(
        label=_("As of"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Only what is older is found. Empty: now."),
    )

    def __init__(self, data=None, *, corpus):
        if data is not None and "method" not in data:
            data = data.copy()
            data["method"] = KEYWORD
        super().__init__(data)
        self.corpus = corpus
        if corpus.undated:
            del self.fields["as_of"]

    def clean_q(self):
        return one_line(seen_text(self.cleaned_data["q"]))

    def clean_as_of(self):
        return moment_of(self.cleaned_data["as_of"], self.corpus)

    def asked(self):
        """The arguments of a search, from the page that is asked for."""
        values = self.cleaned_data
        before = None if self.corpus.undated else values["as_of"] or timezone.now()
        offset = (self.page() - 1) * PER_PAGE
        asked = {"text": values["q"], "method": values["method"], "before": before}
        return asked | {"offset": offset}

    def page(self):
        """The number of the page, from 1; of what is no number, the first."""
        number = self.data.get("page", "1")
        known = number.isascii() and number.isdigit() and len(number) < 5
        return min(max(int(number), 1), MOST_HITS // PER_PAGE) if known else 1


def moment_of(moment, corpus):
    """A moment typed in the corpus' zone, whatever zone this server is in; None stays None."""
    if moment is None:
        return None
    if not 1000 <= moment.year <= 9000:
        raise ValidationError(gettext("This year cannot be right; use one from 1000 to 9000."))
    local = timezone.make_naive(moment, timezone.get_current_timezone())
    return local.replace(tzinfo=ZoneInfo(corpus.time_zone)).astimezone(UTC)
