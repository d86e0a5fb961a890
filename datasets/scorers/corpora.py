"""Whether a corpus holds what predictions cite: no score depends on it, but many mistakes show.

The corpus is read once, in its own form, and only what is cited is kept in memory.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from datasets.readers.problems import Unusable
from datasets.scorers import scifact, verdicts
from datasets.scorers.fields import list_of, needed, shown, text_of
from datasets.scorers.lines import Tell, read_parsed
from datasets.untold import untold

WHOLE = ""
Text = tuple[str, frozenset[str]]


def fever_page(values: Mapping[str, Any]) -> Text:
    """A page and its lines, of {"id", "text", "lines"}: each line begins with its number."""
    lines = text_of(values, "lines").split("\n")
    return text_of(values, "id"), frozenset(line.split("\t")[0] for line in lines)


def scifact_abstract(values: Mapping[str, Any]) -> Text:
    """An abstract and its sentences, of {"doc_id", "abstract"}."""
    sentences = range(len(list_of(values, "abstract")))
    return identifier(values, "doc_id"), frozenset(map(str, sentences))


def paragraph(values: Mapping[str, Any]) -> Text:
    return identifier(values, "id"), frozenset()


def identifier(values: Mapping[str, Any], field: str) -> str:
    value = needed(values, field)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Unusable(f"{field} is {shown(value)}; use a whole number or a text", field)
    return str(value)


def fever_parts(prediction: verdicts.Prediction) -> Iterator[tuple[str, str]]:
    for page, line in prediction.evidence:
        yield page, str(line)


def scifact_parts(prediction: scifact.Prediction) -> Iterator[tuple[str, str]]:
    for doc, abstract in prediction.abstracts.items():
        yield doc, WHOLE
        yield from ((doc, str(number)) for number in abstract.sentences)


def ctkfacts_parts(prediction: verdicts.Prediction) -> Iterator[tuple[str, str]]:
    for (page,) in prediction.evidence:
        yield page, WHOLE


FORMS: dict[str, tuple[Callable[[Mapping[str, Any]], Text], Callable[[Any], Iterator]]] = {
    "fever": (fever_page, fever_parts),
    "scifact": (scifact_abstract, scifact_parts),
    "ctkfacts": (paragraph, ctkfacts_parts),
}


def not_in_corpus(
    task: str, predictions: Iterable[Any], corpus: Path, tell: Tell = untold
) -> list[str]:
    """What predictions cite and the corpus lacks, as "text" or "text part", by code point.

    task: one of FORMS; tell: see `read_parsed`. Raises BadInput for a line of the corpus that is
    none.
    """
    text_in, parts_in = FORMS[task]
    cited: dict[str, set[str]] = {}
    for prediction in predictions:
        for text, part in parts_in(prediction):
            cited.setdefault(text, set()).add(part)
    for _, (text, parts) in read_parsed(corpus, text_in, tell):
        if text in cited:
            cited[text] -= parts | {WHOLE}
    return sorted(f"{text} {part}".strip() for text, parts in cited.items() for part in parts)
