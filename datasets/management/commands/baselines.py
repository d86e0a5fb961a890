"""`baselines CAMPAIGN RELEASE`: how far plain search and a linear model come on a release."""

import json
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from datasets.management.commands.export_dataset import campaign_named
from datasets.management.commands.make_release import release_named
from datasets.results.services import run_baselines, store_predictions
from datasets.results.words import KEYS, reasons_of, retrieval_rows, verdict_rows
from operations.bar import Bar

RETRIEVAL = "{:34}{:>8}{:>8}" + "{:>8}" * 8
VERDICTS = "{:42}{:>8}{:>10}{:>10}" + "{:>8}" * 5


class Command(BaseCommand):
    help = (
        "Measure baselines on a release and store them with it, the same for the same seed; or "
        "score a model's predictions and store their figures."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("release", help="the release's name")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--predictions", type=Path, metavar="FILE", help="of a model instead")
        parser.add_argument("--name", default="", help="what the model is called")
        parser.add_argument("--split", default="test", help="what it predicted; test by default")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, campaign, release, predictions, **options):
        release = release_named(campaign_named(campaign), release)
        try:
            if predictions:
                result = self.score(release, predictions, options["name"], options["split"])
            else:
                result = self.measure(release, options["seed"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        if options["json"]:
            names = ("name", "seed", "settings", "figures", "confusions", "sha256")
            report = {name: getattr(result, name) for name in names}
            self.stdout.write(json.dumps(report, ensure_ascii=False, sort_keys=True))
            return
        with override("en"):
            self.stdout.write("\n".join(table(result)))

    def measure(self, release, seed):
        with Bar(self.stderr, "steps") as bar:
            return run_baselines(release=release, seed=seed, progress=bar)

    def score(self, release, path, name, split):
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        with path.open("rb") as opened:
            file = File(opened, name=path.name)
            return store_predictions(
                release=release, name=name, split=split, file=file, by=None, at_once=False
            )


def table(result):
    """The figures as lines; R is recall, F full support, SE with evidence."""
    yield f"{result.name} of {result.release.name}"
    if not result.is_predictions:
        yield from reasons_of(result.figures)
        yield from retrieval_table(result)
    heads = [f"SE@{k}" for k in KEYS]
    yield VERDICTS.format("verdicts", "claims", "macro F1", "accuracy", *heads, "FEVER")
    for row in verdict_rows([result]):
        shares = [row["macro_f1"], row["accuracy"], *dict(row["se_at"]).values(), row["fever"]]
        yield VERDICTS.format(row["name"] or str(row["title"]), row["n"], *map(shown, shares))


def retrieval_table(result):
    heads = [f"{letter}@{k}" for letter in "RF" for k in KEYS]
    yield RETRIEVAL.format("retrieval", "claims", "MRR", *heads)
    for row in retrieval_rows(result.figures):
        name = f"{row['way']}, {row['scope'] or 'all'}"
        shares = [
            row["mrr"],
            *dict(row["recall_at"]).values(),
            *dict(row["full_support_at"]).values(),
        ]
        yield RETRIEVAL.format(name, row["n"], *map(shown, shares))


def shown(value):
    return "–" if value is None else f"{value:.3f}"
