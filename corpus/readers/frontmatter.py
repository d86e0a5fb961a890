"""Records with a Markdown `body` and a `date`, one JSON object a line, as site builders keep them.

The names that are looked for stand in fields.NAMES; the body is reduced by articles.BLOCKS.
"""

from corpus.readers.jsonl import read_rows

__all__ = ["read_rows"]
