"""`make_release CAMPAIGN NAME`: a named state of a dataset, or with --check whether it is one."""

import json
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from agreement.measures.annotations import CONDITIONAL_LABELS, OWN_LABELS
from datasets.cards.words import counted
from datasets.importing.options import LINES
from datasets.management.commands.export_dataset import campaign_named
from datasets.models import Release
from datasets.options import EVIDENCE, FORMATS, OVERSIZED, PER, TIES
from datasets.releases.options import BASE, GIVEN, ReleaseOptions
from datasets.releases.services import can_be_rebuilt, changed_files, run_release
from operations.bar import Bar


class Command(BaseCommand):
    help = "Make a release of a campaign's dataset: files, figures and card, never changed again."

    def add_arguments(self, parser):
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("name", help="such as 1.0.0; it is never given again")
        parser.add_argument("--check", action="store_true", help="build it again and compare")
        parser.add_argument("--date", default="", help="what the card gives; today by default")
        parser.add_argument("--format", nargs="+", choices=list(FORMATS), default=[BASE])
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
        parser.add_argument("--list", action="store_true", help="nli: a list of texts for a set")
        parser.add_argument("--lines", choices=LINES, default="", help="of fever: what is cited")
        parser.add_argument("--split", default="", help="train=0.8,dev=0.1,test=0.1")
        parser.add_argument("--balanced", default="", help="splits with equal labels: dev,test")
        parser.add_argument("--oversized", choices=OVERSIZED, default="train")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--licence", default="", help="of claims and labels")
        for name in GIVEN:
            parser.add_argument(f"--{name}", default="", help="for the card")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, campaign, name, check, **chosen):
        campaign = campaign_named(campaign)
        try:
            with Bar(self.stderr, "records") as bar:
                if check:
                    release = release_named(campaign, name)
                    changed = changed_files(release=release, progress=bar)
                else:
                    release = run_release(
                        campaign=campaign,
                        name=name,
                        options=options_from(chosen),
                        key=uuid4().hex,
                        progress=bar,
                    )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except OSError as error:
            raise CommandError(f"The files cannot be written: {error.strerror}.") from None
        if check:
            self.print_check(release, changed, as_json=chosen["json"])
        else:
            self.print_release(release, as_json=chosen["json"])

    def print_release(self, release, *, as_json):
        contents = release.contents
        if as_json:
            report = {"name": release.name, "sha256": release.sha256, "files": release.hashes}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        self.stdout.write(
            f"Made {release.name}: {counted(contents['n_claims'], 'claim')}, "
            f"{counted(len(release.hashes), 'file')} in "
            f"{release.folder}; release.json is {release.sha256}."
        )

    def print_check(self, release, changed, *, as_json):
        """Exit status 1 where something differs."""
        if as_json:
            self.stdout.write(json.dumps(changed, ensure_ascii=False))
        if any(changed.values()):
            rebuilt, kept = (", ".join(changed[name]) or "none" for name in ("rebuilt", "kept"))
            raise CommandError(f"Come out otherwise: {rebuilt}. Are not as they were: {kept}.")
        if not as_json and can_be_rebuilt(release):
            self.stdout.write("Every file comes out the same, and is as it was.")
        elif not as_json:
            self.stdout.write(
                "Every file is as it was. Another version of Claimwright made them, so they were "
                "not made again to compare."
            )


def release_named(campaign, name):
    release = Release.objects.called(campaign, name).select_related("campaign__corpus").first()
    if release is None:
        known = ", ".join(campaign.releases.values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no release {name!r}; there are: {known}.")
    return release


def options_from(chosen):
    balanced = [name.strip() for name in chosen["balanced"].split(",")]
    return ReleaseOptions.of(
        {
            **chosen,
            "date": chosen["date"] or timezone.localdate().isoformat(),
            "formats": chosen["format"],
            "waves": chosen["wave"],
            "is_joined": not chosen["list"],
            "balanced": [name for name in balanced if name],
        }
    )
