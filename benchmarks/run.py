"""`make bench`: measure each subject and print one JSON object; progress is on standard error.

    python -m benchmarks.run [--full] [--only NAME ...]

Times are never asserted: they are there to be read, and ratios within one run more than times.
"""

import argparse
import json
import os
import platform
import signal
import sys
from datetime import UTC, datetime
from importlib import import_module
from time import perf_counter

from benchmarks.measuring import rounded, say
from benchmarks.sites import Sites

SUBJECTS = ("agreement", "retrieval", "imports", "work", "exports", "crowd", "scoring")
KEEPS = {
    "<": lambda measured, budget: measured < budget,
    ">=": lambda measured, budget: measured >= budget,
    "=": lambda measured, budget: measured == budget,
}


def main() -> int:
    options = parsed()
    size = "full" if options.full else "small"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that scratch databases go
    report = {"machine": machine(), "size": size, "subjects": {}, "budgets": [], "failed": {}}
    with Sites() as sites:
        report["machine"]["databases"] = sites.kinds
        for name in SUBJECTS:
            if not options.only or name in options.only:
                add_subject(report, name, sites, size)
    print(json.dumps(report, indent=1))
    return 1 if report["failed"] else 0


def parsed():
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true", help="the sizes of the budgets")
    parser.add_argument("--only", action="append", choices=SUBJECTS, metavar="NAME")
    return parser.parse_args()


def machine() -> dict:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "load": load(),
    }


def load() -> list[float]:
    return [round(value, 1) for value in os.getloadavg()]


def add_subject(report: dict, name: str, sites: Sites, size: str) -> None:
    """Measure one subject; what goes wrong in it does not take the others along."""
    subject = import_module(f"benchmarks.{name}")
    started, before = perf_counter(), load()
    try:
        figures = subject.measure(sites, size)
    except Exception as error:
        report["failed"][name] = f"{type(error).__name__}: {error}"
        say(f"{name} failed: {error}")
        return
    took = {
        "load_before": before,
        "load_after": load(),
        "took_s": rounded(perf_counter() - started),
    }
    report["subjects"][name] = figures | took
    report["budgets"] += [judged(name, *row) for row in subject.budgets(figures)]


def judged(name: str, what: str, measured: float, sign: str, budget: float) -> dict:
    kept = KEEPS[sign](measured, budget)
    return {
        "subject": name,
        "what": what,
        "measured": measured,
        "budget": f"{sign} {budget}",
        "kept": kept,
    }


if __name__ == "__main__":
    sys.exit(main())
