"""Paragraphs whose sentences the file itself names: joined, each a unit under the file's id."""

from collections.abc import Iterable, Sequence

from corpus.readers.fields import checked_text
from corpus.records import PROSE, SENTENCE, ParagraphRecord, UnitRecord
from corpus.texts import one_line


def sentences_paragraph(
    sentences: Iterable[tuple[str, str]], *, rank: int = 1, section_path: Sequence[str] = ()
) -> ParagraphRecord | None:
    """One paragraph of (the file's id, sentence); None where no sentence says anything.

    A sentence without text is passed over, and the others keep their ids.
    """
    texts: list[str] = []
    units: list[UnitRecord] = []
    start = 0
    for external_id, sentence in sentences:
        text = one_line(checked_text(sentence, "a sentence"))
        if not text:
            continue
        name = f"sentence_{len(units)}"
        units.append(UnitRecord(name, SENTENCE, start, start + len(text), external_id))
        texts.append(text)
        start += len(text) + 1
    if not texts:
        return None
    return ParagraphRecord(rank, " ".join(texts), PROSE, tuple(section_path), tuple(units))
