"""`import_corpus SLUG FILE...`: articles from files, all of them or none."""

import json
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from corpus.importing.runs import NothingStored, import_files
from corpus.importing.survey import PRINTED, reason_against, survey_files
from corpus.models import Corpus
from corpus.records import FORMATS, ReadOptions
from operations.bar import Bar

SHOWN_ERRORS = 20


class Command(BaseCommand):
    help = "Import articles from files into a corpus; makes the corpus if there is none."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--format", choices=FORMATS, required=True)
        parser.add_argument("--language", default="", help="of the articles, such as cs")
        parser.add_argument("--time-zone", default="", help="where a date states none")
        parser.add_argument("--encoding", default="")
        parser.add_argument("--date-format", default="", help="such as '%%d.%%m.%%Y'")
        parser.add_argument("--undated", action="store_true", help="for a new corpus")
        parser.add_argument("--delimiter", default="", help="of CSV; \\t is a tab")
        parser.add_argument("--quote", default='"', help="of CSV; '' for none")
        parser.add_argument("--header", default="", help="NAME,... where a CSV file has none")
        parser.add_argument("--map", default="", help="OURS=THEIRS,... such as id=guid")
        parser.add_argument("--skip-bad", action="store_true", help="leave bad lines out")
        parser.add_argument(
            "--accept-changes", action="store_true", help="give cited articles new versions"
        )
        parser.add_argument("--dry-run", action="store_true", help="only read and report")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, files, dry_run, **options):
        corpus = corpus_named(slug, options)
        read = read_options(options, corpus)
        try:
            with Bar(self.stderr, "records") as bar:
                counts = (self.survey if dry_run else self.store)(corpus, files, read, options, bar)
        except NothingStored as nothing:
            self.print_counts(nothing.report, as_json=options["json"])
            raise CommandError(nothing.message) from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.print_counts(counts, as_json=options["json"])

    def survey(self, corpus, files, read, options, bar):
        """What the import would do; refused where it would be."""
        report = survey_files(corpus=corpus, paths=files, options=read, progress=bar)
        reason = reason_against(report, **permissions(options))
        if reason:
            raise NothingStored(reason, report)
        return report

    def store(self, corpus, files, read, options, bar):
        run = import_files(
            corpus=corpus, paths=files, options=read, progress=bar, **permissions(options)
        )
        return {**run.counts, "errors": run.report["errors"]}

    def print_counts(self, counts, *, as_json):
        counts = {name: counts[name] for name in (*PRINTED, "errors")}
        if as_json:
            self.stdout.write(json.dumps(counts, ensure_ascii=False))
            return
        for error in counts["errors"][:SHOWN_ERRORS]:
            self.stderr.write(f"{error['file']}:{error['line']}: {error['reason']}")
        if (more := counts["bad"] - SHOWN_ERRORS) > 0:
            self.stderr.write(f"... and {more} more bad lines")
        words = (f"{name} {counts[name]}" for name in PRINTED if counts[name] is not None)
        self.stdout.write(", ".join(words))


def permissions(options):
    return {name: options[name] for name in ("skip_bad", "accept_changes")}


def read_options(options, corpus):
    """How to read the files; what the command does not say, the corpus does."""
    try:
        return ReadOptions(
            format=options["format"],
            time_zone=options["time_zone"] or corpus.time_zone,
            encoding=options["encoding"],
            date_format=options["date_format"],
            undated=corpus.undated,
            delimiter={"\\t": "\t"}.get(options["delimiter"], options["delimiter"]),
            quote=options["quote"],
            header=tuple(name for name in options["header"].split(",") if name),
            mapping=mapping_of(options["map"]),
            language=options["language"] or corpus.language,
        )
    except ValueError as error:
        raise CommandError(str(error)) from None


def mapping_of(text):
    pairs = [pair.partition("=") for pair in text.split(",") if pair]
    if wrong := [ours for ours, sign, _ in pairs if not sign]:
        raise CommandError(f"--map is {text!r}; {wrong[0]!r} has no '='. Use OURS=THEIRS,...")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def corpus_named(slug, options):
    """The corpus of this name; a new one, not saved yet, takes its settings from the options."""
    if corpus := Corpus.objects.filter(slug=slug).first():
        if options["undated"] and not corpus.undated:
            raise CommandError(f"{slug} is a dated corpus; --undated makes only a new one so.")
        return corpus
    corpus = Corpus(
        slug=slug,
        name=slug,
        language=options["language"] or "en",
        time_zone=options["time_zone"] or "UTC",
        undated=options["undated"],
    )
    try:
        corpus.full_clean()
    except ValidationError as error:
        raise CommandError(one_line(error)) from None
    return corpus


def one_line(error):
    """What is wrong with which value, of all fields."""
    return " ".join(
        f"{name.replace('_', ' ')}: {' '.join(texts)}" for name, texts in error.message_dict.items()
    )
