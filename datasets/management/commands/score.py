"""`score TASK --gold FILE --predictions FILE`: what predictions are worth, as the field counts."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from datasets.scorers import TASKS, BadInput, score_files
from datasets.scorers.corpora import FORMS
from datasets.scorers.matching import WAYS, named, some
from datasets.scorers.report import LIMITS, flat
from datasets.writers.lines import as_it_is

SHOWN = 10


class Command(BaseCommand):
    help = "Score a file of predictions against a file of gold claims."

    def add_arguments(self, parser):
        parser.add_argument("format", nargs="?", choices=TASKS, metavar="TASK")
        parser.add_argument("--task", choices=TASKS, help=f"one of {', '.join(TASKS)}")
        parser.add_argument("--gold", type=Path, required=True, metavar="FILE")
        parser.add_argument("--predictions", type=Path, required=True, metavar="FILE")
        parser.add_argument(
            "--match",
            choices=WAYS,
            default="auto",
            help="order: by id, but refuse another order, as SciFact's own script does",
        )
        parser.add_argument(
            "--max-evidence", type=limit, metavar="N", help="fever, feverous: 5, or all"
        )
        parser.add_argument("--max-cells", type=limit, metavar="N", help="feverous: 25, or all")
        parser.add_argument(
            "--corpus",
            type=Path,
            metavar="FILE",
            help="fever, scifact, ctkfacts: say which cited texts are not in it",
        )
        parser.add_argument("--per-claim", type=Path, metavar="FILE", help="one line a claim")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, gold, predictions, **options):
        task = task_of(options)
        chosen = {"by": options["match"], "corpus": corpus_of(task, options)}
        try:
            report = score_files(task, gold, predictions, **chosen, **limits(task, options))
        except BadInput as error:
            raise CommandError(str(error)) from None
        if path := options["per_claim"]:
            write_lines(path, report.scores.claims)
        self.warn(report.matching, report.unknown)
        self.print_report(report, as_json=options["json"])

    def warn(self, matching, unknown):
        if matching.missing:
            self.stderr.write(
                f"{some(len(matching.missing), 'claim')} without a prediction, counted as wrong: "
                f"{named(matching.missing)}."
            )
        if matching.extra:
            self.stderr.write(
                f"{some(len(matching.extra), 'prediction')} for no gold claim, left aside: "
                f"{named(matching.extra)}."
            )
        if matching.by == "position":
            self.stderr.write("Matched by position: ids are absent or all alike.")
        if unknown:
            self.stderr.write(f"{len(unknown)} cited, not in the corpus: {named(unknown)}.")

    def print_report(self, report, *, as_json):
        if as_json:
            self.stdout.write(as_it_is(report.as_json()))
            return
        self.stdout.write(f"{some(len(report.matching.pairs), 'claim')}, {report.task}")
        for name, value in flat(report.scores.figures):
            self.stdout.write(f"{name:<34} {shown(value)}")
        for cell in report.scores.confusion.as_json()["cells"]:
            claims = ", ".join(map(claim_name, cell["claims"][:SHOWN]))
            more = ", …" if cell["n"] > SHOWN else ""
            self.stdout.write(
                f"{cell['gold']} predicted as {cell['predicted']}: {cell['n']} ({claims}{more})"
            )


def task_of(options):
    named_twice = {options["format"], options["task"]} - {None}
    if len(named_twice) != 1:
        raise CommandError(f"Name one task: {', '.join(TASKS)}.")
    return named_twice.pop()


def limit(text):
    """A number of items, None for all; argparse turns a ValueError into its own message."""
    if text == "all":
        return 0
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def limits(task, options):
    """The limits that were given, by the name of the scorer's argument; None there is no limit."""
    given = {name: options[name] for name in LIMITS if options[name] is not None}
    for name in given:
        if task not in LIMITS[name]:
            raise CommandError(f"--{name.replace('_', '-')} does not belong to {task}.")
    return {name: number or None for name, number in given.items()}


def corpus_of(task, options):
    if options["corpus"] and task not in FORMS:
        raise CommandError(f"--corpus does not belong to {task}; leave it out.")
    return options["corpus"]


def write_lines(path, claims):
    try:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(as_it_is(claim) + "\n" for claim in claims)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror.lower()}.") from None


def shown(value):
    if value is None:
        return "undefined"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def claim_name(claim):
    return f"{claim['id']}/{claim['abstract']}" if isinstance(claim, dict) else str(claim)
