"""`localise_dataset FILE... --titles FILE --output DIR`: a dataset in another language."""

import json
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from datasets.localising.options import PAGES, LocalisingOptions
from datasets.localising.running import localise_to
from datasets.localising.splitting import GROUPS
from operations.bar import Bar


class Command(BaseCommand):
    help = "Make a dataset in FEVER's form one of another language, by CsFEVER's scheme."

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--titles", type=Path, required=True, metavar="FILE", help="source and target titles"
        )
        parser.add_argument("--translations", type=Path, metavar="FILE", help="ids and claims")
        parser.add_argument(
            "--translator",
            default="",
            metavar="MODULE.FUNCTION",
            help="translate(texts: list[str]) -> list[str]; by default the setting TRANSLATOR",
        )
        parser.add_argument("--output", type=Path, required=True, metavar="DIR")
        parser.add_argument("--split", default="", help="train=0.8,dev=0.1,test=0.1")
        parser.add_argument("--group", choices=GROUPS, default="article")
        parser.add_argument(
            "--balance",
            metavar="NAME,NAME",
            help="splits with as many claims of each label, by default dev, validation and test; "
            "'' for none",
        )
        parser.add_argument("--pages", choices=PAGES, default="fever", help="how pages are named")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true")

    def handle(self, *, files, output, **chosen):
        refuse_twice(files)
        translations = chosen["translations"]
        plugged_in = "" if translations else settings.TRANSLATOR
        try:
            with Bar(self.stderr, "claims") as bar:
                manifest = localise_to(
                    output,
                    paths=files,
                    titles=chosen["titles"],
                    translations=translations,
                    translator=chosen["translator"] or plugged_in,
                    options=options_from(chosen),
                    progress=bar,
                )
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from None
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from None
        self.print_report(manifest, as_json=chosen["json"])

    def print_report(self, manifest, *, as_json):
        if as_json:
            self.stdout.write(json.dumps(manifest, ensure_ascii=False))
            return
        for step in manifest["steps"]:
            claims = ", ".join(f"{label} {n}" for label, n in step["claims"].items())
            self.stderr.write(f"{step['step']}: {claims}; evidence sets {step['sets']}")
        files = ", ".join(f"{file['name']} {file['lines']}" for file in manifest["files"])
        reasons = [f"{name} {n}" for name, n in manifest["lost"].items() if n]
        leaks = ""
        if manifest["splits"]:
            found = manifest["splits"]["articles"].items()
            shares = [f"{name} {row['leaking']} of {row['claims']}" for name, row in found]
            leaks = f" Claims whose article stands in another split: {', '.join(shares)}."
        lost = ", ".join(reasons) or "nothing"
        self.stdout.write(f"Lines: {files}. Claims lost: {lost}.{leaks}")
        self.stderr.write("Import them with --format csfever --lines ranks.")


def refuse_twice(files):
    """A file that is read twice would bring each of its claims twice."""
    places = [file.resolve() for file in files]
    for file, place in zip(files, places, strict=True):
        if places.count(place) > 1:
            raise CommandError(f"{file} is given twice.")


def options_from(chosen):
    balance = chosen["balance"]
    named = [name.strip() for name in (balance or "").split(",")]
    return LocalisingOptions(
        split=chosen["split"],
        group=chosen["group"],
        balanced=tuple(name for name in named if name),
        is_balanced_by_default=balance is None,
        seed=chosen["seed"],
        pages=chosen["pages"],
    )
