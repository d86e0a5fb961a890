"""Claims of a dataset in FEVER's form, with the pages that their evidence cites."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.texts import has_lone_surrogate
from datasets.localising.tables import Problems
from datasets.readers import fever
from datasets.readers.fields import is_empty_record
from datasets.readers.lines import raw_records
from datasets.readers.problems import Problem, Unusable
from datasets.readers.records import NOT_ENOUGH_INFO


@dataclass(frozen=True, slots=True)
class Item:
    """What a set cites of one page: the ids of its first citation, and the page's title.

    page: as the dataset names it; target: in the other language, '' before it is known.
    """

    ids: tuple
    page: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """A claim as its file states it. sets: alternatives of pages, none where there is NEI."""

    id: int | str
    name: str
    label: str
    text: str
    sets: tuple[tuple[Item, ...], ...]


def read_source_claims(paths: Iterable[Path], seen: set[str]) -> Iterator[SourceClaim]:
    """The claims of the files, in order; their ids go to seen.

    Raises BadLine at the end, with file, line and reason of the first lines that make no claim
    with a label, and of ids that stand twice.
    """
    problems = Problems()
    for path in paths:
        for raw in raw_records(path, path.name):
            if isinstance(raw, Problem):
                problems.add(raw)
            elif not is_empty_record(raw.values):
                try:
                    claim = source_claim(raw.values)
                    if claim.name in seen:
                        raise Unusable(f"the id {claim.name} stands twice", "id")
                except Unusable as error:
                    problems.add(raw.problem(path.name, error))
                    continue
                seen.add(claim.name)
                yield claim
    problems.check()


def source_claim(values: Mapping) -> SourceClaim:
    """The claim of a line. Raises Unusable where the line makes none with a label."""
    read = fever.claim_of(values)
    annotations = read.instances[0].annotations
    if not annotations:
        raise Unusable("there is no label: SUPPORTS, REFUTES or NOT ENOUGH INFO", "label")
    label = annotations[0].label
    sets = () if label == NOT_ENOUGH_INFO else sets_of(values.get(fever.KEY) or ())
    return SourceClaim(values["id"], read.external_id, label, read.text, sets)


def sets_of(groups: Iterable) -> tuple[tuple[Item, ...], ...]:
    """The groups that name a page, by pages: what cites none says that there is no evidence."""
    items = ([item_of(item) for item in fever.item_lists(g) if item[2]] for g in groups)
    return tuple(tuple(group) for group in items if group)


def item_of(item: list) -> Item:
    if has_lone_surrogate(item[2]):
        raise Unusable("a page holds half of a surrogate pair", fever.KEY)
    return Item(tuple(item[:2]), item[2])
