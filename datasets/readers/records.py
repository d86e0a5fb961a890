"""What reading a dataset file gives: claims as their file states them, before anything is stored.

What a file cites is a `Cited` that no corpus has been asked about yet: `paragraph` alone is a
paragraph's public id; with `external` it is an article's id, and `external` the part's id or
number within the article; with `text` alone the file gave nothing but a text.
"""

from collections import Counter
from dataclasses import dataclass, field

from datasets.records import LABELS, Cited

# A file's only label, of nobody in particular, is stored under this name; see agreement.tables.
AGGREGATE = "(aggregate)"
WHOLE, ARTICLE, PASSAGE = "whole", "article", "passage"
SUPPORTS, REFUTES, NOT_ENOUGH_INFO = LABELS

EvidenceSets = tuple[tuple[Cited, ...], ...]


@dataclass(slots=True)
class ReadAnnotation:
    """One label. annotator: as the file names them; evidence: alternatives, in the file's order."""

    label: str
    annotator: str = AGGREGATE
    evidence: EvidenceSets = ()
    is_uncertain: bool = False
    is_relevant: bool = False
    challenge: str = ""


@dataclass(slots=True)
class ReadInstance:
    """What was labelled: the claim against the whole scope, one article or one passage.

    kind: whole, article or passage; target: the article's id, or the passage's and its article's
    with the passage's text; record: what the file said of this instance alone.
    """

    kind: str = WHOLE
    target: Cited | None = None
    annotations: list[ReadAnnotation] = field(default_factory=list)
    record: dict = field(default_factory=dict)

    @property
    def name(self) -> str:
        """How the instance is told from the claim's others."""
        return WHOLE if self.target is None else self.target.external or self.target.paragraph


@dataclass(slots=True)
class ReadClaim:
    """A claim with its instances and their labels.

    external_id: its id as text; number: the same where it is a whole number; source: a
    paragraph's public id; parent: the id of the claim that it was mutated from; day: (year,
    month, day) for which it is judged; record: what else the file said, as it stood there;
    violations: what of the format's rules it breaks, counted; file, line: where it stands.
    """

    external_id: str
    number: int | None
    text: str
    instances: list[ReadInstance] = field(default_factory=list)
    source: str = ""
    parent: str = ""
    original_text: str = ""
    day: tuple[int, int, int] | None = None
    is_citance: bool = False
    record: dict = field(default_factory=dict)
    violations: Counter = field(default_factory=Counter)
    file: str = ""
    line: int = 0
