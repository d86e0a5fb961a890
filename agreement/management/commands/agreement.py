"""`agreement`: how far annotators agree, of a campaign or of a plain file of labels."""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from agreement import tables
from agreement.aggregation import dawid_skene
from agreement.aggregation.lines import aggregate_lines, model_figures
from agreement.figures import AgreementSettings, agreement_figures
from agreement.label_files import label_columns
from agreement.label_rows import BOUNDS, SUBSETS, TASKS, ends_before_it_begins
from agreement.measures import AnnotationTable, annotation_table
from agreement.measures.alpha import LEVELS
from agreement.measures.annotations import CONDITIONAL_LABELS, DUPLICATES, OWN_LABELS
from agreement.measures.report import report_of, unit_clusters
from agreement.reasons import why
from agreement.scopes import instance_names, scope_named
from agreement.wording import some
from corpus.records import check_encoding

# Settings that choose among a campaign's labels, with their defaults; a file has its labels only.
FILTERS = {
    name: AgreementSettings.__dataclass_fields__[name].default
    for name in ("task", "since", "until", "subset", "bound", "marks", "among")
}


class Command(BaseCommand):
    help = "Krippendorff's alpha, kappas and percent agreement of a campaign or of a file."

    def add_arguments(self, parser):
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--campaign", metavar="SLUG")
        source.add_argument("--labels", metavar="FILE", help="CSV, TSV or JSONL; gzip and xz too")
        parser.add_argument("--wave", metavar="NAME", help="of the campaign")
        parser.add_argument(
            "--columns", default="", metavar="unit=NAME,annotator=NAME,label=NAME",
            help="what the file calls its columns; source=NAME too, for --resample sources",
        )  # fmt: skip
        parser.add_argument("--encoding", default="", help="of the file; UTF-8 if it is not said")
        parser.add_argument("--duplicates", choices=DUPLICATES, default="last")
        parser.add_argument("--own", choices=OWN_LABELS, default="never")
        parser.add_argument("--conditional", choices=CONDITIONAL_LABELS, default="nei")
        parser.add_argument("--level", choices=LEVELS, default="nominal")
        parser.add_argument(
            "--resample", choices=("claims", "sources"), default="claims",
            help="what is drawn for the interval: claims, or source articles with their claims",
        )  # fmt: skip
        parser.add_argument(
            "--interval", choices=("percentile", "kalpha"), default="percentile",
            help="kalpha draws pairs of labels as the KALPHA macro does, whatever --resample says",
        )  # fmt: skip
        add_filters(parser)
        parser.add_argument("--bootstrap", type=int, default=10_000, metavar="N")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--aggregate", metavar="FILE", help="write what each unit comes to")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, as_json, **options):
        try:
            check(options)
            measured = measured_file(options) if options["labels"] else measured_campaign(options)
            model = dawid_skene(measured.table) if options["aggregate"] else None
        except ValueError as error:
            raise CommandError(str(error)) from None
        if model:
            self.write_lines(Path(options["aggregate"]), measured, model)
            measured.report["dawid_skene"] = model_figures(measured.table, model)
        if as_json:
            report = json.dumps(measured.report, ensure_ascii=False, allow_nan=False)
            self.stdout.write(report)
        else:
            self.stdout.write(in_a_line(measured.report))

    def write_lines(self, path, measured, model):
        names = measured.names
        try:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                for line in aggregate_lines(measured.table, model):
                    line["unit"] = names.get(line["unit"], line["unit"])
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        self.stderr.write(f"Wrote {path}.")


def add_filters(parser):
    group = parser.add_argument_group("which of a campaign's labels are measured")
    group.add_argument("--task", choices=TASKS, default=FILTERS["task"])
    group.add_argument("--since", default=FILTERS["since"], metavar="DAY", help="as 2026-01-31")
    group.add_argument("--until", default=FILTERS["until"], metavar="DAY", help="this day too")
    group.add_argument("--subset", choices=SUBSETS, default=FILTERS["subset"])
    group.add_argument("--bound", choices=BOUNDS, default=FILTERS["bound"], help="of --subset rule")
    group.add_argument("--marks", type=int, default=FILTERS["marks"], help="labels in doubt")
    group.add_argument("--among", type=int, default=FILTERS["among"], help="of so many or more")


@dataclass(frozen=True)
class Measured:
    """A report and the table that it rests on; names: what files call its units, by their ids."""

    report: dict
    table: AnnotationTable | None
    names: dict


