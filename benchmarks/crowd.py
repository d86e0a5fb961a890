"""A class at work: 160 annotators at once, over HTTP, on two web processes and PostgreSQL.

Nobody pauses to read: each sends the next request as soon as the last one is answered. One answer
in ten is sent twice. At the end every answer that was taken is looked for in the database.
"""

import random
import re
import signal
import socket
import subprocess
import threading
import time
from collections import Counter, defaultdict
from http.client import HTTPConnection, HTTPException
from time import perf_counter
from urllib.parse import urlencode

from benchmarks.measuring import rounded, say, spread
from benchmarks.sites import Site, Sites

ANSWERS_EACH = {"small": 4, "full": 25}
PEOPLE, WANTED = 160, 2
SECONDS = {"small": 240, "full": 1200}  # after which everybody stops, whatever is left
PAUSE = 0.5  # of those who find no work
SENT_TWICE = 0.1
PASSWORD = "only for this benchmark"
FIELD = re.compile(r'name="(submission|revision|drawn_from|asked)" value="([^"]*)"')
TICK = re.compile(r'name="set-1"[^>]*?value="([^"]+)"|value="([^"]+)"[^>]*?name="set-1"')
SIGNING_IN = ("sign-in page", "sign in")
VERDICTS = ["SUPPORTS", "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
SHOWN, LOG, LOG_SHOWN = 5, "serve.log", 4_000


def measure(sites: Sites, size: str) -> dict:
    if "postgresql" not in sites.kinds:
        return {"skipped": "PostgreSQL is not reachable."}
    with sites.site("postgresql") as site:
        say(f"crowd: {PEOPLE} annotators, {ANSWERS_EACH[size]} answers each")
        wave = site.step("crowd", "fill", items=PEOPLE * ANSWERS_EACH[size] // WANTED)["wave"]
        port = free_port()
        server = serve(site, port)
        try:
            wait_for(port)
            figures = site.step("crowd", "label", port=port, wave=wave, seconds=SECONDS[size])
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
        if figures["errors"]:
            say((site.folder / LOG).read_text()[-LOG_SHOWN:])
        return figures


def serve(site: Site, port: int) -> subprocess.Popen:
    address, log = f"127.0.0.1:{port}", site.folder / LOG
    return site.start_manage("serve", "--bind", address, "--processes", "2", log=log)


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def wait_for(port: int) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("the server did not answer within two minutes")


def fill(*, items: int) -> dict:
    """Step: as many slots as will be answered; all people have the same password."""
    import numpy as np
    from django.contrib.auth.hashers import make_password

    from accounts.models import User
    from benchmarks.campaigns import make_claims, make_items, make_world

    world = make_world(slug="class", claims=items, people=PEOPLE, labels_wanted=WANTED)
    make_items(world, make_claims(world, items), np.zeros(items, dtype=int))
    User.objects.filter(pk__in=world.people).update(password=make_password(PASSWORD))
    return {"wave": world.wave.pk}


def label(*, port: int, wave: int, seconds: int) -> dict:
    """Step: everybody signs in, begins at the same moment, and goes on until all is labelled."""
    from annotation.models import Wave

    items = Wave.objects.get(pk=wave).items.count()
    crowd = Crowd(port, wave, slots=items * WANTED, seconds=seconds)
    took = crowd.run([f"class-{number:03d}" for number in range(PEOPLE)])
    answered = len(crowd.stored)
    return {
        "annotators": PEOPLE,
        "items": items,
        "answers": answered,
        "sent_twice": crowd.repeated,
        "seconds": rounded(took),
        "requests_per_second": rounded(crowd.requests / took),
        "answers_per_second": rounded(answered / took),
        "errors": len(crowd.errors),
        "first_errors": crowd.errors[:SHOWN],
        "time_ms": {name: spread(times) for name, times in sorted(crowd.times.items())},
        **checked(wave, crowd.stored),
    }


class Crowd:
    """What all people share: the way to the server, and what happened so far."""

    def __init__(self, port: int, wave: int, *, slots: int, seconds: int):
        self.port, self.wave, self.slots = port, wave, slots
        self.seconds, self.end = seconds, 0.0
        self.stored: list[str] = []
        self.errors: list[str] = []
        self.times: dict[str, list[float]] = defaultdict(list)
        self.repeated = 0
        self.start = threading.Barrier(PEOPLE, action=self.begin)

    def run(self, usernames: list[str]) -> float:
        """How long they worked, once all had signed in."""
        threads = [threading.Thread(target=self.one, args=(name,)) for name in usernames]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return perf_counter() - self.begun

    def begin(self):
        say("  all have signed in")
        self.begun = perf_counter()
        self.end = time.monotonic() + self.seconds

    def one(self, username: str):
        person = Annotator(self, username)
        try:
            person.sign_in()
        except Exception as error:
            self.failed(username, error)
        self.start.wait()
        while not self.is_over:
            try:
                person.work()
            except Exception as error:
                self.failed(username, error)
                time.sleep(PAUSE)

    @property
    def is_over(self) -> bool:
        return len(self.stored) >= self.slots or time.monotonic() > self.end

    @property
    def requests(self) -> int:
        """How many were answered once all had signed in."""
        return sum(len(times) for kind, times in self.times.items() if kind not in SIGNING_IN)

    def failed(self, username: str, error: Exception):
        self.errors.append(f"{username}: {type(error).__name__}: {error}")


class Annotator:
    """One person with a browser that knows cookies, forms and nothing else."""

    def __init__(self, crowd: Crowd, username: str):
        self.crowd, self.username = crowd, username
        self.cookies: dict[str, str] = {}
        self.chance = random.Random(username)

    def sign_in(self):
        self.get("/accounts/sign-in/", "sign-in page")
        fields = {"username": self.username, "password": PASSWORD}
        place, _page = self.post("/accounts/sign-in/", fields, "sign in")
        if place is None:
            raise RuntimeError("could not sign in")

    def work(self):
        """Ask for work and do it, and what follows from it, until there is none."""
        place, _page = self.post(f"/waves/{self.crowd.wave}/ask/T2/", {}, "ask")
        while place and place.startswith("/assignments/") and not self.crowd.is_over:
            place = self.answer(place, self.get(place, "claim page"))
        if not self.crowd.is_over:
            time.sleep(PAUSE)

    def answer(self, place: str, page: str) -> str | None:
        """Send an answer, now and then twice; where it leads."""
        fields = dict(FIELD.findall(page))
        fields |= {"label": self.chance.choice(VERDICTS), "action": "next"}
        if fields["label"] != "NOT ENOUGH INFO":
            fields["set-1"] = next(filter(None, TICK.search(page).groups()))
        went, drawn = self.post(place, fields, "submit")
        if went is None:  # it asks once about what should be thought over
            fields["asked"] = dict(FIELD.findall(drawn))["asked"]
            went, drawn = self.post(place, fields, "submit")
        if went is None:
            raise RuntimeError(f"{fields['label']} was not taken at {place}")
        self.crowd.stored.append(fields["submission"])
        if self.chance.random() < SENT_TWICE:
            self.crowd.repeated += 1
            went = self.post(place, fields, "submit again")[0] or went
        return went

    def get(self, path: str, kind: str) -> str:
        return self.request("GET", path, None, kind)[1]

    def post(self, path: str, fields: dict, kind: str) -> tuple[str | None, str]:
        token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
        return self.request("POST", path, urlencode(token | fields), kind)

    def request(self, method: str, path: str, body: str | None, kind: str):
        """Where the answer leads (None where it is a page), and the page."""
        started = perf_counter()
        connection = HTTPConnection("127.0.0.1", self.crowd.port, timeout=120)
        try:
            connection.request(method, path, body, self.headers(body))
            response = connection.getresponse()
            page = response.read().decode()
        except HTTPException as error:
            raise RuntimeError(f"{kind}: {error!r}") from error
        finally:
            connection.close()
        self.crowd.times[kind].append(perf_counter() - started)
        self.keep_cookies(response.headers.get_all("Set-Cookie") or [])
        if response.status not in (200, 302):
            raise RuntimeError(f"{kind}: status {response.status}")
        return response.getheader("Location"), page

    def headers(self, body: str | None) -> dict:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        return {"Cookie": cookies, "Connection": "close", **kind}

    def keep_cookies(self, lines: list[str]):
        for line in lines:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value


def checked(wave: int, stored: list[str]) -> dict:
    """What the database says about it, by plain counts and by the doctor's rules."""
    from django.db.models import Count, F

    from annotation.doctor import RULES
    from annotation.models import Annotation, WaveItem

    rows = Annotation.objects.live().filter(item__wave=wave)
    known = {str(key) for key in rows.values_list("submission", flat=True)}
    items = WaveItem.objects.filter(wave=wave).annotate(given=Count("assignments"))
    people = Counter(rows.values_list("item", "user"))
    return {
        "labels": len(known),
        "given_out_over_number": items.filter(given__gt=F("wanted")).count(),
        "labelled_twice_by_one": sum(times > 1 for times in people.values()),
        "lost_answers": len(set(stored) - known),
        "stored_unasked": len(known - set(stored)),
        "surplus": rows.filter(surplus=True).count(),
        "rows_that_break_a_rule": sum(1 for *_about, rule in RULES for _row in rule()),
    }


def budgets(figures: dict) -> list[tuple]:
    if "skipped" in figures:
        return []
    names = ("errors", "given_out_over_number", "labelled_twice_by_one", "lost_answers")
    rows = [(name.replace("_", " "), figures[name], "=", 0) for name in names]
    return [*rows, ("rows that break a rule", figures["rows_that_break_a_rule"], "=", 0)]
