"""What people change about a corpus, each with a line in the trail."""

from django.db import transaction

from accounts.events import record_event
from accounts.models import User
from corpus.followups import index_later
from corpus.models import Article, Corpus

INDEXED_BY = ("language", "encoder")


@transaction.atomic
def create_corpus(*, corpus: Corpus, actor: User) -> Corpus:
    corpus.save()
    record_event(actor=actor, verb="made corpus", subject=corpus, data={"slug": corpus.slug})
    return corpus


@transaction.atomic
def edit_corpus(*, corpus: Corpus, changed: list[str], actor: User) -> Corpus:
    """Save the named fields; a change of what the index is built by makes it out of date."""
    if not changed:
        return corpus
    corpus.save(update_fields=changed)
    if set(changed) & set(INDEXED_BY):
        index_later(corpus, by=actor)
    record_event(actor=actor, verb="changed corpus", subject=corpus, data={"fields": changed})
    return corpus


@transaction.atomic
def set_retrievable(*, article: Article, retrievable: bool, actor: User) -> Article:
    """Leave an article out of sampling and dictionaries, or take it in again.

    One without text stays out. What was cited stays readable, and ready dictionaries as they are.
    """
    article = Article.objects.select_for_update().get(pk=article.pk)
    retrievable = retrievable and bool(article.content_hash)
    if article.retrievable == retrievable:
        return article
    article.retrievable = retrievable
    article.save(update_fields=["retrievable"])
    verb = "took in article" if retrievable else "left out article"
    record_event(actor=actor, verb=verb, subject=article, data={"corpus": article.corpus_id})
    index_later(article.corpus, by=actor)
    return article
