"""A corpus with an index, what is written upon it, and jobs that ended badly."""

from datetime import timedelta
from uuid import uuid4

from django.db.models.functions import Now

from dictionaries.services import build_corpus_index
from operations.models import Job
from tests.factories import A_DAY, make_article, make_claim, make_corpus, make_wave, paragraph_of

TEXTS = (
    "The Norvell bridge in Dalby was delayed by Torvik Steel once more, the ministry said.",
    "Minister Alda Renn of Dalby told reporters that Torvik Steel asked for four more months.",
)


def make_indexed_corpus():
    """A corpus with an index and articles before, at and after A_DAY."""
    corpus = make_corpus(slug=f"indexed-{uuid4().hex[:8]}", encoder="svd")
    for days in range(-4, 3):
        day = A_DAY + timedelta(days=days)
        texts = [f"{text} Day {days}." for text in TEXTS]
        make_article(corpus, *texts, title=f"Day {days}", published_at=day)
    build_corpus_index(corpus=corpus)
    corpus.refresh_from_db()
    return corpus


def source_of(wave):
    article = wave.campaign.corpus.articles.get(published_at=A_DAY)
    return paragraph_of(article)


def written(wave, author, **fields):
    return make_claim(wave, TEXTS[0], author=author, source=source_of(wave), **fields)


def imported(campaign, *texts):
    """Claims of one source that were imported."""
    wave = make_wave(campaign, name="Import", purpose="import", is_open=False)
    fields = {"origin": "imported", "author": None, "source": source_of(wave)}
    return [make_claim(wave, text, **fields) for text in texts]


def end_jobs(state, ago):
    Job.objects.update(state=state, ended_at=Now() - ago, error="Milvus does not answer.")
