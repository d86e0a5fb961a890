"""How files are read, as an import keeps it."""

from dataclasses import asdict

from corpus.records import ReadOptions

NOT_KEPT = ("units", "now")  # how fast and when a file is read, not what it means


def as_stored(options: ReadOptions) -> dict:
    """The options as JSON."""
    kept = {name: value for name, value in asdict(options).items() if name not in NOT_KEPT}
    return {**kept, "header": list(options.header), "mapping": dict(options.mapping)}


def from_stored(values: dict) -> ReadOptions:
    return ReadOptions(**{**values, "header": tuple(values.get("header", ()))})
