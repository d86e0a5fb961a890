"""`check_splits FILE FILE [FILE]`: what two or three files of a dataset share."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from datasets.files import BadLine, records_of_file
from datasets.splits import check_splits


class Command(BaseCommand):
    help = "Report counts, labels and leaks between the files of a dataset."

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, files, **options):
        if len(files) not in (2, 3):
            known = "One file is" if len(files) == 1 else f"{len(files)} files are"
            raise CommandError(f"{known} named; name two or three.")
        try:
            report = check_splits({name: records_of_file(path) for name, path in named(files)})
        except BadLine as bad:
            raise CommandError(str(bad)) from None
        self.print_report(report, as_json=options["json"])

    def print_report(self, report, *, as_json):
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        for kind, examples in report["examples"].items():
            for example in examples:
                where = ", ".join(example["splits"])
                self.stderr.write(f"{kind}: {example['value']} ({where})")
        counts = ", ".join(f"{name} {n}" for name, n in report["counts"].items())
        leaks = [f"{kind} {n}" for kind, n in report["leaks"].items() if n]
        self.stdout.write(f"Claims: {counts}. Leaks: {', '.join(leaks) or 'none'}.")


def named(files):
    """Each file with a name of its own: its stem, or its path where stems are alike."""
    stems = [path.name.split(".")[0] for path in files]
    alike = len(set(stems)) < len(stems)
    if len(set(files)) < len(files):
        raise CommandError("A file is named twice; name two or three different ones.")
    return [(str(path) if alike else stem, path) for stem, path in zip(stems, files, strict=True)]
