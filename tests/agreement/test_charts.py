"""Where the parts of a chart stand."""

import re

import pytest

from agreement import charts
from agreement.over_time import ends_of_days


@pytest.mark.parametrize(
    ("kappa", "step"),
    [(None, None), (-1, 0), (-0.01, 0), (0, 1), (0.19, 1), (0.2, 2), (0.6, 4), (0.8, 5), (1, 5)],
)
def test_a_shade_stands_for_a_fifth_of_kappa(kappa, step):
    assert charts.heat_step(kappa) == step


def test_pairs_make_a_triangle_with_each_pair_once():
    values = {(0, 1): (0.5, 9, "ab"), (0, 2): (None, 9, "ac"), (1, 2): (0.9, 9, "bc")}

    drawn = charts.pair_map(["a", "b", "c"], values)

    assert [(cell.data, cell.step) for cell in drawn.cells] == [("ab", 3), ("ac", None), ("bc", 5)]
    assert [text.text for text in drawn.rows] == ["b", "c"]
    assert [text.text for text in drawn.columns] == ["a", "b"]
    assert len({(cell.x, cell.y) for cell in drawn.cells}) == 3


def test_a_kappa_of_few_claims_has_no_colour():
    (cell,) = charts.pair_map(["a", "b"], {(0, 1): (1.0, 4, "ab")}).cells

    assert cell.step is None


def test_everything_of_a_heat_map_is_inside_its_box():
    names = [f"person {place}" for place in range(8)]
    values = {(a, b): (0.5, 9, None) for a in range(8) for b in range(a + 1, 8)}

    drawn = charts.pair_map(names, values)

    assert all(cell.x >= 0 and cell.x + cell.width <= drawn.width for cell in drawn.cells)
    assert all(cell.y + cell.height <= drawn.height for cell in drawn.cells)


def test_bars_are_as_long_as_their_sizes():
    drawn = charts.bars([("one", 10, "10", None), ("two", 5, "5", None), ("none", 0, "0", None)])

    long, short, empty = (bar.width for bar in drawn.bars)
    assert long == pytest.approx(2 * short)
    assert 0 < empty < 1


def test_long_names_are_shortened_and_kept_whole_beside():
    (bar,) = charts.bars([("a very long name of somebody", 1, "1", None)]).bars

    assert bar.name.text == "a very long name of s…"
    assert bar.name.full == "a very long name of somebody"


def test_a_line_needs_two_points():
    assert charts.line_with_band([("1 May", 0.5, [0.4, 0.6]), ("2 May", None, None)]) is None


def test_the_band_holds_the_line():
    points = [("1 May", 0.5, [0.4, 0.6]), ("2 May", 0.7, [0.6, 0.75]), ("3 May", 0.6, None)]

    drawn = charts.line_with_band(points)

    assert re.fullmatch(r"M[\d.]+ [\d.]+( L[\d.]+ [\d.]+){2}", drawn.line)
    assert drawn.band.count("L") == 5
    assert drawn.band.endswith("Z")
    assert [tick.text for tick in drawn.ticks] == ["0.4", "0.6", "0.8"]
    assert all(drawn.top <= y <= drawn.bottom for _, y in drawn.dots)


def test_many_days_are_thinned_and_both_ends_stay():
    days = [f"2024-{month:02}-{day:02}" for month in (1, 2, 3) for day in range(1, 29)]

    ends = ends_of_days(days, most=10)

    assert len(ends) == 10
    assert ends[0] == ("2024-01-01", 1)
    assert ends[-1] == ("2024-03-28", len(days))


def test_a_day_ends_with_its_last_row():
    assert ends_of_days(["a", "a", "b"]) == [("a", 2), ("b", 3)]