def check(options):
    """Refuse what cannot be meant. Raises ValueError."""
    if options["bootstrap"] < 1:
        raise ValueError(f"--bootstrap is {options['bootstrap']}; use 1 or more.")
    check_encoding(options["encoding"])
    if options["seed"] < 0:
        raise ValueError(f"--seed is {options['seed']}; use 0 or more.")
    if options["labels"] and options["wave"]:
        raise ValueError("--wave goes with --campaign; a file of labels has no waves.")
    if options["campaign"] and options["columns"]:
        raise ValueError("--columns goes with --labels; a campaign needs none.")
    check_filters(options)


def check_filters(options):
    for name, usual in FILTERS.items():
        if options["labels"] and options[name] != usual:
            raise ValueError(f"--{name} goes with --campaign; a file is measured as it is.")
    check_period(options["since"], options["until"])
    if options["marks"] < 0 or options["among"] < 1:
        raise ValueError("--marks is 0 or more, and --among 1 or more.")
    if options["subset"] != "rule":
        for name in ("bound", "marks", "among"):
            if options[name] != FILTERS[name]:
                raise ValueError(f"--{name} goes with --subset rule.")


def check_period(since, until):
    check_day("since", since)
    check_day("until", until)
    if ends_before_it_begins(since, until):
        raise ValueError(f"--until is {until}, before --since {since}; choose a later day.")


def check_day(name, text):
    try:
        if text and date.fromisoformat(text).isoformat() == text:
            return
    except ValueError:
        pass
    if text:
        raise ValueError(f"--{name} is {text!r}; write a day as 2026-01-31.")


def settings_of(options) -> AgreementSettings:
    names = ("duplicates", "own", "conditional", "level", "resample", "interval", "seed", *FILTERS)
    chosen = {name: options[name] for name in names}
    return AgreementSettings(**chosen, n_samples=options["bootstrap"])


def measured_file(options) -> Measured:
    settings = settings_of(options)
    table, clusters = read_file(options, settings)
    check_finite(table.labels, settings.level)
    report = report_of(
        table,
        rng=np.random.default_rng(settings.seed),
        level=settings.level,
        clusters=clusters,
        n_samples=settings.n_samples,
        kalpha=settings.interval == "kalpha",
    )
    policies = ("duplicates", "own", "conditional", "level", "resample", "interval")
    report["policies"] = {name: getattr(settings, name) for name in policies}
    return Measured(report, table, {})


def read_file(options, settings) -> tuple[AnnotationTable, np.ndarray | None]:
    """The table of a file, and what its units are resampled with; the rows are let go."""
    given, by_source = given_columns(options["columns"]), settings.resample == "sources"
    columns = label_columns(
        Path(options["labels"]), given, encoding=options["encoding"], with_source=by_source
    )
    names = (columns[name] for name in ("unit", "annotator", "label"))
    table = annotation_table(*names, **settings.policies)
    return table, unit_clusters(table, columns["unit"], columns["source"] if by_source else None)


def given_columns(text: str) -> dict[str, str]:
    """{our name: the file's} of a text like unit=item,label=rating."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    for name, mark, theirs in pairs:
        if not (mark and theirs.strip()):
            raise ValueError(f"--columns has {name!r}; write unit=..,annotator=..,label=..")
    return {name.strip(): theirs.strip() for name, _, theirs in pairs}


def check_finite(labels, level):
    """Infinity is a number for Python and none for a measure of distances."""
    if level == "nominal":
        return
    for label in labels:
        try:
            finite = np.isfinite(float(label))
        except ValueError:
            continue  # the report says what is wrong with texts
        if not finite:
            raise ValueError(f"level is {level!r}, which needs finite numbers, not {label!r}.")


def measured_campaign(options) -> Measured:
    scope = scope_named(options["campaign"], options["wave"])
    settings = settings_of(options)
    report = agreement_figures(scope, settings)
    # The dashboard's list is by ids of this database, which files never name.
    del report["hardest"]
    if not options["aggregate"]:
        return Measured(report, None, {})
    rows = settings.chosen_of(tables.annotation_rows(scope.campaign, scope.waves))
    return Measured(report, rows.table(**settings.policies), instance_names(scope.campaign))


def in_a_line(report) -> str:
    """The summary for a terminal."""
    alpha = report["alpha"]
    if alpha["undefined"]:
        value = f"alpha is undefined: {why(alpha['undefined'])}"
    else:
        ci = alpha["ci"]
        interval = f" (95 % interval {ci[0]:.3f} to {ci[1]:.3f})" if ci else ""
        value = f"alpha {alpha['value']:.3f}{interval}"
    return (
        f"{value} · two labels or more on {report['n_units_pairable']} of "
        f"{some(report['n_units'], 'unit')} · {some(report['n_annotations'], 'label')} by "
        f"{some(report['n_annotators'], 'annotator')}"
    )
