"""Data cards: what a release says about itself, for people and for machines. Pure: no Django.

Everything is made from the contents of a release (`datasets.releases.make`), plain JSON, so that
a card is the same again wherever the release is built. Cards are in English, as hubs read them.
"""

from datasets.cards.croissant import croissant
from datasets.cards.markdown import as_markdown
from datasets.cards.page import as_html
from datasets.cards.sections import card_sections

__all__ = ["as_html", "as_markdown", "card_sections", "croissant"]
