"""`import_dataset CAMPAIGN FILE... --format FORMAT`: a dataset's claims and labels."""

import json
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from datasets.cards.words import counted
from datasets.importing.campaigns import campaign_for
from datasets.importing.options import LINES, ImportOptions
from datasets.importing.running import NothingStored, import_dataset, survey_dataset
from datasets.readers.dispatch import FORMATS
from operations.bar import Bar

SHOWN = 20
PRINTED = (
    "claims_new",
    "claims_same",
    "annotations",
    "evidence_linked",
    "evidence_unresolved",
    "sources_unresolved",
)


class Command(BaseCommand):
    help = "Import claims and labels into a campaign; makes the campaign if there is none."

    def add_arguments(self, parser):
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--format", choices=FORMATS, required=True)
        parser.add_argument("--corpus", default="", help="of a new campaign")
        parser.add_argument("--wave", default="", help="its name; by default after the files")
        parser.add_argument("--language", default="", help="of the claims, such as cs")
        parser.add_argument(
            "--lines",
            choices=LINES,
            default="",
            help="what a line of FEVER is; by default as the corpus was read",
        )
        parser.add_argument("--dry-run", action="store_true", help="only read and report")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, campaign, files, corpus, dry_run, **chosen):
        names = ("format", "lines", "language", "wave")
        options = ImportOptions(**{name: chosen[name] for name in names})
        run = survey if dry_run else store
        refuse_twice(files)
        try:
            target = campaign_for(campaign, corpus_of(corpus) if corpus else None)
            with Bar(self.stderr, "claims") as bar:
                report = run(campaign=target, paths=files, options=options, progress=bar)
        except NothingStored as nothing:
            self.print_report(nothing.report, as_json=chosen["json"])
            raise CommandError(" ".join(nothing.messages)) from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.print_report(report, as_json=chosen["json"])

    def print_report(self, report, *, as_json):
        counts = report.as_dict()
        if as_json:
            self.stdout.write(json.dumps(counts, ensure_ascii=False))
            return
        for problem in report.errors[:SHOWN]:
            self.stderr.write(str(problem))
        for lost in report.unresolved[:SHOWN]:
            self.stderr.write(f"{lost['file']}:{lost['line']}: {lost['id']} is not in the corpus")
        self.print_more(counts["bad"] - SHOWN, "more unusable line")
        self.print_more(len(report.unresolved) - SHOWN, "more id", " not in the corpus")
        words = [f"{name} {counts[name]}" for name in PRINTED]
        words += [f"{name} {n}" for name, n in counts["violations"].items()]
        nothing = " Nothing changes." if report.changes_nothing and not report.errors else ""
        self.stdout.write(", ".join(words) + "." + nothing)

    def print_more(self, n, what, where=""):
        if n > 0:
            self.stderr.write(f"... and {counted(n, what)}{where}")


def refuse_twice(files):
    """A file that is read twice would bring each of its labels twice."""
    places = [file.resolve() for file in files]
    for file, place in zip(files, places, strict=True):
        if places.count(place) > 1:
            raise CommandError(f"{file} is given twice.")


def survey(**import_):
    """The report of what would happen."""
    report = survey_dataset(**import_)
    if report.counts["bad"]:
        raise NothingStored(report)
    return report


def store(**import_):
    return import_dataset(**import_)[0]
