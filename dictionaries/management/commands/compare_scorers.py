"""`compare_scorers SLUG`: the keyword part of dictionaries held against DrQA's scorer."""

import json

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from dictionaries.backends.base import IndexUnavailable
from dictionaries.reproducing import compare_scorers
from operations.bar import Bar


class Command(BaseCommand):
    help = "Report how much of the keyword part of dictionaries DrQA's scorer would choose as well."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--sample", type=int, default=1000, help="how many paragraphs to ask")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, sample, seed, **options):
        corpus = corpus_of(slug)
        with Bar(self.stderr, "queries") as bar:
            try:
                found = compare_scorers(corpus, sample=sample, seed=seed, progress=bar)
            except (IndexUnavailable, ValueError) as error:
                raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        self.stdout.write(
            f"The first {found['n']} of BM25 and of DrQA's scorer overlap by {found['overlap']:.3f}"
            f" on {found['compared']} queries (of {found['sampled']} sampled); the same set"
            f" {found['same']:.3f}, the same first {found['same_first']:.3f}."
        )
