"""The second pass' heaviest work: the parts of each paragraph, found before they are written."""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from corpus.importing.prepared import Batch
from corpus.readers.articles import with_sentences
from corpus.records import UnitRecord


def with_units(batches: Iterable[Batch]) -> Iterator[Batch]:
    """The batches with their units.

    On PostgreSQL the next batch's are found while its server writes the one before. SQLite writes
    in this process, row by row, and would only wait for such a thread.
    """
    if connection.vendor != "postgresql":
        yield from map(add_units, batches)
        return
    with ThreadPoolExecutor(1) as helper:
        ahead = None
        for batch in batches:
            found = helper.submit(add_units, batch)
            if ahead is not None:
                yield ahead.result()
            ahead = found
        if ahead is not None:
            yield ahead.result()


def add_units(batch: Batch) -> Batch:
    for article in batch.written:
        language = article.record.language
        cut = (with_sentences(paragraph, language) for paragraph in article.paragraphs)
        batch.units[article.external_id] = [units_json(paragraph.units) for paragraph in cut]
    return batch


def units_json(units: tuple[UnitRecord, ...]) -> str:
    return f"[{', '.join(map(unit_json, units))}]"


def unit_json(unit: UnitRecord) -> str:
    """A unit as `json.dumps` would write it, several times faster: there are millions."""
    about = f'"id": "{unit.id}", "kind": "{unit.kind}", "start": {unit.start}, "end": {unit.end}'
    external_id = json.dumps(unit.external_id) if unit.external_id else '""'
    headers = json.dumps(unit.headers) if unit.headers else "[]"
    return f'{{{about}, "external_id": {external_id}, "headers": {headers}}}'
