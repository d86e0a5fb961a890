"""The bridge between querysets and the retrieval engine's plain values."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache

from django.conf import settings

from corpus.models import Corpus, Paragraph
from dictionaries.backends.base import (
    Backend,
    DictionarySettings,
    IndexRow,
    IndexSettings,
    backend_for,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CHUNK = 2000


@cache
def backend() -> Backend:
    """The retrieval engine of this installation; one per process."""
    return backend_for(settings.RETRIEVAL_URL, data_dir=settings.DATA_DIR)


def microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - EPOCH) // timedelta(microseconds=1)


def index_rows(corpus: Corpus) -> Iterator[IndexRow]:
    """What the index of a corpus should hold; memory stays flat.

    In the order of public ids, which an index of the table gives without sorting all texts.
    """
    rows = (
        Paragraph.objects.indexed()
        .filter(corpus=corpus)
        .order_by("public_id")
        .values_list("pk", "article", "public_id", "available_at", "text", "article__language")
    )
    for pk, article, public_id, available_at, text, language in rows.iterator(chunk_size=CHUNK):
        yield IndexRow(pk, article, public_id, microseconds(available_at) or 0, text, language)


def index_settings(corpus: Corpus) -> IndexSettings:
    return IndexSettings(language=corpus.language, model=corpus.encoder)


def dictionary_settings(corpus: Corpus, values: dict) -> DictionarySettings:
    """The settings of a wave, with the names of the corpus' agency. Raises ValueError."""
    known = {name: values[name] for name in SETTING_NAMES if name in values}
    return DictionarySettings(**known, own_names=tuple(corpus.agency_names))


SETTING_NAMES = ("n_kw", "n_pre", "n_sem", "k", "seed", "max_entities", "per_pair")
