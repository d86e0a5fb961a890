"""The guides in docs/ as help pages: their links lead to each other, wide tables scroll. Pure."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it.token import Token

from annotation.markdown import PARSER, drawn

DOCS = Path(__file__).resolve().parent.parent / "docs"
ELSEWHERE = re.compile(r"(https?|mailto):")
GUIDE = re.compile(r"([\w-]+)\.md(#.*)?")
HEADINGS = {"h2", "h3", "h4", "h5", "h6"}
# What a guide has beside what guidelines have: places to jump to, and frames of wide tables.
MORE = {heading: {"id"} for heading in HEADINGS}
MORE["div"] = {"class", "role", "tabindex", "aria-label"}


@dataclass(frozen=True)
class Guide:
    """title: plain text; html: all below it; sections: (id, plain text) of each h2."""

    title: str
    html: str
    sections: list[tuple[str, str]]


def title_of(name: str) -> str:
    """The level-1 heading with which docs/NAME.md begins."""
    with (DOCS / f"{name}.md").open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def read_guide(name: str, names: Collection[str]) -> Guide:
    """docs/NAME.md; its links to the guides `names` lead to their help pages.

    The caller vouches for the name: it is one of `names`, never what somebody typed.
    """
    return draw_guide((DOCS / f"{name}.md").read_text(encoding="utf-8"), names)


def draw_guide(text: str, names: Collection[str]) -> Guide:
    """A guide of Markdown `text`, whose first line is its title."""
    title, *tokens = without_title(PARSER.parse(text))
    sections = name_headings(tokens)
    for token in tokens:
        if token.type == "inline":
            token.children = relinked(token.children or [], names)
    return Guide(plain(title), drawn(framed(tokens), MORE), sections)


def without_title(tokens: list[Token]) -> list[Token]:
    """The inline token of the title, then what follows its heading."""
    if [token.tag for token in tokens[:1]] != ["h1"]:
        raise ValueError("a guide begins with a heading of level 1")
    return [tokens[1], *tokens[3:]]


def name_headings(tokens: list[Token]) -> list[tuple[str, str]]:
    """Give each heading the id that GitHub gives it; returns (id, text) of those of level 2."""
    seen: Counter[str] = Counter()
    sections = []
    for heading, inline in pairwise(tokens):
        if heading.type != "heading_open":
            continue
        text = plain(inline)
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        seen[name] += 1
        heading.attrs["id"] = f"{name}-{seen[name] - 1}" if seen[name] > 1 else name
        if heading.tag == "h2":
            sections.append((str(heading.attrs["id"]), text))
    return sections


def plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or [])


def relinked(children: list[Token], names: Collection[str]) -> list[Token]:
    """Parts of a line whose links work from a help page; other links become plain text.

    A guide that is named by its file is named without the ending.
    """
    kept: list[Token] = []
    is_link = True
    for child in children:
        if child.type == "link_open":
            address = address_of(str(child.attrs["href"]), names)
            is_link = address is not None
            child.attrs["href"] = address or ""
        elif kept and kept[-1].type == "link_open" and GUIDE.fullmatch(child.content):
            child.content = child.content.removesuffix(".md")
        if is_link or child.type not in {"link_open", "link_close"}:
            kept.append(child)
    return kept


def address_of(href: str, names: Collection[str]) -> str | None:
    """Where a link of a guide leads from its help page; None for files that have no page."""
    if ELSEWHERE.match(href) or href.startswith("#"):
        return href
    guide = GUIDE.fullmatch(href)
    return f"../{guide[1]}/{guide[2] or ''}" if guide and guide[1] in names else None


def framed(tokens: list[Token]) -> list[Token]:
    """The same, each table within a frame that scrolls sideways, named by the heading above."""
    result: list[Token] = []
    heading = "Table"
    for token, following in pairwise([*tokens, Token("end", "", 0)]):
        if token.type == "heading_open":
            heading = plain(following)
        if token.type == "table_open":
            result.append(raw(frame_of(heading)))
        result.append(token)
        if token.type == "table_close":
            result.append(raw("</div>\n"))
    return result


def frame_of(heading: str) -> str:
    name = escape(heading)
    return f'<div class="table-scroll" role="region" tabindex="0" aria-label="{name}">\n'


def raw(html: str) -> Token:
    return Token("html_block", "", 0, content=html)
