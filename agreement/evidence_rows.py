"""The bridge from the database to the agreement on evidence: who cited which parts of what.

Of an instance against a passage or an article the parts are its sentences (or other units);
a paragraph without units is one part, and who cites a whole paragraph cites all its units. Of
an instance against the whole scope the parts are paragraphs: the source, those of the claim's
dictionaries, and what anybody cited of the articles they opened.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import numpy as np

from agreement.label_rows import AnnotationRows
from agreement.measures import EvidenceAnswer
from agreement.measures.annotations import NOT_ENOUGH_INFO
from annotation.models import EvidenceItem, Instance
from corpus.models import Paragraph
from dictionaries.models import DictionaryEntry
from operations.listed import listed

CHUNK = 2000
KIND = Instance.ScopeKind
FACTS = ("pk", "scope_kind", "article", "article_version", "passage", "claim__source",
         "claim__source_dictionary", "claim__dictionary")  # fmt: skip
Part = tuple[int, str]  # paragraph, unit; '' is the whole paragraph


def evidence_answers(
    rows: AnnotationRows, kept: np.ndarray, *, conditional_as_nei: bool
) -> list[EvidenceAnswer]:
    """What was cited with the labels at the places `kept`, of instances with two of them or more.

    conditional_as_nei: a label under a condition is NOT ENOUGH INFO and cites nothing.
    """
    by_instance = several(rows, kept)
    found: list[EvidenceAnswer] = []
    for chunk in chunks(by_instance):
        parts = parts_of(chunk)
        given = cited_parts(pk for each in chunk for pk in rows_at(by_instance[each], rows))
        for instance in chunk:
            places = by_instance[instance]
            cited = [given.get(annotation, frozenset()) for annotation in rows_at(places, rows)]
            as_nei = rows.conditional[places] & conditional_as_nei
            found += answers_to(instance, rows, places, parts[instance], cited, as_nei)
    return found


def rows_at(places: list[int], rows: AnnotationRows) -> list[int]:
    """The ids of the annotations at these places."""
    return rows.annotation[places].tolist()


def answers_to(instance, rows, places, parts, cited, as_nei) -> Iterator[EvidenceAnswer]:
    positions = numbered(parts, cited)
    for row, mine, without_evidence in zip(places, cited, as_nei.tolist(), strict=True):
        found = () if without_evidence else (positions[part] for part in mine)
        yield EvidenceAnswer(
            unit=instance,
            annotator=rows.annotator[row],
            label=NOT_ENOUGH_INFO if without_evidence else rows.label[row],
            parts=frozenset(chain.from_iterable(found)),
            n_parts=positions[None],
        )


def several(rows: AnnotationRows, kept: np.ndarray) -> dict[int, list[int]]:
    """{instance: the places of its rows} of the instances with two of the rows or more."""
    found: dict[int, list[int]] = defaultdict(list)
    for place, instance in zip(kept.tolist(), rows.unit[kept].tolist(), strict=True):
        found[instance].append(place)
    return {instance: places for instance, places in found.items() if len(places) > 1}


def chunks(names: Iterable[int]) -> Iterator[list[int]]:
    left = iter(names)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


def cited_parts(annotations: Iterable[int]) -> dict[int, set[Part]]:
    """{annotation: what it cites, over all its evidence sets}."""
    ids = listed(annotations)
    rows = EvidenceItem.objects.filter(evidence_set__annotation__in=ids).order_by()
    found: dict[int, set[Part]] = defaultdict(set)
    for annotation, *part in rows.values_list("evidence_set__annotation", "paragraph", "unit"):
        found[annotation].add(tuple(part))
    return found


def parts_of(instances: list[int]) -> dict[int, dict[int, list[str]]]:
    """{instance: {paragraph: its units}} of what it is judged by; no units in the whole scope."""
    facts = list(Instance.objects.filter(pk__in=listed(instances)).values_list(*FACTS))
    narrow = narrow_parts(facts)
    dictionaries = dictionary_parts({pk for fact in facts for pk in fact[6:] if pk})
    found: dict[int, dict[int, list[str]]] = {}
    for instance, kind, article, version, passage, source, *dictionary in facts:
        if kind == KIND.PASSAGE:
            found[instance] = {passage: narrow["passages"][passage]}
        elif kind == KIND.ARTICLE:
            found[instance] = narrow["articles"][article, version]
        else:
            listed_there = [dictionaries.get(pk, ()) for pk in dictionary]
            paragraphs = {source} if source else set()
            found[instance] = {pk: [] for pk in sorted(paragraphs.union(*listed_there))}
    return found


def narrow_parts(facts) -> dict[str, dict]:
    """The units of the passages, and of the articles in their versions, that instances are of."""
    wanted = {fact[4] for fact in facts if fact[1] == KIND.PASSAGE}
    articles: dict = defaultdict(dict)
    versions = {fact[2:4] for fact in facts if fact[1] == KIND.ARTICLE}
    rows = Paragraph.objects.filter(article__in=listed([article for article, _ in versions]))
    columns = rows.order_by("rank").values_list("article", "version", "pk", "units")
    for article, version, pk, units in columns if versions else ():
        articles[article, version][pk] = unit_names(units)
    passages = Paragraph.objects.filter(pk__in=listed(wanted)).values_list("pk", "units")
    named = {pk: unit_names(units) for pk, units in passages} if wanted else {}
    return {"articles": articles, "passages": named}


def unit_names(units: list[dict]) -> list[str]:
    return [unit["id"] for unit in units]


def dictionary_parts(dictionaries: set[int]) -> dict[int, set[int]]:
    """{dictionary: its paragraphs}."""
    rows = DictionaryEntry.objects.filter(dictionary__in=listed(dictionaries)).order_by()
    found: dict[int, set[int]] = defaultdict(set)
    for dictionary, paragraph in rows.values_list("dictionary", "paragraph"):
        found[dictionary].add(paragraph)
    return found


def numbered(parts: dict[int, list[str]], answers: Iterable[Iterable[Part]]) -> dict:
    """{what may be cited: the positions that it stands for}, and None: how many there are.

    Of a paragraph without listed units, any unit of it is the paragraph; what was cited outside
    of the parts is a part of its own.
    """
    positions: dict = {}
    n = 0
    for paragraph, units in parts.items():
        size = max(len(units), 1)
        positions[paragraph, ""] = range(n, n + size)
        positions |= {(paragraph, unit): (n + place,) for place, unit in enumerate(units)}
        n += size
    for paragraph, unit in sorted({part for cited in answers for part in cited}):
        if (paragraph, unit) in positions:
            continue
        if parts.get(paragraph) or (paragraph, "") not in positions:
            key = (paragraph, unit if parts.get(paragraph) else "")
            positions[key] = (n,)
            n += 1
        positions.setdefault((paragraph, unit), positions[paragraph, ""])
    return positions | {None: n}
