"""`demo`: a whole small campaign on this machine, made and worked in before your eyes."""

import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from accounts.models import User
from config.demo.migrating import migrate
from config.demo.simulation import LABELS_EACH, SOURCES, simulate
from config.demo.world import (
    CORPORA,
    CURATOR,
    GUEST,
    MANAGER,
    make_campaign,
    make_corpus,
    make_people,
    passwords,
)
from operations.management.commands.serve import DEMO_MARK
from operations.supervision import end_with_parent, manage

SECONDS_TO_START = 180  # a few, but on a machine that is busy otherwise


class Command(BaseCommand):
    help = "Set up the demo, let simulated people work in it, and serve it on this machine."

    def add_arguments(self, parser):
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--sources", type=int, default=SOURCES, help="that T0 shall accept")
        parser.add_argument("--labels", type=int, default=LABELS_EACH, help="of each annotator")
        parser.add_argument("--processes", type=int, default=2, help="of the web, and for jobs")
        parser.add_argument("--stop", action="store_true", help="end when the people have worked")

    def handle(self, *, port, sources, labels, processes, stop, **options):
        """Also when it is told to end, nothing that it started stays behind."""
        refuse_taken_port(port)
        interrupt_when_told_to_end()
        with suppress(KeyboardInterrupt):
            wave = self.make_world()
            address = f"http://127.0.0.1:{port}"
            with serving(address, processes) as server:
                if wave.is_open(timezone.now()):
                    stream = self.stderr._out
                    simulate(address, wave, passwords(), stream, sources=sources, labels=labels)
                self.print_accounts(address)
                sys.exit(0 if stop else server.wait())

    def make_world(self):
        """The wave of the demo, with all that it stands on."""
        refuse_work_of_others()
        self.tell("Preparing the database")
        migrate(self.stderr)
        make_people()
        for slug in CORPORA:
            self.tell(f"Corpus {slug}")
            make_corpus(slug)
        return make_campaign()

    def tell(self, text):
        self.stderr.write(text)
        self.stderr.flush()

    def print_accounts(self, address):
        notes = {MANAGER: "manager", CURATOR: "curator", GUEST: "annotator, for you to try"}
        self.stdout.write(f"\nClaimwright is at {address} (Ctrl C ends it). Demo accounts:")
        for username, password in passwords().items():
            self.stdout.write(f"  {username:<8} {password}   {notes.get(username, 'annotator')}")
        self.stdout.flush()


def refuse_taken_port(port):
    """The people would work on whatever site answers there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise CommandError(
                f"--port is {port}, which another program uses; end it, or name another port."
            ) from None


def refuse_work_of_others():
    """Accounts whose passwords are printed have no place among those of real people."""
    if (accounts := stored_passwords()) and not is_of_demo(accounts):
        raise CommandError(
            "This database has accounts that are not the demo's; nothing was changed. Run the demo "
            "in a fresh copy of the project, or with DATA_DIR set to an empty folder and without "
            "DATABASE_URL."
        )


def stored_passwords():
    """{username: hash of the password} of all accounts."""
    try:
        return dict(User.objects.values_list("username", "password"))
    except DatabaseError:  # there are no tables yet; what else is wrong, migrating says
        return {}


def is_of_demo(accounts):
    """Whether a password of the demo opens one: its mark may be left from another database.

    Whoever was invited in the demo has an account beside those.
    """
    if not (settings.DATA_DIR / DEMO_MARK).exists():
        return False
    return any(
        name in accounts and check_password(password, accounts[name])
        for name, password in passwords().items()
    )


def interrupt_when_told_to_end():
    """Ctrl C, `kill` and a closed terminal do the same; `nohup` keeps it from the last."""
    numbers = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        numbers.remove(signal.SIGHUP)
    for number in numbers:
        signal.signal(number, signal.default_int_handler)


@contextmanager
def serving(address, processes):
    """The site at an address, in processes that end with the block, and with this process."""
    connection.close()  # the server's processes must not inherit it
    options = {
        "--bind": address.removeprefix("http://"),
        "--processes": processes,
        "--workers": processes,
    }
    command = manage("serve", *(f"{name}={value}" for name, value in options.items()))
    server = subprocess.Popen(command, preexec_fn=end_with_parent)
    try:
        wait_until_served(server, address)
        yield server
    finally:
        end(server)


def wait_until_served(server, address):
    last = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < last:
        if server.poll() is not None:
            raise CommandError("The server ended; the reason stands above.")
        try:
            urlopen(f"{address}{settings.STATIC_URL}favicon.svg", timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise CommandError(f"Nothing answered at {address} within {SECONDS_TO_START} seconds.")


def end(server):
    """End the server, and let nobody interrupt that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        server.wait()
