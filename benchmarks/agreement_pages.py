"""Pages and API of agreement over many labels, beside those of a campaign without any: steps.

The figures are stored by the job first, whose time and memory are told too. Both campaigns have
as many people; their pages are read by turns, in one process.
"""

from dataclasses import asdict

import numpy as np
from django.db import connection
from django.test import Client
from django.urls import reverse

from agreement import snapshots
from agreement.cue_figures import CueSettings
from agreement.figures import AgreementSettings, Scope
from agreement.jobs import figures_job
from agreement.snapshots import KIND
from annotation.models import Campaign
from benchmarks.campaigns import make_claims, make_items, make_world
from benchmarks.measuring import Timings, median, peak_mb, rounded, say, spread
from benchmarks.work import Queries

PEOPLE, EACH, ROUNDS = 200, 3, 15
FULL, EMPTY = "full", "empty"
SETTINGS = {KIND.AGREEMENT: AgreementSettings(), KIND.CUES: CueSettings()}


def fill(*, slug: str, claims: int) -> dict:
    """Step: so many claims with three labels each, or none."""
    world = make_world(slug=slug, claims=claims, people=PEOPLE, labels_wanted=EACH)
    if claims:
        make_items(world, make_claims(world, claims), np.full(claims, EACH))
    return {}


def job(*, slug: str, kind: str) -> dict:
    """Step: the job that stores figures, from the first row read to the last one written."""
    before, timings = peak_mb(), Timings()
    campaign = Campaign.objects.get(slug=slug)
    settings = asdict(SETTINGS[kind])
    timings.add(
        lambda: figures_job(
            lambda *_: None, kind=kind, campaign=campaign.pk, wave=None, settings=settings
        )
    )
    return {
        "wall_s": rounded(timings.wall[0]),
        "cpu_s": rounded(timings.cpu[0]),
        "process_before_mb": before,
        "peak_mb": peak_mb(),
    }


def pages() -> dict:
    """Step: each page of both campaigns, by turns; the first time of each does not count."""
    addresses = {slug: addresses_of(slug) for slug in (FULL, EMPTY)}
    clients = {slug: signed_in(slug) for slug in addresses}
    found = {name: beside(name, addresses, clients) for name in addresses[FULL]}
    sweep = Timings()
    sweep.add(lambda: snapshots.data_version(Campaign.objects.get(slug=FULL)))
    return {"pages": found, "data_version_ms": rounded(sweep.wall[0] * 1000)}


def addresses_of(slug: str) -> dict[str, str]:
    pair = largest_pair(slug)

    def page(name, *arguments, **query):
        return reverse(f"agreement:{name}", args=[slug, *arguments], query=query)

    return {
        "dashboard": page("dashboard"),
        "hardest": page("table-csv", "hardest"),
        "conflicts": page("conflicts"),
        "conflicts, page 100": page("conflicts", page=100),
        "conflicts of a pair": page("conflicts", **pair),
        "cues": page("cues"),
        "api agreement": f"/api/v1/campaigns/{slug}/agreement/",
        "api cues": f"/api/v1/campaigns/{slug}/cues/",
    }


def largest_pair(slug: str) -> dict[str, str]:
    """The pair with most claims in common."""
    scope = Scope(Campaign.objects.get(slug=slug))
    figures = snapshots.stored(KIND.AGREEMENT, scope, SETTINGS[KIND.AGREEMENT]).figures
    pairs = figures["cohen"]["pairs"]
    first, second = max(pairs, key=lambda pair: pair["n"])["annotators"] if pairs else ("a", "b")
    return {"first": first, "second": second}


def beside(name: str, addresses: dict, clients: dict) -> dict:
    times, report = {slug: Timings() for slug in addresses}, {}
    for number in range(ROUNDS + 1):
        for slug, timings in times.items():
            report[slug] = read(clients[slug], addresses[slug][name], timings)
            if not number:
                times[slug] = Timings()
    for slug, timings in times.items():
        report[slug] |= {"wall_ms": spread(timings.wall), "cpu_ms": spread(timings.cpu)}
    say(f"  {name}: {report[FULL]['cpu_ms']['median']} ms, {report[EMPTY]['cpu_ms']['median']} ms")
    full, empty = (times[slug] for slug in (FULL, EMPTY))
    return report | {
        "time_full_to_empty": rounded(median(full.wall) / median(empty.wall)),
        "cpu_full_to_empty": rounded(median(full.cpu) / median(empty.cpu)),
    }


def signed_in(slug: str) -> Client:
    """The manager of a campaign."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(Campaign.objects.get(slug=slug).memberships.get(role="manager").user)
    return client


def read(client: Client, address: str, timings: Timings) -> dict:
    queries = Queries()
    with connection.execute_wrapper(queries):
        response = timings.add(lambda: client.get(address))
    if response.status_code != 200:
        raise RuntimeError(f"{address} answers with {response.status_code}")
    return {"queries": queries.count, "kb": round(len(response.content) / 1024, 1)}
