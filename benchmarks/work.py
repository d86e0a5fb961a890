"""Work distribution: the next item and its submit, in a wave of n items and in one of 4n."""

import os
from contextlib import ExitStack

import numpy as np

from benchmarks.measuring import Timings, median, rounded, say, spread
from benchmarks.sites import Sites

SIZES = {"small": 5_000, "full": 100_000}
MORE, PEOPLE, WANTED = 4, 200, 4
PASSES, ROUNDS, WARM_UP = 4, 40, 5


def measure(sites: Sites, size: str) -> dict:
    figures = {"items": SIZES[size], "labels_per_item": 3}
    for kind in sites.kinds:
        figures[kind] = on_kind(sites, kind, SIZES[size])
    return figures


def on_kind(sites: Sites, kind: str, items: int) -> dict:
    """Both waves are filled first, then worked in by turns, so that load falls on both alike."""
    with ExitStack() as stack:
        both = {times: stack.enter_context(sites.site(kind)) for times in (1, MORE)}
        for times, site in both.items():
            say(f"work: {kind}, {items * times:,} items")
            site.step("work", "fill", items=items * times)
        passes = {times: [] for times in both}
        for turn in range(PASSES):
            for times, site in both.items():
                passes[times].append(site.step("work", "work", turn=turn))
    found = {times: together(parts) for times, parts in passes.items()}
    return {
        "n": found[1],
        "4n": found[MORE],
        "time_4n_to_n": rounded(found[MORE]["both_ms"]["median"] / found[1]["both_ms"]["median"]),
        "cpu_4n_to_n": rounded(found[MORE]["cpu_ms"]["median"] / found[1]["cpu_ms"]["median"]),
    }


def together(parts: list[dict]) -> dict:
    def all_of(name):
        return [value for part in parts for value in part[name]]

    both = [sum(pair) for pair in zip(all_of("ask"), all_of("submit"), strict=True)]
    return {
        "ask_ms": spread(all_of("ask")),
        "submit_ms": spread(all_of("submit")),
        "both_ms": spread(both),
        "cpu_ms": spread(all_of("cpu")),
        "queries_to_ask": counted(all_of("ask_queries")),
        "queries_to_submit": counted(all_of("submit_queries")),
    }


def counted(values: list[int]) -> dict:
    return {"median": int(median(values)), "least": min(values), "most": max(values)}


def fill(*, items: int) -> dict:
    """Step: half of the items have all four labels, half have two and want two more."""
    from benchmarks.campaigns import make_claims, make_items, make_world

    world = make_world(slug="bench", claims=items, people=PEOPLE, labels_wanted=WANTED)
    columns = make_claims(world, items)
    make_items(world, columns, np.where(np.arange(items) % 2, WANTED, WANTED // 2))
    return {"items": items}


def work(*, turn: int) -> dict:
    """Step: people ask and answer one after the other; each has hundreds of labels behind them."""
    from django.db import connection

    from annotation.models import Wave

    wave = Wave.objects.get(campaign__slug="bench")
    people = [row.user for row in wave.participations.select_related("user").order_by("pk")]
    queries = Queries()
    ask, submit, report = Timings(), Timings(), {"ask_queries": [], "submit_queries": []}
    with connection.execute_wrapper(queries):
        for number in range(WARM_UP + ROUNDS):
            person = people[(turn * (WARM_UP + ROUNDS) + number) % len(people)]
            one_round(person, wave, queries, ask, submit, report)
    cpu = [sum(pair) for pair in zip(ask.cpu, submit.cpu, strict=True)]
    values = {"ask": ask.wall, "submit": submit.wall, "cpu": cpu, **report}
    return {name: column[WARM_UP:] for name, column in values.items()}


def one_round(person, wave, queries: "Queries", ask: Timings, submit: Timings, report) -> None:
    from annotation.answering import submit_annotation
    from annotation.giving import ask_for_work
    from annotation.models import Assignment

    queries.count = 0
    given = ask.add(lambda: ask_for_work(user=person, wave=wave, task="T2"))
    report["ask_queries"].append(queries.count)
    # As a view does: the assignment comes with the next request.
    given = Assignment.objects.select_related(
        "wave__campaign__corpus", "revision", "item__instance__claim__source__article"
    ).get(pk=given.pk)
    answer = answer_to(given)
    queries.count = 0
    submit.add(lambda: submit_annotation(assignment=given, answer=answer))
    report["submit_queries"].append(queries.count)


def answer_to(assignment):
    """Supported by the source alone: every submit checks the whole scope for it."""
    from uuid import UUID

    from annotation.answering import Answer

    source = assignment.item.instance.claim.source_id
    submission = UUID(bytes=os.urandom(16))
    return Answer(label="SUPPORTS", submission=submission, evidence_sets=[[(source, "")]])


class Queries:
    """Counts the statements that go to the database."""

    def __init__(self):
        self.count = 0

    def __call__(self, execute, sql, params, many, context):
        self.count += 1
        return execute(sql, params, many, context)


def budgets(figures: dict) -> list[tuple]:
    rows = []
    for kind in ("sqlite", "postgresql"):
        if found := figures.get(kind):
            more = [
                found["4n"][name]["most"] - found["n"][name]["most"]
                for name in ("queries_to_ask", "queries_to_submit")
            ]
            rows += [
                (f"time at 4n to time at n, {kind}", found["time_4n_to_n"], "<", 1.5),
                (f"queries more at 4n than at n, {kind}", max(more), "<", 1),
            ]
    return rows
