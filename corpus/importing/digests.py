"""Remembering the texts of an import by their digests, in memory that stays flat."""

import sqlite3

CACHE_KIB = 16_384


class SeenDigests:
    """The digests met so far, in a private temporary file that the system deletes."""

    def __init__(self):
        self.database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self.database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")
        self.database.execute("BEGIN")

    def close(self):
        self.database.close()

    def is_known(self, digest: str) -> bool:
        """Whether the digest was met before; it is from now on."""
        insert = "INSERT OR IGNORE INTO seen VALUES (?)"
        return self.database.execute(insert, (bytes.fromhex(digest),)).rowcount == 0
