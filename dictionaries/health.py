"""Whether every index that people rely on can be searched."""

from corpus.models import Corpus
from dictionaries.backends.base import IndexUnavailable
from dictionaries.bridge import backend


def check() -> list[str]:
    """One sentence for each index that cannot be opened; an open one is not read again."""
    told = []
    for slug in Corpus.objects.exclude(index_version="").values_list("slug", flat=True):
        try:
            backend().open(slug)
        except IndexUnavailable as unavailable:
            told.append(str(unavailable))
    return told
