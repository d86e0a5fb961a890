"""When a figure has no value, and why."""

REASONS = {
    "no_data": "there are no labels",
    "no_pairs": "no instance has labels of two annotators",
    "no_variation": "the annotations use a single label",
}


class Undefined(ValueError):
    """A figure that has no value; `reason` is no_data, no_pairs or no_variation."""

    def __init__(self, measure: str, reason: str):
        super().__init__(f"{measure} is undefined: {REASONS[reason]}")
        self.reason = reason


def figure(measure, *args, **options) -> dict:
    """What `measure` returns for its arguments, as {value, undefined}: one of them is None."""
    try:
        return {"value": measure(*args, **options), "undefined": None}
    except Undefined as error:
        return {"value": None, "undefined": error.reason}
