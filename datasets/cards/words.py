"""Numbers as a card writes them."""


def number(value: float | None) -> str:
    """A count with commas between thousands; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) or value.is_integer() else f"{value:,.1f}"


def decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(ci: list[float] | None) -> str:
    return f"{ci[0]:.3f} to {ci[1]:.3f}" if ci else "–"


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
