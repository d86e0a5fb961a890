"""`build_index SLUG`: the keyword and the semantic index of a corpus."""

import json

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from dictionaries.backends.base import IndexNotBuilt
from dictionaries.services import build_corpus_index
from operations.bar import Bar


class Command(BaseCommand):
    help = "Build the index of a corpus; what is unchanged is not encoded anew."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--rebuild", action="store_true", help="encode everything anew")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, rebuild, **options):
        corpus = corpus_of(slug)
        with Bar(self.stderr, "steps") as bar:
            try:
                report = build_corpus_index(corpus=corpus, rebuild=rebuild, progress=bar)
            except IndexNotBuilt as reason:
                raise CommandError(str(reason)) from None
        counts = {
            "paragraphs": report.paragraphs,
            "added": report.added,
            "seconds": round(report.seconds, 3),
            "bytes": report.bytes,
        }
        words = ", ".join(f"{name} {value}" for name, value in counts.items())
        self.stdout.write(json.dumps(counts) if options["json"] else words)
