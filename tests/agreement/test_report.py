"""All figures of one table together: their keys, and why one has no value."""

import json

import pytest

from tests.agreement.by_hand import ROWS, report_on


def test_the_report_has_every_key_with_values_by_hand():
    report = report_on(ROWS)

    assert report["alpha"]["value"] == pytest.approx(4 / 9)
    assert report["labels"] == {"A": 3, "B": 3}
    assert report["labels_per_unit"] == {2: 3}
    assert report["cohen"]["mean"] == pytest.approx(0.4)
    assert report["majority"] == {"n_ties": 1}
    assert report["undefined"] == {"leave_one_out.p": "no_pairs", "leave_one_out.q": "no_pairs"}
    assert report["policies"]["duplicates"] == "last"
    assert {"n_units", "n_units_pairable", "n_annotators", "n_annotations", "n_duplicates_dropped",
            "alpha_per_label", "fleiss", "percent", "ac1"} <= report.keys()  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no_data"),
        ([("u", "p", "A")], "no_pairs"),
        ([("u", "p", "A"), ("u", "q", "A")], "no_variation"),
    ],
)
def test_the_report_says_why_a_figure_has_no_value(rows, reason):
    report = report_on(rows)

    assert report["alpha"]["value"] is report["alpha"]["ci"] is report["ac1"] is None
    assert report["undefined"]["alpha"] == report["undefined"]["ac1"] == reason
    assert "NaN" not in json.dumps(report)


@pytest.mark.parametrize("missing", [None, "", float("nan")])
def test_an_empty_label_is_missing_and_counted(missing):
    report = report_on([*ROWS, ("u1", "r", missing), ("u7", "r", missing)])

    assert report["n_missing"] == 2
    assert report["n_units"] == 3
    assert report["n_annotators"] == 2


def test_the_report_is_the_same_for_integers_and_names_and_on_a_second_run():
    rows = [
        (unit, annotator, (unit * annotator) % 3) for unit in range(30) for annotator in (1, 2, 4)
    ]
    named = [(f"u{unit:02}", f"a{annotator}", str(label)) for unit, annotator, label in rows]

    numbers, names = report_on(rows), report_on(named)

    assert numbers["alpha"] == names["alpha"] == report_on(rows)["alpha"]
    assert list(numbers["leave_one_out"].values()) == list(names["leave_one_out"].values())


def test_a_level_that_needs_numbers_says_so():
    with pytest.raises(ValueError, match="level is 'interval', which needs numbers"):
        report_on(ROWS, level="interval")


def test_labels_that_spell_numbers_are_put_in_order_for_other_levels():
    rows = [("u1", "p", "10"), ("u1", "q", "10"), ("u2", "p", "9"), ("u2", "q", "8"),
            ("u3", "p", "8"), ("u3", "q", "8")]  # fmt: skip
    numbers = [(unit, annotator, int(label)) for unit, annotator, label in rows]

    for level in ("ordinal", "interval", "ratio"):
        assert report_on(rows, level=level)["alpha"] == report_on(numbers, level=level)["alpha"]


def test_the_report_takes_clusters_by_row():
    report = report_on(ROWS, clusters=["x", "x", "x", "x", "y", "y"])

    assert "resamples of clusters" in report["alpha"]["method"]
