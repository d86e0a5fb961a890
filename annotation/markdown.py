"""Markdown to safe HTML, and what differs between two texts. Pure: no Django."""

import difflib
import re
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

# Pictures are left out (they would load from elsewhere), raw HTML is shown as it was typed.
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
TAGS = {"h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "strong", "em", "code", "pre"}
TAGS |= {"blockquote", "hr", "br", "a", "table", "thead", "tbody", "tr", "th", "td"}
CONTEXT = 2


@lru_cache(maxsize=32)  # a whole class works by the same few texts, on every page
def to_html(text: str) -> str:
    """HTML of Markdown `text`: only the elements in TAGS, links only over http, https, mailto.

    Headings start at h2, since a page has its own h1.
    """
    tokens = PARSER.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    return drawn(tokens)


def drawn(tokens: list[Token], more: dict[str, set[str]] | None = None) -> str:
    """HTML of parsed Markdown: the elements in TAGS and links, and what is allowed beside them.

    more: further attributes by element; an element that is not in TAGS is allowed by that.
    """
    attributes = {"a": {"href"}, **(more or {})}
    return nh3.clean(
        PARSER.renderer.render(tokens, PARSER.options, {}),
        tags=TAGS | set(attributes),
        attributes=attributes,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )


def section_of(text: str, task: str) -> str:
    """The part of `text` below the first level-1 heading that names `task`; all where none does."""
    parts = re.split(r"^(?=# )", text, flags=re.MULTILINE)
    named = (part for part in parts if re.match(rf"# .*\b{re.escape(task)}\b", part))
    return next(named, text)


def differences(old: str, new: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What changed from `old` to `new`, line by line, with a little of what stands around it.

    Each row is (kind, parts): kind "same", "changed", "added", "removed" or "gap" (lines left
    out), and parts are (kind, text) with kind "same", "added" or "removed". Empty where nothing
    changed.
    """
    before, after = ([line for line in t.splitlines() if line.strip()] for t in (old, new))
    groups = difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(
        CONTEXT
    )
    rows: list[tuple[str, list[tuple[str, str]]]] = []
    for group in groups:
        rows += [("gap", [])] * bool(rows or group[0][1])
        for opcode in group:
            rows += changed_rows(before, after, opcode)
    return rows


def changed_rows(before, after, opcode):
    kind, i1, i2, j1, j2 = opcode
    if kind == "equal":
        return [("same", [("same", line)]) for line in after[j1:j2]]
    if kind == "replace" and i2 - i1 == j2 - j1:
        pairs = zip(before[i1:i2], after[j1:j2], strict=True)
        return [("changed", changed_words(old, new)) for old, new in pairs]
    removed = [("removed", [("removed", line)]) for line in before[i1:i2]]
    return removed + [("added", [("added", line)]) for line in after[j1:j2]]


def changed_words(old, new):
    """The parts of two versions of one line: what both have, what went, what came."""
    before, after = (re.findall(r"\S+\s*", line) for line in (old, new))
    parts = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            parts.append(("same", "".join(after[j1:j2])))
            continue
        if i2 > i1:
            parts.append(("removed", "".join(before[i1:i2])))
        if j2 > j1:
            parts.append(("added", "".join(after[j1:j2])))
    return parts
