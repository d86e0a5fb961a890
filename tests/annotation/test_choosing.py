"""The arithmetic of work distribution."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from annotation import choosing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
S, R, N = ("SUPPORTS", False), ("REFUTES", False), ("NOT ENOUGH INFO", False)
UNSURE = ("SUPPORTS", True)


def test_keys_are_stable_for_ever():
    assert choosing.random_key(7, 12) == pytest.approx(0.57050, abs=1e-5)
    assert choosing.random_key(7, 12) == choosing.random_key(7, 12)
    assert choosing.random_key(7, 12) != choosing.random_key(8, 12)


def test_keys_are_spread_evenly():
    keys = [choosing.random_key(0, number) for number in range(4000)]

    tenths = [sum(int(key * 10) == tenth for key in keys) for tenth in range(10)]

    assert min(tenths) > 320
    assert max(tenths) < 480


def test_a_pivot_depends_on_person_seed_and_count():
    pivots = {
        choosing.pivot(person=person, seed=seed, given=given)
        for person in [1, 2]
        for seed in [0, 1]
        for given in [0, 1]
    }

    assert len(pivots) == 8
    assert all(0 <= pivot < 1 for pivot in pivots)


@pytest.mark.parametrize(("task", "minutes"), [("T0", 15), ("T1a", 60), ("T1b", 60), ("T2", 30)])
def test_lease_lengths(task, minutes):
    end = choosing.lease_end(task=task, now=NOW, given_at=NOW)

    assert end - NOW == timedelta(minutes=minutes)


def test_a_lease_ends_four_hours_after_it_was_given():
    given = NOW - timedelta(hours=3, minutes=50)

    assert choosing.lease_end(task="T2", now=NOW, given_at=given) == NOW + timedelta(minutes=10)


@pytest.mark.parametrize(
    ("plan", "exact", "extra", "planned"),
    [
        ("two_and_third", 7, 0, 2),
        ("exact", 7, 0, 7),
        ("two_and_three", 7, 0, 2),
        ("two_and_third", 2, 3, 5),
    ],
)
def test_planned_labels(plan, exact, extra, planned):
    assert choosing.planned_labels(plan=plan, exact=exact, extra=extra) == planned


@pytest.mark.parametrize(
    ("plan", "labels", "taken", "wanted"),
    [
        ("two_and_third", [], 0, 2),
        ("two_and_third", [S], 2, 2),
        ("two_and_third", [S, S], 2, 2),
        ("two_and_third", [S, UNSURE], 2, 2),
        ("two_and_third", [S, R], 2, 3),
        ("two_and_third", [S, R, N], 3, 3),
        ("two_and_third", [S, S], 3, 3),
        ("two_and_three", [N, N], 2, 2),
        ("two_and_three", [N], 1, 2),
        ("two_and_three", [S, S], 2, 5),
        ("two_and_three", [N, R], 2, 5),
        ("two_and_three", [N, ("NOT ENOUGH INFO", True)], 2, 5),
        ("exact", [S, R], 2, 2),
    ],
)
def test_wanted_labels(plan, labels, taken, wanted):
    found = choosing.wanted_labels(plan=plan, planned=2, labels=labels, taken=taken)

    assert found == wanted


@pytest.mark.parametrize(
    ("known", "state"),
    [
        ({"labels": [], "wanted": 2}, "open"),
        ({"labels": [S], "wanted": 2}, "open"),
        ({"labels": [S, S], "wanted": 2}, "complete"),
        ({"labels": [S, R], "wanted": 3}, "open"),
        ({"labels": [S, R, S], "wanted": 3}, "conflicted"),
        ({"labels": [S, S], "wanted": 2, "held": True}, "held"),
        ({"labels": [S, R], "wanted": 3, "adjudicated": True, "held": True}, "adjudicated"),
        ({"labels": [S, S], "wanted": 2, "withdrawn": True, "adjudicated": True}, "withdrawn"),
        ({"labels": [], "wanted": 0}, "open"),
    ],
)
def test_item_states(known, state):
    assert choosing.item_state(**known) == state


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        ([], "open"),
        (["complete", "open"], "open"),
        (["complete", "held"], "open"),
        (["complete", "conflicted"], "conflicted"),
        (["complete", "complete"], "complete"),
        (["conflicted", "adjudicated"], "adjudicated"),
        (["adjudicated", "withdrawn"], "withdrawn"),
    ],
)
def test_instance_outcomes(states, outcome):
    assert choosing.instance_outcome(states) == outcome


def test_the_extra_share_is_about_its_share():
    chosen = [choosing.gets_extra_labels(share=0.1, seed=3, number=n) for n in range(5000)]

    assert 400 < sum(chosen) < 600


@pytest.mark.parametrize(("share", "expected"), [(0, False), (1, True)])
def test_the_extra_share_at_its_ends(share, expected):
    assert choosing.gets_extra_labels(share=share, seed=0, number=1) is expected


@pytest.mark.parametrize(
    ("quota", "factor", "expected"), [(0, "1", None), (10, "1", 10), (5, "0.5", 3), (5, "0", 0)]
)
def test_quotas(quota, factor, expected):
    assert choosing.quota_of(quota=quota, factor=Decimal(factor)) == expected


def test_a_day_begins_in_the_campaigns_zone():
    start = choosing.start_of_day(
        now=datetime(2026, 3, 1, 23, 30, tzinfo=UTC), zone="Europe/Prague"
    )

    assert start == datetime(2026, 3, 1, 23, 0, tzinfo=UTC)
