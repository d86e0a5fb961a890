import json

import pytest
from django.core.management import call_command

from operations import doctor as doctor_module
from operations.models import Job

pytestmark = pytest.mark.django_db


def doctor(capsys, *arguments):
    """Exit status and what was printed."""
    try:
        call_command("doctor", *arguments)
    except SystemExit as end:
        return end.code, capsys.readouterr()
    return 0, capsys.readouterr()


def test_a_sound_database_passes(capsys):
    status, printed = doctor(capsys, "--json")

    report = json.loads(printed.out)
    assert status == 0
    assert report["ok"] is True
    assert report["broken"] == 0


def test_every_row_that_breaks_a_rule_is_listed(capsys):
    for key in ("one", "two"):
        Job.objects.create(kind="probe", key=key, attempts=9)

    status, printed = doctor(capsys, "--json")

    rows = [row for rule in json.loads(printed.out)["rules"] for row in rule["rows"]]
    assert status == 1
    assert [row.partition(" (")[2] for row in rows] == [
        "probe one) was tried 9 times",
        "probe two) was tried 9 times",
    ]


def test_without_json_the_rows_go_to_standard_error(capsys):
    Job.objects.create(kind="probe", key="one", attempts=9)

    status, printed = doctor(capsys)

    assert status == 1
    assert "(probe one) was tried 9 times" in printed.err
    assert printed.out.endswith("1 rows that break one.\n")


def test_rules_are_found_by_name(capsys, monkeypatch):
    rules = [("no sevens", "Seven is not allowed.", lambda: iter(["row 7"]))]
    monkeypatch.setattr(doctor_module, "RULES", rules)

    status, printed = doctor(capsys, "--json")

    assert status == 1
    assert "row 7" in printed.out
