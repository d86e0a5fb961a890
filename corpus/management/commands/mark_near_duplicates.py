"""`mark_near_duplicates SLUG`: what the job after an import does, at once."""

from django.core.management.base import BaseCommand, CommandError

from corpus.models import Corpus
from corpus.near_copies import mark_near_duplicates


class Command(BaseCommand):
    help = "Mark articles that nearly copy an older one; they leave sampling and index."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")

    def handle(self, *, slug, **options):
        corpus = Corpus.objects.filter(slug=slug).first()
        if corpus is None:
            raise CommandError(f"There is no corpus {slug!r}.")
        self.stdout.write(f"near_duplicates {mark_near_duplicates(corpus=corpus)}")
