#!/usr/bin/env python
"""The command line of Claimwright: see `manage.py help`."""

import os
import sys


def main():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError):
        from operations.databases import what_is_wrong

        if not (line := what_is_wrong()):
            raise
        sys.exit(line)


if __name__ == "__main__":
    main()
