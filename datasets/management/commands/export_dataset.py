"""`export_dataset CAMPAIGN --format FORMAT --output DIR`: a campaign's labels as files."""

import json
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from agreement.measures.annotations import CONDITIONAL_LABELS, OWN_LABELS
from annotation.models import Campaign
from datasets.exporting import export_to
from datasets.importing.options import LINES
from datasets.options import EVIDENCE, FORMATS, OVERSIZED, PER, TIES, ExportOptions
from operations.bar import Bar


class Command(BaseCommand):
    help = "Export a campaign's labels as files, sorted, with a manifest."

    def add_arguments(self, parser):
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--format", choices=list(FORMATS), required=True)
        parser.add_argument("--output", type=Path, required=True, metavar="DIR")
        parser.add_argument("--wave", nargs="+", default=[], metavar="NAME", help="all by default")
        parser.add_argument("--own", choices=OWN_LABELS, default="never")
        parser.add_argument("--conditional", choices=CONDITIONAL_LABELS, default="nei")
        parser.add_argument("--ties", choices=TIES, default="leave-out")
        parser.add_argument(
            "--drop-supersets",
            action="store_true",
            help="leave out evidence sets that contain another one",
        )
        parser.add_argument("--evidence", choices=EVIDENCE, default="", help="of nli")
        parser.add_argument("--per", choices=PER, default="", help="of nli: a line for each")
        parser.add_argument("--lines", choices=LINES, default="", help="of fever: what is cited")
        parser.add_argument("--list", action="store_true", help="nli: a list of texts for a set")
        parser.add_argument("--split", default="", help="train=0.8,dev=0.1,test=0.1")
        parser.add_argument("--balanced", default="", help="splits with equal labels: dev,test")
        parser.add_argument("--oversized", choices=OVERSIZED, default="train")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--superseded", action="store_true", help="raw: ended labels, too")
        parser.add_argument(
            "--times", action="store_true", help="raw, feverous: times of labels, of steps"
        )
        parser.add_argument(
            "--texts", action="store_true", help="raw, feverous: what was typed, searches"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *, campaign, output, **chosen):
        try:
            with Bar(self.stderr, "records") as bar:
                manifest = export_to(
                    output,
                    campaign=campaign_named(campaign),
                    options=options_from(chosen),
                    progress=bar,
                )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from None
        self.print_report(manifest, as_json=chosen["json"])

    def print_report(self, manifest, *, as_json):
        report = {name: manifest[name] for name in ("files", "splits", "left_out")}
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        files = ", ".join(f"{file['name']} {file['lines']}" for file in report["files"])
        reasons = [f"{name} {n}" for name, n in report["left_out"].items() if n]
        self.stdout.write(f"Lines: {files}. Left out: {', '.join(reasons) or 'nothing'}.")


def campaign_named(slug):
    campaign = Campaign.objects.select_related("corpus").filter(slug=slug).first()
    if campaign is None:
        known = ", ".join(Campaign.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no campaign {slug!r}; there are: {known}.")
    return campaign


def options_from(chosen):
    balanced = [name.strip() for name in chosen["balanced"].split(",")]
    return ExportOptions.of(
        {
            **chosen,
            "waves": chosen["wave"],
            "is_joined": not chosen["list"],
            "balanced": [name for name in balanced if name],
        }
    )
