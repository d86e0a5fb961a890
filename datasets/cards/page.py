"""A card as one HTML file that needs no network: readable in any browser, light and dark."""

from html import escape

from datasets.cards.blocks import Block, Bullets, Code, Paragraph, Section, Table
from datasets.cards.sections import card_sections, title_of

STYLE = """
:root { color-scheme: light dark; --line: #c9ccd1; --soft: #f3f4f6; --text: #1b1f24;
  --ground: #fff }
@media (prefers-color-scheme: dark) {
  :root { --line: #464c55; --soft: #23272e; --text: #e6e8eb; --ground: #16191d }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; color: var(--text);
  background: var(--ground); font: 1rem/1.55 system-ui, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem }
p, li { max-width: 44rem; overflow-wrap: anywhere }
.scroll { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; font-size: .9rem; min-width: 32rem }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem;
  border-bottom: 1px solid var(--line) }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
pre { overflow-x: auto; padding: .8rem 1rem; background: var(--soft); border-radius: .4rem }
"""


def as_html(contents: dict) -> str:
    """card.html of a release. contents: as `release.json` has them."""
    title = escape(title_of(contents))
    body = "\n".join(section_as_html(section) for section in card_sections(contents))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def section_as_html(section: Section) -> str:
    heading = f"<h{section.level}>{escape(section.title)}</h{section.level}>"
    return "\n".join([heading, *map(block_as_html, section.blocks)])


def block_as_html(block: Block) -> str:
    if isinstance(block, Paragraph):
        parts = block.text.strip().split("\n\n")
        return "\n".join(f'<p dir="auto">{escape(part)}</p>' for part in parts)
    if isinstance(block, Bullets):
        items = "".join(f'<li dir="auto">{escape(item)}</li>' for item in block.items)
        return f"<ul>{items}</ul>"
    if isinstance(block, Code):
        return f'<pre tabindex="0"><code>{escape(block.text)}</code></pre>'
    return table_as_html(block)


def table_as_html(table: Table) -> str:
    head = "".join(
        cell(text, "th", place, table, ' scope="col"') for place, text in enumerate(table.head)
    )
    rows = "\n".join(
        f"<tr>{''.join(cell(text, 'td', place, table) for place, text in enumerate(row))}</tr>"
        for row in table.rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(table.caption)}">'
        f"<table><caption>{escape(table.caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def cell(text: str, name: str, place: int, table: Table, more: str = "") -> str:
    numeric = ' class="number"' if place in table.numbers else ' dir="auto"'
    return f"<{name}{more}{numeric}>{escape(text)}</{name}>"
