"""What a writer reads beside the form: the articles of the knowledge scope, without sets."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.scope import ScopeArticle
from dictionaries.entities import find_entities
from dictionaries.models import DictionaryEntry

MOST_HINTS = 20


@dataclass(frozen=True)
class Reading:
    """An article of the scope as it is folded below the form.

    is_rest: its source paragraph stands above the form already and is left out here.
    """

    entry: ScopeArticle
    is_rest: bool

    @property
    def rows(self):
        """Its paragraphs. The title stands in the summary: nothing is cited here."""
        body = [row for row in self.entry.paragraphs if row.rank > 0]
        return [row for row in body if not (self.is_rest and row.is_source)]

    @property
    def found_by(self):
        """Why it is here, each reason once: the names searched for, or likeness."""
        return list(dict.fromkeys(_reason(badge) for badge in self.entry.badges))


def _reason(badge):
    if badge.method == DictionaryEntry.Method.KEYWORD:
        return badge.query
    return _("similar")


def readings_of(scope, *, without_source=False):
    """The articles of a scope; of the source's nothing is left where it was one paragraph."""
    readings = [
        Reading(entry, is_rest=without_source and entry.is_source) for entry in scope.articles
    ]
    return [reading for reading in readings if reading.rows or reading.entry.hidden_count]


def entity_hints(paragraph, language):
    """Names and numbers of a paragraph in order, each once: places where a claim may start."""
    found = [entity.text for entity in find_entities(paragraph.text, language)]
    return list(dict.fromkeys(found))[:MOST_HINTS]
