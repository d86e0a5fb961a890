"""What the commands on one corpus share."""

from django.core.management.base import CommandError

from corpus.models import Corpus


def corpus_of(slug):
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no corpus {slug!r}; there are: {known}.")
    return corpus
