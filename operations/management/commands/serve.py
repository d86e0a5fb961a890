import ipaddress
import subprocess
import sys

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from operations.supervision import (
    Supervisor,
    end_with_parent,
    gunicorn,
    manage,
    worker_names,
)

DEMO_MARK = "demo"
UNUSED_STATIC = ["rest_framework", "django_htmx/ext"]


class Command(BaseCommand):
    help = "Serve the pages and, where no Celery broker is set, run the jobs beside them."

    def add_arguments(self, parser):
        parser.add_argument("--bind", default="127.0.0.1:8000", help="address and port")
        parser.add_argument("--processes", type=int, default=2, help="of the web server")
        parser.add_argument("--threads", type=int, default=8, help="of each web process")
        parser.add_argument("--workers", type=int, default=2, help="for jobs, without a broker")

    def handle(self, *, bind, processes, threads, workers, **options):
        refuse_demo_in_public(bind)
        refuse_missing_migrations()
        self.tell("Collecting static files")
        collect_static_files()
        if settings.CELERY_BROKER_URL:
            self.tell("Jobs are left to the Celery workers of CELERY_BROKER_URL")
            workers = 0
        self.tell(f"Serving on http://{bind}")
        connection.close()  # children must not inherit it
        supervisor = Supervisor(
            web=gunicorn(bind=bind, processes=processes, threads=threads),
            workers=worker_names(workers),
            log=self.tell,
        )
        sys.exit(supervisor.run())

    def tell(self, text):
        self.stderr.write(text)
        self.stderr.flush()


def refuse_demo_in_public(bind):
    """Passwords of demo accounts are printed: nobody else may reach them."""
    host = bind.rpartition(":")[0].strip("[]")
    if (settings.DATA_DIR / DEMO_MARK).exists() and not is_loopback(host):
        raise CommandError(
            f"--bind is {bind!r}, but this database has demo accounts with known passwords; "
            "bind to 127.0.0.1, or start with an empty DATA_DIR."
        )


def is_loopback(host):
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_missing_migrations():
    try:
        call_command("migrate", check_unapplied=True, verbosity=0)
    except SystemExit:
        raise CommandError(
            "The database lacks migrations; run `manage.py migrate` first."
        ) from None


def collect_static_files():
    """In a process of its own: these settings were read before there was a manifest.

    What packages bring and no page uses stays out: compressing it would take seconds.
    """
    ignored = [f"--ignore={pattern}" for pattern in UNUSED_STATIC]
    command = manage("collectstatic", "--noinput", "--verbosity=0", *ignored)
    done = subprocess.run(command, cwd=settings.BASE_DIR, preexec_fn=end_with_parent)
    if done.returncode:
        raise CommandError("The static files could not be collected; the reason stands above.")
