"""What writers write: a decided claim, and one annotation as it was given. Pure: no Django."""

from collections.abc import Iterable
from dataclasses import dataclass, field

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
SUPPORTS, REFUTES, NOT_ENOUGH_INFO = LABELS
# Three shares of two decimals each may come to 0.98 or 1.02.
ROUNDED_OFF = 0.02


def add_up(shares: Iterable[float]) -> bool:
    """Whether the shares of all labels, each 0 to 1, come to 1, but for their rounding."""
    return round(abs(sum(shares) - 1), 9) <= ROUNDED_OFF


@dataclass(slots=True)
class Cited:
    """A paragraph, or one of its parts, with its text where the export carries texts.

    paragraph: its public id; for what an import could not find in the corpus, the id that its
    file gave. unit: the part's id within the paragraph, empty for the whole; external: the id of
    the part, or of the paragraph, that a file of others gave it. Of what the corpus lacks, with
    `external`, paragraph is the article, and unit says so, too, where it is known to be a part's.
    """

    paragraph: str
    text: str = ""
    unit: str = ""
    external: str = ""
    is_resolved: bool = True


@dataclass(slots=True)
class GivenLabel:
    """One label that counts. sentences: those of the passage that it cites, from 0."""

    annotator: str
    label: str
    is_uncertain: bool = False
    is_relevant: bool = False
    sentences: tuple[int, ...] = ()


@dataclass(slots=True)
class LabelledClaim:
    """A claim with the label that its annotations come to.

    label: None where nobody decided (only where such claims are asked for); source: None for a
    claim without one; mutated_from: the parent's number; evidence: alternatives, each of what
    suffices together; shares: the share of each label, where soft labels are asked for, and
    empty where nobody gave one that counts; scope: what it is judged against, as in the raw form
    (`whole`, or an article's or passage's id); scope_kind: whole, article or passage; external_id
    and external_parent: what its own file called it and its parent; original_text: what it was
    translated from; format: that of the file that it was imported from; extra: what else that file
    said of it, as it stood there; parts: the same claim against one article each, where a format
    has one line for all of them, or all go where one goes; given, sentences: the labels that count
    and the sentences of a passage, where a format has them; steps: what an annotator did before
    they gave the label, which an export has only on request; decided: where the label comes from,
    a reason of `agreement.aggregation`.
    """

    number: int
    text: str
    label: str | None
    source: Cited | None = None
    mutated_from: int | None = None
    evidence: tuple[tuple[Cited, ...], ...] = ()
    shares: dict[str, float] | None = None
    scope: str = "whole"
    scope_kind: str = "whole"
    external_id: str = ""
    external_parent: str = ""
    original_text: str = ""
    format: str = ""
    extra: dict = field(default_factory=dict)
    parts: tuple["LabelledClaim", ...] = ()
    given: tuple[GivenLabel, ...] = ()
    sentences: dict[int, str] = field(default_factory=dict)
    steps: list[dict] = field(default_factory=list)
    decided: str = ""


@dataclass(slots=True)
class RawAnnotation:
    """One annotation; who gave it stands under a pseudonym.

    instance: claim number and scope; claim: the wording that was seen; source, evidence and
    scope by public ids; times, texts, steps: what an export has only on request.
    """

    instance: str
    number: int
    claim: str
    source: str | None
    mutated_from: int | None
    annotator: str
    wave: str
    kind: str
    label: str
    flags: list[str]
    evidence: list[list[str]]
    scope: dict[str, list[str]]
    texts: dict[str, str] = field(default_factory=dict)
    times: dict[str, str | int | None] = field(default_factory=dict)
    steps: list[dict] | None = None
