"""Where the parts of a chart stand: numbers for the templates to draw. Pure: no Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

STEPS = 6
CHARACTER = 6.6  # the mean width of a letter at 12 px
MOST_LETTERS = 22
FEW = 5  # a kappa of fewer units gets no colour: it would say more than it knows


@dataclass(frozen=True)
class Text:
    """A label at (x, y); `full` is what was shortened to `text`."""

    x: float
    y: float
    text: str
    full: str = ""
    anchor: str = "text-end"

    @property
    def line(self):
        """The height of the line that the text names."""
        return self.y - 4


@dataclass(frozen=True)
class Cell:
    """A square of a heat map. step: 0 to 5, None where it has no value; data: what it is of."""

    x: float
    y: float
    width: float
    height: float
    step: int | None
    value: float | None
    n: int
    data: object = None

    @property
    def middle(self):
        return self.x + self.width / 2

    @property
    def line_1(self):
        return self.y + self.height / 2 - 1

    @property
    def line_2(self):
        return self.y + self.height / 2 + 13


@dataclass(frozen=True)
class HeatMap:
    width: float
    height: float
    cells: list[Cell]
    rows: list[Text]
    columns: list[Text]


def heat_step(value: float | None) -> int | None:
    """The shade of a kappa: 0 below chance, then one for each .2, 5 for .8 and more."""
    if value is None:
        return None
    return 0 if value < 0 else min(STEPS - 1, 1 + int(value * 5 + 1e-9))


def shortened(text: str, most: int = MOST_LETTERS) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def pair_map(
    names: Sequence[str],
    values: Mapping[tuple[int, int], tuple[float | None, int, object]],
    *,
    cell: tuple[float, float] = (52, 42),
) -> HeatMap:
    """A triangle of all pairs of `names`: each name but the first a row, but the last a column.

    values: {(earlier, later): (kappa, n, data)}; pairs that are not in it stay empty.
    """
    width, height = cell
    left = 18 + CHARACTER * max((len(shortened(name)) for name in names), default=0)
    bottom = 8 + (height * (len(names) - 1))
    cells = []
    for row in range(1, len(names)):
        for column in range(row):
            if (column, row) in values:
                value, n, data = values[column, row]
                place = left + column * width, (row - 1) * height + 4
                step = heat_step(value) if n >= FEW else None
                cells.append(Cell(*place, width, height, step, value, n, data))
    return HeatMap(
        width=left + width * (len(names) - 1) + 30,
        height=bottom + 14 + 0.6 * left,
        cells=cells,
        rows=[
            Text(left - 8, (place + 0.5) * height + 8, shortened(name), name)
            for place, name in enumerate(names[1:])
        ],
        columns=[
            Text(left + (place + 0.5) * width, bottom + 14, shortened(name), name)
            for place, name in enumerate(names[:-1])
        ],
    )


@dataclass(frozen=True)
class Bar:
    """One bar of a chart of horizontal bars: its box, its name and what it says."""

    x: float
    y: float
    width: float
    height: float
    name: Text
    value: Text
    data: object = None


@dataclass(frozen=True)
class Bars:
    width: float
    height: float
    bars: list[Bar]
    axis: tuple[float, float, float] = (0, 0, 0)


def bars(
    rows: Sequence[tuple[str, float, str, object]],
    *,
    width: float = 380,
    row_height: float = 30,
    longest: float | None = None,
) -> Bars:
    """Horizontal bars of (name, size, what it says, data), from the top.

    longest: the size that fills the width; by default the largest one.
    """
    left = 12 + CHARACTER * max((len(shortened(row[0])) for row in rows), default=0)
    right = 12 + CHARACTER * max((len(row[2]) for row in rows), default=0)
    top = longest or max((row[1] for row in rows), default=0) or 1
    drawn = []
    for place, (name, size, says, data) in enumerate(rows):
        y, length = place * row_height, (width - left - right) * size / top
        middle = y + row_height / 2 + 4
        drawn.append(
            Bar(
                left,
                y + 4,
                max(length, 0.5),
                row_height - 8,
                Text(left - 8, middle, shortened(name), name),
                Text(left + length + 6, middle, says),
                data,
            )
        )
    height = row_height * len(rows)
    return Bars(width, height, drawn, (left, 0, height))


@dataclass(frozen=True)
class Line:
    """A line with its band over evenly spaced points: SVG path data and where texts stand."""

    width: float
    height: float
    line: str
    band: str
    dots: list[tuple[float, float]]
    ticks: list[Text]
    days: list[Text]
    left: float
    right: float
    bottom: float
    top: float = field(default=10)


TICKS = (-1.0, -0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def line_with_band(
    points: Sequence[tuple[str, float | None, Sequence[float] | None]],
    *,
    width: float = 400,
    height: float = 220,
) -> Line | None:
    """A curve of (name, value, interval); points without a value are left out.

    None where fewer than two points have a value: there is no line to draw.
    """
    known = [point for point in points if point[1] is not None]
    if len(known) < 2:
        return None
    left, right, top, bottom = 44.0, width - 16, 10.0, height - 30
    low, high = bounds(known)

    def y_of(value):
        return round(bottom - (value - low) / (high - low) * (bottom - top), 1)

    step = (right - left) / (len(known) - 1)
    xs = [round(left + place * step, 1) for place in range(len(known))]
    lows = [y_of(point[2][0] if point[2] else point[1]) for point in known]
    highs = [y_of(point[2][1] if point[2] else point[1]) for point in known]
    dots = [(x, y_of(point[1])) for x, point in zip(xs, known, strict=True)]
    return Line(
        width,
        height,
        line=path(dots),
        band=path([*zip(xs, highs, strict=True), *reversed([*zip(xs, lows, strict=True)])]) + "Z",
        dots=dots,
        ticks=[
            Text(left - 8, y_of(tick) + 4, f"{tick:.1f}") for tick in TICKS if low <= tick <= high
        ],
        days=[
            Text(xs[place], bottom + 20, known[place][0], anchor=anchor_of(place, len(known)))
            for place in spread(len(known), 4)
        ],
        left=left,
        right=right,
        bottom=bottom,
        top=top,
    )


def bounds(points) -> tuple[float, float]:
    """The lowest and the highest tick that hold all values and intervals."""
    values = [value for _, point, ci in points for value in (point, *(ci or ()))]
    low = max((tick for tick in TICKS if tick <= min(values)), default=TICKS[0])
    high = min((tick for tick in TICKS if tick >= max(values)), default=TICKS[-1])
    return (low, high) if low < high else (low - 0.2, high + 0.2)


def path(points) -> str:
    """SVG path data through the points."""
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in points)


def anchor_of(place: int, n: int) -> str:
    """How a name stands under its point, so that the outer ones stay inside the chart."""
    return "text-start" if place == 0 else "text-end" if place == n - 1 else "text-middle"


def spread(n: int, most: int) -> list[int]:
    """At most `most` places among 0 to n - 1, evenly spread, with both ends."""
    if n <= most:
        return list(range(n))
    return sorted({round(place * (n - 1) / (most - 1)) for place in range(most)})
