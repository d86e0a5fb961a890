"""What is typed about a corpus, its articles and its imports."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from corpus.models import Corpus
from corpus.offers import encoder_choices
from corpus.records import FIELDS, FORMATS, ReadOptions
from corpus.texts import one_line

MOST_FILES = 50
FORMAT_NAMES = {
    "jsonl": _("JSON Lines: one object a line"),
    "csv": _("CSV or TSV"),
    "reuters": _("Reuters-21578 SGML"),
    "frontmatter": _("records with a Markdown body and a date"),
    "scifact": _("SciFact: abstracts as lists of sentences"),
    "feverous": _("FEVEROUS: pages with sentences, tables and lists"),
    "fever-wiki": _("FEVER: pages with numbered lines"),
}
DELIMITERS = [
    ("", _("a tab in .tsv files, else a comma")),
    (",", _("comma")),
    (";", _("semicolon")),
    ("\t", _("tab")),
    ("|", _("vertical bar")),
]
QUOTES = [('"', _("double quotes")), ("'", _("single quotes")), ("", _("none"))]


class LinesField(forms.CharField):
    """A list with one short text on each line."""

    widget = forms.Textarea(attrs={"rows": 4})

    def prepare_value(self, value):
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value):
        lines = value if isinstance(value, list) else (value or "").splitlines()
        return list(dict.fromkeys(filter(None, map(one_line, lines))))

    def has_changed(self, initial, data):
        return self.to_python(initial) != self.to_python(data)


class CorpusForm(forms.ModelForm):
    """The settings of a corpus. What its articles rest on is fixed once there are some."""

    agency_names = LinesField(
        label=_("Names of the agency itself"),
        required=False,
        help_text=_(
            "One on each line, as in bylines: they are never searched for, since they stand in "
            "every article."
        ),
    )

    class Meta:
        model = Corpus
        fields = [
            "name",
            "slug",
            "language",
            "time_zone",
            "undated",
            "licence",
            "publishes_text",
            "publishes_cited",
            "agency_names",
            "encoder",
        ]
        widgets = {"encoder": forms.RadioSelect}
        labels = {
            "name": pgettext_lazy("of a thing", "Name"),
            "slug": _("Short name"),
            "language": _("Language"),
            "time_zone": _("Time zone"),
            "undated": _("The articles have no dates"),
            "licence": _("Licence"),
            "publishes_text": _("Exports may carry the texts"),
            "publishes_cited": _("Exports may carry the texts of released paragraphs"),
            "encoder": _("How paragraphs are compared by meaning"),
        }
        help_texts = {
            "slug": _("Stands in addresses and commands, and cannot be changed: “ctk-2024”."),
            "language": _("Of most articles; a code such as “cs” or “en-GB”."),
            "time_zone": _(
                "Used for dates without a time zone, and to tell when a day begins: "
                "“Europe/Prague”."
            ),
            "undated": _("Then no date rule holds: dictionaries may hold any paragraph."),
            "licence": _("Shown on the corpus' page and in every release."),
            "publishes_text": _(
                "Otherwise exports and releases name paragraphs by their ids alone."
            ),
            "publishes_cited": _(
                "Of those that an exported claim cites or comes from, and of no others: where the "
                "licence allows excerpts. Not needed where exports may carry all texts."
            ),
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["encoder"].choices = encoder_choices(self.instance)
            self.fields["slug"].disabled = True
        if self.instance.pk and self.instance.articles.exists():
            for name in ("time_zone", "undated"):
                self.fields[name].disabled = True
                self.fields[name].help_text = gettext(
                    "Fixed: the dates of its articles rest on it."
                )


class ArticleSearchForm(forms.Form):
    """Narrows the list of articles."""

    q = forms.CharField(label=_("Words of the title, or an id"), required=False, max_length=200)
    # Browsers take an ISO day only as a value, whatever the language.
    since = forms.DateField(
        label=_("From"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=_("To"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True
    template_name = "django/forms/widgets/file.html"


class FilesField(forms.FileField):
    """One file or more."""

    widget = FilesInput

    def clean(self, data, initial=None):
        files = data if isinstance(data, list) and data else [None]
        if len(files) > MOST_FILES:
            raise ValidationError(
                gettext("These are %(n)d files; upload at most %(most)d at once.")
                % {"n": len(files), "most": MOST_FILES}
            )
        return [super(FilesField, self).clean(file, initial) for file in files]


class UploadForm(forms.Form):
    """Files of articles, and how to read them."""

    files = FilesField(
        label=_("Files"), help_text=_("Plain, or packed with gzip or xz. All of one format.")
    )
    format = forms.ChoiceField(
        label=_("Format"), choices=[(name, FORMAT_NAMES[name]) for name in FORMATS]
    )
    skip_bad = forms.BooleanField(label=_("Leave bad lines out"), required=False)
    accept_changes = forms.BooleanField(label=_("Accept changes of cited articles"), required=False)
    time_zone = forms.CharField(
        label=_("Time zone"),
        required=False,
        help_text=_("Used for times without a time zone; empty: that of the corpus."),
    )
    language = forms.CharField(
        label=_("Language"), required=False, help_text=_("Empty: that of the corpus.")
    )
    encoding = forms.CharField(
        label=_("Encoding"),
        required=False,
        help_text=_("Empty for UTF-8, or UTF-16 with a byte order mark; else such as “cp1250”."),
    )
    date_format = forms.CharField(
        label=_("Date format"),
        required=False,
        help_text=_("Only where dates are in an unusual form, such as “%d.%m.%Y %H:%M”."),
    )
    mapping = forms.CharField(
        label=_("Names of the fields"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One on each line, ours first: “id=guid”. “url=” leaves a field out."),
    )
    delimiter = forms.ChoiceField(label=_("Columns divided by"), choices=DELIMITERS, required=False)
    quote = forms.ChoiceField(label=_("Quotes"), choices=QUOTES, required=False, initial='"')
    header = forms.CharField(
        label=_("Column names"),
        required=False,
        help_text=_("Only where the first line does not hold them: “id,title,published_at,text”."),
    )

    def __init__(self, *args, corpus, **kwargs):
        super().__init__(*args, **kwargs)
        self.corpus = corpus

    def clean_mapping(self):
        lines = self.cleaned_data["mapping"].replace(",", "\n").splitlines()
        pairs = [line.partition("=") for line in lines if line.strip()]
        if wrong := [ours for ours, sign, _theirs in pairs if not sign]:
            raise ValidationError(
                gettext("“%(line)s” has no “=”; write such as “id=guid”.") % {"line": wrong[0]}
            )
        mapping = {ours.strip(): theirs.strip() for ours, _sign, theirs in pairs}
        if unknown := sorted(set(mapping) - set(FIELDS)):
            raise ValidationError(
                gettext("“%(name)s” is no field of ours; use %(names)s.")
                % {"name": unknown[0], "names": ", ".join(FIELDS)}
            )
        return mapping

    def clean_header(self):
        return tuple(n.strip() for n in self.cleaned_data["header"].split(",") if n.strip())

    def clean(self):
        """The options as a whole: what they refuse is said in their own words."""
        values = super().clean()
        names = ("format", "encoding", "date_format", "delimiter", "quote", "header", "mapping")
        if self.errors:
            return values
        try:
            self.options = ReadOptions(
                time_zone=values["time_zone"] or self.corpus.time_zone,
                language=values["language"] or self.corpus.language,
                undated=self.corpus.undated,
                **{name: values[name] for name in names},
            )
        except ValueError as error:
            self.add_error(None, str(error))
        return values


class PermissionsForm(forms.Form):
    """What a person allows an import to do."""

    skip_bad = forms.BooleanField(label=_("Leave bad lines out"), required=False)
    accept_changes = forms.BooleanField(
        label=_("Accept changes of cited articles"),
        required=False,
        help_text=_("They get a new version; what was cited stays as it is."),
    )
