"""What is asked of an index: the query of a paragraph, and of a text that somebody gives."""

from datetime import datetime

from corpus.models import Corpus, Paragraph

LONGEST_TEXT = 10_000


def query_of_paragraph(paragraph: Paragraph) -> dict:
    """The query by which the dictionary of a source is made: judged as of its own time."""
    return {
        "text": paragraph.text,
        "language": paragraph.article.language,
        "as_of": paragraph.published_at,
        "left_out_article": paragraph.article,
    }


def query_of_text(corpus: Corpus, text: str, as_of: datetime | None) -> dict:
    """The query of a text from nowhere, in the corpus' language; an undated one has no times."""
    return {
        "text": text,
        "language": corpus.language,
        "as_of": None if corpus.undated else as_of,
        "left_out_article": None,
    }


def paragraph_named(corpus: Corpus, public_id: str) -> Paragraph | None:
    """The paragraph of a public id, of an article's current version."""
    rows = Paragraph.objects.current().select_related("article")
    return rows.filter(corpus=corpus, public_id=public_id).first()
