"""Remembering the ids of an import, to refuse those given twice, in memory that stays flat."""

import sqlite3
import unicodedata
from hashlib import blake2b

CACHE_KIB = 16_384


class SeenIds:
    """The ids met so far, in a private temporary file that the system deletes.

    is_cased: ids that differ by case or blanks alone are told apart.
    """

    def __init__(self, *, is_cased: bool = False):
        self.is_cased = is_cased
        self.database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self.database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute("PRAGMA synchronous = OFF")
        self.database.execute(
            "CREATE TABLE seen (folded TEXT PRIMARY KEY, id TEXT, file TEXT, line INTEGER)"
            " WITHOUT ROWID"
        )
        self.database.execute("BEGIN")

    def close(self):
        self.database.close()

    def add(self, identifier: str, file: str, line: int) -> None:
        """Note an id; raises ValueError where it, or one hard to tell from it, was met before."""
        folded = identifier if self.is_cased else folded_id(identifier)
        try:
            self.database.execute(
                "INSERT INTO seen VALUES (?, ?, ?, ?)", (folded, identifier, file, line)
            )
        except sqlite3.IntegrityError:
            first = self.database.execute(
                "SELECT id, file, line FROM seen WHERE folded = ?", (folded,)
            ).fetchone()
            raise ValueError(clash(identifier, *first)) from None


def folded_id(identifier: str) -> str:
    """What two ids share that differ by case, blanks or compatibility forms alone."""
    return "".join(unicodedata.normalize("NFKC", identifier).casefold().split())


def folded_hash(identifier: str) -> int:
    """A whole number of 64 bits that such ids share, and others only by a rare chance."""
    digest = blake2b(folded_id(identifier).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def clash(identifier: str, first: str, file: str, line: int) -> str:
    if identifier == first:
        return (
            f"the id {identifier!r} was given before, in line {line} of {file}; "
            "keep one, with all of its lines together"
        )
    return (
        f"the id {identifier!r} differs only by case or blanks from {first!r} "
        f"in line {line} of {file}; make them equal or distinct"
    )


def stored_clash(identifier: str, stored: str) -> str:
    return (
        f"the id {identifier!r} differs only by case or blanks from {stored!r}, "
        "which is stored already; make them equal or distinct"
    )
