"""What the first pass prepared, kept on disk for the second: nothing is parsed twice."""

import pickle
import tempfile
from collections.abc import Iterator
from operator import attrgetter

from django.conf import settings

from corpus.importing.prepared import Batch, Prepared
from corpus.records import ArticleRecord, ParagraphRecord, UnitRecord


def by_position(kind: type):
    """How to pickle a record as its values in order: pickle's own way with slots is slow."""
    values = attrgetter(*kind.__dataclass_fields__)
    return lambda record: (kind, values(record))


class Pickler(pickle.Pickler):
    dispatch_table = {
        kind: by_position(kind) for kind in (Prepared, ArticleRecord, ParagraphRecord, UnitRecord)
    }


class Spool:
    """Batches in a private file of DATA_DIR that the system deletes when this process ends."""

    def __init__(self):
        self.file = tempfile.TemporaryFile(dir=settings.DATA_DIR)  # noqa: SIM115 - see close

    def close(self):
        self.file.close()

    def put(self, batch: Batch) -> None:
        Pickler(self.file, pickle.HIGHEST_PROTOCOL).dump(batch)

    def __iter__(self) -> Iterator[Batch]:
        self.file.seek(0)
        while True:
            try:
                # Written by this process alone: the file has no name that others could open.
                yield pickle.load(self.file)
            except EOFError:
                return
