"""Reads `.po` files as plain data; the standard library only reads the compiled ones."""

import ast
import re
from typing import NamedTuple

FIELD = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:".*"\n?)+)', re.MULTILINE)


class Entry(NamedTuple):
    context: str
    text: str
    plural: str
    translations: list[str]
    is_fuzzy: bool


def entries_of(path):
    """The entries of a catalogue, its header and what is obsolete left out."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [entry for block in blocks if (entry := entry_of(block)).text]


def entry_of(block):
    fields = {name: unquoted(lines) for name, lines in FIELD.findall(block)}
    return Entry(
        context=fields.get("msgctxt", ""),
        text=fields.get("msgid", ""),
        plural=fields.get("msgid_plural", ""),
        translations=[text for name, text in fields.items() if name.startswith("msgstr")],
        is_fuzzy=bool(re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE)),
    )


def unquoted(lines):
    return "".join(ast.literal_eval(line) for line in lines.splitlines())


def compiled(entries):
    """What gettext should read from the `.mo` file of these entries."""
    catalogue = {}
    for entry in entries:
        key = f"{entry.context}\x04{entry.text}" if entry.context else entry.text
        if entry.plural:
            catalogue |= {(key, form): text for form, text in enumerate(entry.translations)}
        else:
            catalogue[key] = entry.translations[0]
    return catalogue
