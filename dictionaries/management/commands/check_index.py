"""`check_index SLUG`: the index of a corpus held against its paragraphs."""

import json

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from dictionaries.backends.base import IndexUnavailable
from dictionaries.jobs import check_counts
from dictionaries.services import check_corpus_index


class Command(BaseCommand):
    help = "Compare the index of a corpus with its paragraphs; exit 1 where they differ."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, **options):
        try:
            check = check_corpus_index(corpus_of(slug))
        except IndexUnavailable as error:
            raise CommandError(str(error)) from None
        counts = check_counts(check)
        words = ", ".join(f"{name} {value}" for name, value in counts.items())
        self.stdout.write(json.dumps(counts) if options["json"] else words)
        if not check.ok:
            raise CommandError(f"The index is not up to date; run build_index {slug}.")
