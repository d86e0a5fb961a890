"""People at work in one process of a race: each in two tabs, each tab a thread.

Run with a JSON object as its argument: wave, people (ids), seed. Prints one JSON object: the
forms that were stored, the assignments whose lease was let run out, and what went wrong.
"""

import json
import os
import random
import sys
import threading
import time
from datetime import timedelta
from uuid import uuid4

import django

TABS = 2
SECONDS = 240
LET_RUN_OUT = 0.25
SENT_TWICE = 0.25


def main(plan):
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    report = {"stored": [], "ran_out": [], "errors": []}
    tabs = [
        threading.Thread(target=guarded, args=(plan["wave"], person, f"{seed}-{person}", report))
        for person in plan["people"]
        for seed in range(TABS)
    ]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    print(json.dumps(report))


def guarded(wave_id, person_id, seed, report):
    from django.db import connection

    try:
        work(wave_id, person_id, random.Random(seed), report)
    except Exception as error:
        report["errors"].append(f"{type(error).__name__}: {error}")
    finally:
        connection.close()


def work(wave_id, person_id, chance, report):
    """Ask, answer, ask again, until there is nothing left for this person."""
    from accounts.models import User
    from annotation.giving import ask_for_work
    from annotation.models import Task, Wave
    from annotation.no_work import NoWork

    wave, person = Wave.objects.get(pk=wave_id), User.objects.get(pk=person_id)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            assignment = ask_for_work(user=person, wave=wave, task=Task.T2)
        except NoWork as none:
            if none.reason == "done":
                return
            time.sleep(0.05)
            continue
        if chance.random() < LET_RUN_OUT:
            let_run_out(assignment, report)
            time.sleep(chance.random() / 10)
        answer_it(assignment, chance, report)
    report["errors"].append(f"person {person_id} was not done in {SECONDS} seconds")


def let_run_out(assignment, report):
    from django.utils import timezone

    from annotation.models import Assignment

    report["ran_out"].append(assignment.pk)
    past = timezone.now() - timedelta(minutes=1)
    Assignment.objects.filter(pk=assignment.pk).update(leased_until=past)


def answer_it(assignment, chance, report):
    """Send an answer, now and then twice; the other tab may have been faster."""
    from annotation.answering import AnsweredElsewhere, submit_annotation
    from tests.factories import answer_of

    label = chance.choice(["SUPPORTS", "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"])
    answer = answer_of(assignment, label, submission=uuid4())
    for _ in range(2 if chance.random() < SENT_TWICE else 1):
        try:
            submit_annotation(assignment=assignment, answer=answer)
        except AnsweredElsewhere:
            return
        report["stored"].append(str(answer.submission))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
