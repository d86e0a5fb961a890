"""`cues`: what claims give away by their wording, of a campaign or of a plain file."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from agreement.cue_figures import CueSettings, DecidedClaims, cue_figures, figures_of
from agreement.cue_forms import ORDERS, TOKENS
from agreement.cues.language import guessed_language
from agreement.label_files import claim_columns
from agreement.scopes import scope_named
from agreement.wording import some
from corpus.records import check_encoding

SETTINGS = ("tokens", "order_by", "min_count", "resamples", "seed", "top")
LEAST = {"resamples": 1, "seed": 0, "top": 1, "min_count": 1}


class Command(BaseCommand):
    help = "Productivity, coverage and harmonic mean of the words of claims."

    def add_arguments(self, parser):
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--campaign", metavar="SLUG")
        source.add_argument("--claims", metavar="FILE", help="JSONL with claim and label")
        parser.add_argument("--wave", metavar="NAME", help="of the campaign")
        parser.add_argument("--encoding", default="", help="of the file; UTF-8 if it is not said")
        parser.add_argument(
            "--language", default="", metavar="CODE",
            help="of the file's claims, whose negations are marked; guessed if not said",
        )  # fmt: skip
        default = CueSettings()
        parser.add_argument("--tokens", choices=names_of(TOKENS), default=default.tokens)
        parser.add_argument("--order-by", choices=names_of(ORDERS), default=default.order_by)
        parser.add_argument("--min-count", type=int, default=default.min_count, metavar="N")
        parser.add_argument("--resamples", type=int, default=default.resamples)
        parser.add_argument("--seed", type=int, default=default.seed)
        parser.add_argument("--top", type=int, default=default.top, metavar="N")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, as_json, **options):
        try:
            check(options)
            report = measured_file(options) if options["claims"] else measured_campaign(options)
        except ValueError as error:
            raise CommandError(str(error)) from None
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write(in_a_line(report))


def names_of(choices) -> list[str]:
    return [name for name, _ in choices]


def check(options):
    """Refuse what cannot be meant. Raises ValueError."""
    check_encoding(options["encoding"])
    for name, least in LEAST.items():
        if options[name] < least:
            said = name.replace("_", "-")
            raise ValueError(f"--{said} is {options[name]}; use {least} or more.")
    if options["claims"] and options["wave"]:
        raise ValueError("--wave is of a campaign; a file has none.")
    if options["campaign"] and options["language"]:
        raise ValueError("--language is of a file; a campaign's claims have their own.")


def settings_of(options) -> CueSettings:
    return CueSettings(**{name: options[name] for name in SETTINGS})


def measured_campaign(options) -> dict:
    scope = scope_named(options["campaign"], options["wave"])
    return cue_figures(scope, settings_of(options))


def measured_file(options) -> dict:
    columns = claim_columns(Path(options["claims"]), encoding=options["encoding"])
    return figures_of(claims_of(columns, options["language"]), settings_of(options))


def claims_of(columns, language) -> DecidedClaims:
    """The labelled claims of a file; two lines with the same text are one claim."""
    labelled = [place for place, label in enumerate(columns["label"]) if label is not None]
    text, label, source = (
        [columns[name][place] for place in labelled] for name in ("claim", "label", "source")
    )
    missing = len(columns["label"]) - len(labelled)
    return DecidedClaims(
        text=text,
        label=label,
        claim=text,
        source=source,
        language=language or guessed_language(text),
        left_out={"no_labels": missing} if missing else {},
    )


def in_a_line(report) -> str:
    """The summary for a terminal."""
    strongest = [f"{row['cue']!r} ({row['label']})" for row in report["unigrams"][:5]]
    least = some(report["min_count"], "claim")
    words = ", ".join(strongest) or f"none that occurs in {least} or more"
    return f"{some(report['n_claims'], 'claim')} with a label · strongest words: {words}"
