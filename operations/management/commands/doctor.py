import json
import sys

from django.core.management.base import BaseCommand

from accounts.found import found
from operations.snapshots import snapshot


class Command(BaseCommand):
    help = "List every row that breaks a rule; exits 1 if there is one."

    def add_arguments(self, parser):
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, as_json, **options):
        with snapshot():
            rules = [self.examined(*rule) for rules in found("doctor", "RULES") for rule in rules]
        broken = sum(len(rule["rows"]) for rule in rules)
        if as_json:
            report = {"ok": not broken, "broken": broken, "rules": rules}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            self.stdout.write(f"{len(rules)} rules, {broken} rows that break one.")
        if broken:
            sys.exit(1)

    def examined(self, name, explanation, breaking_rows):
        """One rule with the rows that break it, told to the person as they are found."""
        self.stderr.write(f"… {name}")
        rows = []
        for row in breaking_rows():
            self.stderr.write(self.style.ERROR(f"  {row}"))
            rows.append(row)
        if rows:
            self.stderr.write(f"  {explanation}")
        return {"rule": name, "explanation": explanation, "rows": rows}
