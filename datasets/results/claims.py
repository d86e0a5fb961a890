"""The claims of a release, with the texts that the corpus has for what they cite.

The texts are for our own measuring: no file of a release gets them from here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from corpus.models import Corpus, Paragraph
from datasets.models import Release
from datasets.records import Cited, LabelledClaim
from datasets.releases.lines import UNDECIDED
from datasets.releases.make import DATA
from datasets.releases.options import BASE
from datasets.releases.services import hash_of

PIECE = 500  # names that one query asks for
# What splits are called, in small letters; the training split may have any name.
CALLED = {
    "train": ("train", "training"),
    "dev": ("dev", "development", "validation", "valid", "val"),
    "test": ("test",),
}


@dataclass(frozen=True)
class Known:
    """A paragraph of the corpus: its text, and since when it is there (None: undated)."""

    text: str
    available_at: datetime | None


@dataclass(frozen=True)
class ReleasedClaims:
    """splits: {name: decided claims}; undecided: {name: number of claims without a label};
    known: {public id: what the corpus has} of all that is cited and of sources."""

    splits: Mapping[str, list[LabelledClaim]]
    undecided: dict[str, int]
    known: Mapping[str, Known]

    @property
    def all(self) -> list[LabelledClaim]:
        return [claim for claims in self.splits.values() for claim in claims]


def released_claims(release: Release) -> ReleasedClaims:
    """The claims of every split. Raises ValidationError where the release's files are not there,
    or not as they were."""
    lines = {split: list(lines_of(release, split)) for split in release.contents["labels"]}
    every = [line for of_split in lines.values() for line in of_split]
    known = known_paragraphs(release.campaign.corpus, names_in(every))
    return ReleasedClaims(
        splits={
            split: [claim_of(line, known) for line in of_split if line["label"]]
            for split, of_split in lines.items()
        },
        undecided={
            split: sum(not line["label"] for line in of_split) for split, of_split in lines.items()
        },
        known=known,
    )


def lines_of(release: Release, split: str) -> Iterator[dict]:
    """The lines of a split as they stand in its file. Raises as `released_claims` does."""
    name = f"{DATA}/{BASE}/{split}.jsonl"
    path, told = release.path_of(name), {"name": release.name}
    if path is None or not path.is_file():
        raise ValidationError(_("The files of the release %(name)s are not on this server.") % told)
    if hash_of(path) != release.hashes[name]:
        raise ValidationError(
            _("A file of the release %(name)s is not as it was; restore it from a backup.") % told
        )
    with path.open(encoding="utf-8", newline="\n") as lines:
        yield from map(json.loads, lines)


def names_in(lines: Iterable[dict]) -> set[str]:
    """The paragraphs that lines cite, and their sources."""
    names = {name for line in lines for group in line["evidence"] for name in group}
    return names | {line["source"] for line in lines if line["source"]}


def known_paragraphs(corpus: Corpus | None, names: Iterable[str]) -> dict[str, Known]:
    """What the corpus has under these names, of any version; what it lacks is not there."""
    if corpus is None:
        return {}
    rows = Paragraph.objects.filter(corpus=corpus)
    return {
        name: Known(text, available_at)
        for piece in pieces(names)
        for name, text, available_at in rows.filter(public_id__in=piece).values_list(
            "public_id", "text", "available_at"
        )
    }


def pieces(names: Iterable[str]) -> Iterator[list[str]]:
    """The names in order, in pieces that SQL takes."""
    ordered = sorted(names)
    for start in range(0, len(ordered), PIECE):
        yield ordered[start : start + PIECE]


def claim_of(line: dict, known: Mapping[str, Known]) -> LabelledClaim:
    def cited(name: str) -> Cited:
        found = known.get(name)
        return Cited(name, found.text if found else "", is_resolved=found is not None)

    return LabelledClaim(
        number=line["id"],
        text=line["claim"],
        label=line["label"],
        source=cited(line["source"]) if line["source"] else None,
        evidence=tuple(tuple(map(cited, group)) for group in line["evidence"] if group),
    )


def decided_in(release: Release) -> dict[str, int]:
    """{split: number of its decided claims}, as the release counted them."""
    return {
        split: sum(n for label, n in labels.items() if label != UNDECIDED)
        for split, labels in release.contents["labels"].items()
    }


def roles_of(sizes: Mapping[str, int]) -> dict[str, str]:
    """{train, dev, test: the split that is for it}, of {split: number of claims}.

    Called after common names; else the largest of the others is for training. What no split is
    for is not there.
    """
    roles = {
        role: split
        for role, names in CALLED.items()
        for split in sorted(sizes, reverse=True)
        if split.lower() in names
    }
    rest = sorted(sizes.keys() - set(roles.values()), key=lambda split: (-sizes[split], split))
    if "train" not in roles and rest and len(roles) > 0:
        roles["train"] = rest[0]
    return roles
