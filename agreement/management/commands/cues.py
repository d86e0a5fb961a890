"""`cues`: what claims give away by their wording, of a campaign or of a plain file."""

import json
from pathlib import Path

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from agreement.cue_figures import CueSettings, cue_figures
from agreement.cues import cue_report
from agreement.cues.claim_only import claim_only_scores
from agreement.label_files import claim_columns
from agreement.scopes import scope_named
from corpus.records import check_encoding


class Command(BaseCommand):
    help = "Productivity, coverage and harmonic mean of the words of claims."

    def add_arguments(self, parser):
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--campaign", metavar="SLUG")
        source.add_argument("--claims", metavar="FILE", help="JSONL with claim and label")
        parser.add_argument("--encoding", default="", help="of the file; UTF-8 if it is not said")
        parser.add_argument("--resamples", type=int, default=10)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--top", type=int, default=50, metavar="N")
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


def check(options):
    """Refuse what cannot be meant. Raises ValueError."""
    check_encoding(options["encoding"])
    for name, least in (("resamples", 1), ("seed", 0), ("top", 1)):
        if options[name] < least:
            raise ValueError(f"--{name} is {options[name]}; use {least} or more.")


def settings_of(options) -> CueSettings:
    return CueSettings(**{name: options[name] for name in ("resamples", "seed", "top")})


def measured_campaign(options) -> dict:
    return cue_figures(scope_named(options["campaign"], None), settings_of(options))


def measured_file(options) -> dict:
    columns = claim_columns(Path(options["claims"]), encoding=options["encoding"])
    settings = settings_of(options)
    report = cue_report(
        columns["claim"],
        columns["label"],
        rng=np.random.default_rng(settings.seed),
        resamples=settings.resamples,
        top=settings.top,
        min_count=settings.min_count,
        tokens=settings.tokens,
    )
    labelled = [place for place, label in enumerate(columns["label"]) if label is not None]
    claims, labels, sources = (
        [columns[name][place] for place in labelled] for name in ("claim", "label", "source")
    )
    alone = claim_only_scores(claims, labels, groups=sources, seed=settings.seed)
    return report | {"claim_only": alone}


def in_a_line(report) -> str:
    """The summary for a terminal."""
    strongest = [f"{row['cue']!r} ({row['label']})" for row in report["unigrams"][:5]]
    words = ", ".join(strongest) or "none that occurs in three claims or more"
    return f"{report['n_claims']} claims with a label · strongest words: {words}"
