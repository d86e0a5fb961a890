"""`mark_near_duplicates SLUG`: what the job after an import does, at once."""

from django.core.management.base import BaseCommand

from corpus.management.arguments import corpus_of
from corpus.near_copies import mark_near_duplicates


class Command(BaseCommand):
    help = "Mark articles that nearly copy an older one; they leave sampling and index."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")

    def handle(self, *, slug, **options):
        self.stdout.write(f"near_duplicates {mark_near_duplicates(corpus=corpus_of(slug))}")
