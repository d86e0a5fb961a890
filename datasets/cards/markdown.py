"""A card as Markdown with the YAML header that dataset hubs read."""

import json
import re

from datasets.cards.blocks import Block, Bullets, Code, Paragraph, Section, Table
from datasets.cards.header import header_of
from datasets.cards.sections import card_sections, title_of

# What Markdown would take for markup, wherever it stands.
SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$])")
# And at the beginning of a line: bullets, numbers, rules.
LEADING = re.compile(r"^(\d*)([-+=.)])")


def as_markdown(contents: dict) -> str:
    """README.md of a release. contents: as `release.json` has them."""
    parts = [f"---\n{as_yaml(header_of(contents))}---", f"# {escaped(title_of(contents))}"]
    for section in card_sections(contents):
        parts += [f"{'#' * section.level} {escaped(section.title)}", *blocks_of(section)]
    return "\n\n".join(parts) + "\n"


def blocks_of(section: Section) -> list[str]:
    return [block_as_text(block) for block in section.blocks]


def block_as_text(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escaped_lines(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {escaped_line(item)}" for item in block.items)
    if isinstance(block, Code):
        fence = "`" * max(3, 1 + longest_run(block.text))
        return f"{fence}{block.language}\n{block.text}\n{fence}"
    return table_as_text(block)


def table_as_text(table: Table) -> str:
    rule = ["---:" if place in table.numbers else "---" for place in range(len(table.head))]
    rows = [table.head, *table.rows]
    lines = [" | ".join(escaped(cell) for cell in row) for row in rows]
    lines.insert(1, " | ".join(rule))
    return f"*{escaped(table.caption)}*\n\n" + "\n".join(f"| {line} |" for line in lines)


def longest_run(text: str) -> int:
    """Of how many backticks the longest row of them is."""
    return max((len(run) for run in re.findall("`+", text)), default=0)


def escaped(text: str) -> str:
    """A text within a line that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def escaped_line(text: str) -> str:
    """A text at the beginning of a line that Markdown shows as it is."""
    return LEADING.sub(r"\1\\\2", escaped(text))


def escaped_lines(text: str) -> str:
    """A text with its paragraphs."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(escaped_line(paragraph) for paragraph in paragraphs)


def as_yaml(value, depth: int = 0) -> str:
    """A mapping of plain values as YAML blocks; scalars as JSON writes them, which YAML reads."""
    lines = []
    for key, held in value.items():
        lines.append(f"{'  ' * depth}{key}:{yaml_value(held, depth)}")
    return "".join(lines)


def yaml_value(held, depth: int) -> str:
    if isinstance(held, dict):
        return "\n" + as_yaml(held, depth + 1)
    if isinstance(held, list):
        return "\n" + "".join(yaml_item(item, depth) for item in held)
    return f" {json.dumps(held, ensure_ascii=False)}\n"


def yaml_item(item, depth: int) -> str:
    if not isinstance(item, dict):
        return f"{'  ' * depth}- {json.dumps(item, ensure_ascii=False)}\n"
    text = as_yaml(item, depth + 1)
    return f"{'  ' * depth}- {text.lstrip(' ')}"
