"""Numbers with their nouns, in lines that commands print. Pure: no Django."""


def some(n: int, one: str, many: str = "") -> str:
    """1 claim, 2 claims, 1 person, 2 people; by default the plural has an s more."""
    return f"{n} {one if n == 1 else many or one + 's'}"
