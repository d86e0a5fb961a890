"""`release_diff CAMPAIGN OLD NEW`: what changed between two releases."""

import json

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from datasets.management.commands.export_dataset import campaign_named
from datasets.management.commands.make_release import release_named
from datasets.releases.comparing import compared
from datasets.releases.diff import KINDS


class Command(BaseCommand):
    help = "Say what changed between two releases: claims, labels, evidence, splits, figures."

    def add_arguments(self, parser):
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("old", help="the name of the older release")
        parser.add_argument("new", help="the name of the newer release")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, campaign, old, new, **options):
        campaign = campaign_named(campaign)
        try:
            diff = compared(release_named(campaign, old), release_named(campaign, new))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        if options["json"]:
            self.stdout.write(json.dumps(diff, ensure_ascii=False))
            return
        counts = ", ".join(f"{kind.replace('_', ' ')} {diff['counts'][kind]}" for kind in KINDS)
        before, after = diff["n_claims"]["before"], diff["n_claims"]["after"]
        self.stdout.write(f"Claims: {before} before, {after} after; {counts}.")
