"""Checking the single fields of a record; each raises a ValueError that says what to mend."""

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from corpus.markup import plain
from corpus.readers.files import too_large
from corpus.records import (
    MAX_FIELD,
    MAX_ID,
    MAX_LABEL,
    MAX_RANK,
    MAX_TITLE,
    MAX_URL,
    ReadOptions,
)
from corpus.texts import forbidden_characters, has_lone_surrogate, one_line

# the names that a field may have in a file, where no mapping says otherwise; the first one counts
NAMES = {
    "frontmatter": {
        "id": ("id", "path", "slug"),
        "published_at": ("published_at", "date"),
        "text": ("body",),
        "keywords": ("keywords", "topics", "tags"),
        "url": ("url", "source_url"),
    }
}
VERSIONED = re.compile(r"@\d+$")
LANGUAGE = re.compile(r"(?=.{2,10}$)[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}")
WEB = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
SEPARATORS = re.compile(r"[;,|]")
KIND_NAMES = {bool: "true or false", int: "a number", float: "a number", list: "a list"}


class Row(NamedTuple):
    """One record of a file: its line, and its fields under the file's own names."""

    line: int
    values: Mapping[str, object]


class Fields:
    """The fields of one row under our names, by the mapping of the import."""

    def __init__(self, values: Mapping[str, object], options: ReadOptions):
        self.values = values
        self.options = options

    def names(self, name: str) -> tuple[str, ...]:
        mapped = self.options.mapping.get(name)
        if mapped is not None:
            return (mapped,) if mapped else ()
        return NAMES.get(self.options.format, {}).get(name, (name,))

    def raw(self, name: str) -> object:
        """The value as it is in the file; None where there is none."""
        for theirs in self.names(name):
            if (value := self.values.get(theirs)) is not None:
                return value
        return None

    def has(self, name: str) -> bool:
        return any(theirs in self.values for theirs in self.names(name))

    def text(self, name: str) -> str:
        """The value as text; '' where there is none."""
        value = self.raw(name)
        if value is None:
            return ""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return checked_text(value, name)

    def missing(self, name: str) -> ValueError:
        wanted = " or ".join(map(repr, self.names(name))) or "nothing"
        present = ", ".join(sorted(map(str, self.values))[:20])[:300]
        return ValueError(
            f"there is no {name} (looked for {wanted}); the fields are {present}; "
            f"say which with the mapping {name}=..."
        )


def checked_text(value: object, name: str) -> str:
    """A value that must be text of a bearable size."""
    if not isinstance(value, str):
        kind = KIND_NAMES.get(type(value), "an object")
        raise ValueError(f"{name} is {kind}; write it as text in quotes")
    if too_large(value, MAX_FIELD):
        raise ValueError(f"{name} is larger than 10 MB; divide it")
    if has_lone_surrogate(value):
        raise ValueError(f"{name} holds half of a surrogate pair; repair its \\u escapes")
    return value


def external_id(fields: Fields, name: str = "id") -> str:
    """The id of an article: NFC, without blanks around it, fit to be cited for ever."""
    if not fields.has(name):
        raise fields.missing(name)
    return checked_id(fields.text(name), name)


def checked_id(text: str, name: str) -> str:
    identifier = unicodedata.normalize("NFC", text).strip()
    if not identifier:
        raise ValueError(f"{name} is empty; give every article an id")
    if len(identifier) > MAX_ID:
        raise ValueError(
            f"{name} has {len(identifier)} characters; an id has at most {MAX_ID} "
            f"({identifier[:40]!r}...)"
        )
    if "\n" in identifier or (bad := forbidden_characters(identifier)):
        found = "a line end" if "\n" in identifier else bad[0]
        raise ValueError(f"{name} holds {found}; remove it ({identifier!r})")
    if VERSIONED.search(identifier):
        raise ValueError(
            f"{name} {identifier!r} ends in @ and digits, which marks versions; change its end"
        )
    return identifier


def title(fields: Fields, *, marked_up: bool = True) -> str:
    stated = fields.text("title")
    text = one_line(plain(stated) if marked_up else stated)
    if len(text) > MAX_TITLE:
        raise ValueError(f"title has {len(text)} characters; it may have at most {MAX_TITLE}")
    return text


def rank(fields: Fields) -> int:
    value = fields.raw("rank")
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,10}\s*", value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_RANK:
        shown = repr(value)[:40]
        raise ValueError(f"rank is {shown}; use a whole number, 0 for the title, else from 1")
    return value


def url(fields: Fields) -> str:
    text = fields.text("url").strip()
    if text and (len(text) > MAX_URL or not WEB.fullmatch(text) or forbidden_characters(text)):
        raise ValueError(
            f"url is {text[:60]!r}; use an address that begins with http:// or https:// and has at "
            f"most {MAX_URL} characters, or leave the field out with the mapping url="
        )
    return text


def label(text: str, name: str) -> str:
    """A short name: a section or a keyword."""
    short = one_line(text)
    if len(short) > MAX_LABEL:
        raise ValueError(f"{name} has {len(short)} characters; it may have at most {MAX_LABEL}")
    return short


def keywords(fields: Fields) -> tuple[str, ...]:
    """A list of keywords, or one text that divides them by ; , or |; each once, in order."""
    value = fields.raw("keywords")
    if isinstance(value, list | tuple):
        words = [checked_text(word, "keywords") for word in value]
    else:
        words = SEPARATORS.split(fields.text("keywords"))
    labels = (label(word, "a keyword") for word in words)
    return tuple(dict.fromkeys(filter(None, labels)))


def language(fields: Fields) -> str:
    text = fields.text("language").strip()
    if text and not LANGUAGE.fullmatch(text):
        raise ValueError(f"language is {text[:40]!r}; use a code such as 'cs' or 'en-GB'")
    return text.replace("_", "-")
