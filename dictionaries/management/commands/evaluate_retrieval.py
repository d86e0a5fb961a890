"""`evaluate_retrieval SLUG FILE...`: known evidence, looked for by every way of retrieval."""

import json
from io import TextIOWrapper
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from corpus.readers.files import UnreadableFile, open_packed
from dictionaries.backends.base import IndexUnavailable
from dictionaries.evaluating import evaluate
from dictionaries.known_evidence import read_claims
from operations.bar import Bar

ROW = "{:32}{:>7}{:>10}{:>8}" + "{:>8}" * 10


class Command(BaseCommand):
    help = "Measure how much of the evidence known for claims each way of retrieval finds."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="claims as JSONL")
        parser.add_argument("--limit", type=int, help="ask a sample of so many claims")
        parser.add_argument("--drqa", action="store_true", help="with DrQA's scorer as well")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, files, limit, drqa, seed, **options):
        corpus = corpus_of(slug)
        claims = [claim for path in files for claim in claims_of(path)]
        with Bar(self.stderr, "claims") as bar:
            try:
                found = evaluate(corpus, claims, limit=limit, seed=seed, drqa=drqa, progress=bar)
            except (IndexUnavailable, ValueError) as error:
                raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(found) if options["json"] else "\n".join(table(found)))


def claims_of(path):
    """The claims of a file, packed or not."""
    if not path.is_file():
        raise CommandError(f"There is no file {path}.")
    try:
        with open_packed(path) as stream, TextIOWrapper(stream, encoding="utf-8") as lines:
            return list(read_claims(lines))
    except (UnreadableFile, ValueError) as error:
        raise CommandError(f"{path.name}: {error}") from None


def table(found):
    """The figures as lines; R is recall, F full support."""
    yield (
        f"{found['with_evidence']} of {found['claims']} claims have evidence, named by"
        f" {found['names']}; {found['unknown']} names are unknown to the index,"
        f" {found['without_source']} claims have a source that is."
    )
    places = list(next(iter(found["methods"].values()))["recall"])
    heads = [f"{letter}@{place}" for letter in "RF" for place in places]
    yield ROW.format("method", "claims", "retrieved", "MRR", *heads).rstrip()
    for name, figures in found["methods"].items():
        shares = [*figures["recall"].values(), *figures["full_support"].values()]
        numbers = [f"{value:.3f}" for value in [figures["mrr"], *shares]]
        yield ROW.format(name, figures["claims"], f"{figures['retrieved']:.1f}", *numbers)
