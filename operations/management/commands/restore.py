from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from operations.backup import REBUILD, restore


class Command(BaseCommand):
    help = "Fill an empty, migrated database from a folder that `backup` wrote; all or nothing."

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path, help="a folder that `backup` wrote")

    def handle(self, *, folder, **options):
        try:
            manifest = restore(folder, tell=lambda table: self.stderr.write(f"… {table}"))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except (OSError, DatabaseError) as error:
            reason = " ".join(str(error).split())
            raise CommandError(f"{reason}; nothing was stored.") from None
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stderr.write(REBUILD)
        self.stdout.write(f"Restored {rows} rows of {len(manifest['tables'])} tables.")
