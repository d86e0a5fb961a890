from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from operations.backup import REBUILD, back_up


class Command(BaseCommand):
    help = "Write the data of this site into a new folder, in a form that every database reads."

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path, help="a folder that is new or empty")

    def handle(self, *, folder, **options):
        try:
            manifest = back_up(folder, tell=lambda table: self.stderr.write(f"… {table}"))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except OSError as error:
            raise CommandError(f"{error}; the backup is not whole.") from None
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stderr.write(REBUILD)
        self.stdout.write(
            f"Backed up {rows} rows of {len(manifest['tables'])} tables "
            f"and {len(manifest['files'])} files into {folder}."
        )
