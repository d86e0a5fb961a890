"""What is typed to search the corpus while labelling."""

from django import forms
from django.utils.translation import gettext_lazy as _

from corpus.texts import one_line
from corpus.typed import seen_text
from dictionaries.backends.base import KEYWORD
from dictionaries.forms import METHODS
from dictionaries.searching import LONGEST_QUERY


class SearchInWorkForm(forms.Form):
    """Its fields stand within the labelling form, so their names begin with `search`."""

    prefix = "search"
    text = forms.CharField(
        max_length=LONGEST_QUERY, error_messages={"required": _("Type some words to look for.")}
    )
    method = forms.ChoiceField(choices=METHODS, required=False)

    def clean_text(self):
        return one_line(seen_text(self.cleaned_data["text"]))

    def typed(self, name):
        """What was sent, as it was."""
        return self.data.get(self.add_prefix(name), "")

    def asked(self):
        """The arguments of a search."""
        values = self.cleaned_data
        return {"text": values["text"], "method": values["method"] or KEYWORD}
