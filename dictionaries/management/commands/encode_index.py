"""`encode_index SLUG`: encode for a build that is under way, here or on another machine."""

import json

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from dictionaries.backends.base import IndexNotBuilt
from dictionaries.bridge import backend
from operations.bar import Bar


class Command(BaseCommand):
    help = "Help to encode the index of a corpus that another process builds in the same DATA_DIR."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        parser.add_argument(
            "--patience", type=float, default=60, help="seconds without work after which to end"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, patience, **options):
        corpus = corpus_of(slug)
        with Bar(self.stderr, "texts") as bar:
            counted = Counted(bar)
            try:
                encoded = backend().help(corpus.slug, patience=patience, tick=counted)
            except IndexNotBuilt as reason:
                raise CommandError(str(reason)) from None
        counts = {"encoded": encoded}
        self.stdout.write(json.dumps(counts) if options["json"] else f"encoded {encoded}")


class Counted:
    """Adds up what it is told."""

    def __init__(self, bar):
        self.bar, self.count = bar, 0

    def __call__(self, count):
        self.count += count
        self.bar(self.count, 0)
