"""`demo`: a whole small campaign on this machine, made and worked in before your eyes."""

import signal
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.demo.simulation import simulate
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
from operations.supervision import manage

SECONDS_TO_START = 60


class Command(BaseCommand):
    help = "Set up the demo, let simulated people work in it, and serve it on this machine."

    def add_arguments(self, parser):
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--stop", action="store_true", help="end when the people have worked")

    def handle(self, *, port, stop, **options):
        refuse_taken_port(port)
        call_command("migrate", verbosity=0)
        make_people()
        for slug in CORPORA:
            self.stderr.write(f"Corpus {slug}")
            make_corpus(slug)
        wave = make_campaign()
        connection.close()  # the server's processes must not inherit it
        server = subprocess.Popen(manage("serve", f"--bind=127.0.0.1:{port}"))
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_served(server, address)
            simulate(address, wave, passwords(), self.stderr._out)
            self.print_accounts(address)
            sys.exit(0 if stop else server.wait())
        except KeyboardInterrupt:
            pass
        finally:
            end(server)

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
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=40)
