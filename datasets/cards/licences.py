"""Under which licences a release is: its labels under one, texts of a corpus under another."""

UNKNOWN = "unknown"
LABELS, TEXTS = "labels", "texts"  # what files hold


def licences_of(contents: dict) -> list[str]:
    """That of claims and labels, and that of the texts where a file has any; each once."""
    held = {kind for file in with_lines(contents) for kind in held_by(file)} | {LABELS}
    return named(contents, held)


def licences_of_file(contents: dict, file: dict) -> list[str]:
    return named(contents, set(held_by(file)))


def held_by(file: dict) -> list[str]:
    """What a file holds; releases of earlier versions do not say it."""
    return file.get("holds", [LABELS])


def named(contents: dict, held: set[str]) -> list[str]:
    kinds = [kind for kind in (LABELS, TEXTS) if kind in held]
    return list(dict.fromkeys(contents["licences"][kind] or UNKNOWN for kind in kinds))


def with_texts(contents: dict) -> list[str]:
    """The files that carry texts of the corpus, by name."""
    return [file["name"] for file in with_lines(contents) if TEXTS in held_by(file)]


def with_lines(contents: dict) -> list[dict]:
    return [file for file in contents["files"] if file["lines"]]
