"""Rows and small indexes for the tests of retrieval; a test names only what it is about."""

from dictionaries.backends.base import (
    DictionaryQuery,
    DictionarySettings,
    IndexRow,
    IndexSettings,
    backend_for,
)

DAY = 86_400_000_000  # microseconds


def make_row(number, text=None, *, article=None, at=None, public_id=None, language="en"):
    """A paragraph of its own article, a day newer than the one before it."""
    return IndexRow(
        paragraph_id=number,
        article_id=number if article is None else article,
        public_id=public_id or f"a{number:04d}_1",
        available_at=number * DAY if at is None else at,
        text=f"Paragraph number {number} about nothing." if text is None else text,
        language=language,
    )


def make_rows(texts, **fields):
    return [make_row(number, text, **fields) for number, text in enumerate(texts, start=1)]


def build(folder, rows, *, corpus="news", language="en", model="svd", **options):
    """A backend whose index of `corpus` holds the rows."""
    backend = backend_for("", data_dir=folder)
    backend.build(corpus, rows, IndexSettings(language, model), **options)
    return backend


def retrieve(folder, rows, query, *, as_of=None, article=None, entities=None, **settings):
    """The dictionary of a text over rows."""
    index = build(folder, rows).open("news")
    asked = DictionaryQuery(query, as_of, article, "en", entities)
    return index.retrieve(asked, DictionarySettings(**settings))


def found(result, method):
    """The paragraphs that a method found, in the order of their ranks."""
    return [entry.paragraph_id for entry in result.entries if entry.method == method]
