"""Which claims of a file a campaign has already, and which cannot be told from others."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from annotation.models import Campaign, Claim, ClaimRevision
from corpus.texts import text_hash
from datasets.readers.problems import Problem
from datasets.readers.records import ReadClaim
from operations.listed import listed

COLUMNS = ("pk", "number", "external_id", "text_hash", "extra", "text")


@dataclass
class KnownClaims:
    """Claims of a campaign by the ids and numbers that a batch of a file gives.

    wordings: (claim, hash of a text) of what the claims said before, where a curator mended that.
    """

    by_id: dict[str, Claim] = field(default_factory=dict)
    by_number: dict[int, Claim] = field(default_factory=dict)
    wordings: set[tuple[int, str]] = field(default_factory=set)

    def find(self, claim: ReadClaim) -> Claim | None:
        return self.by_id.get(claim.external_id)

    def reason_against(self, claim: ReadClaim) -> str:
        """Why the claim cannot be stored; '' where it can, or is there already."""
        same = self.find(claim)
        if same is not None and not self.has_said(same, text_hash(claim.text)):
            return (
                f"the id {claim.external_id} belongs to another claim of the campaign: {same.text}"
            )
        holder = None if claim.number is None else self.by_number.get(claim.number)
        if same is None and holder is not None:
            return f"the number {claim.number} belongs to another claim: {holder.text}"
        return ""

    def has_said(self, known: Claim, digest: str) -> bool:
        return known.text_hash == digest or (known.pk, digest) in self.wordings


def known_claims(campaign: Campaign, claims: list[ReadClaim]) -> KnownClaims:
    """The campaign's claims with these ids or numbers; none of a campaign that is new."""
    if campaign.pk is None:
        return KnownClaims()
    rows = Claim.objects.filter(campaign=campaign).only(*COLUMNS)
    ids = rows.filter(external_id__in=[claim.external_id for claim in claims])
    numbers = [claim.number for claim in claims if claim.number is not None]
    known = KnownClaims(
        by_id={row.external_id: row for row in ids if row.external_id},
        by_number={row.number: row for row in rows.filter(number__in=numbers)},
    )
    known.wordings = earlier_wordings(filter(known.reason_against, claims), known)
    return known


def earlier_wordings(claims: Iterable[ReadClaim], known: KnownClaims) -> set[tuple[int, str]]:
    """(claim, hash of a text) of all that those say and said whose text is another in the file."""
    if not (ids := [same.pk for claim in claims if (same := known.find(claim))]):
        return set()
    rows = ClaimRevision.objects.filter(claim__in=listed(ids)).values_list("claim", "text")
    return {(claim, text_hash(text)) for claim, text in rows}


@dataclass
class Seen:
    """What one pass over the files met: {id: hash of the text}, and how often a label came.

    So an id with two texts is refused wherever its lines stand, and an annotator's second label
    of the same thing is told from the first.
    """

    texts: dict[str, str] = field(default_factory=dict)
    labels: dict[tuple[str, str, str], int] = field(default_factory=dict)
    scopes: set[tuple[str, str]] = field(default_factory=set)

    def has(self, claim: ReadClaim) -> bool:
        return claim.external_id in self.texts

    def add(self, claim: ReadClaim) -> Problem | None:
        """Note a claim; the problem with it where its id stood at another text."""
        digest = text_hash(claim.text)
        if self.texts.setdefault(claim.external_id, digest) == digest:
            return None
        reason = f"the id {claim.external_id} stood at another claim before"
        return Problem(claim.file, claim.line, 1, reason, claim.text[:80])

    def is_new_scope(self, claim: ReadClaim, scope: str) -> bool:
        """Note an instance of a claim; whether no line before told of it."""
        before = len(self.scopes)
        self.scopes.add((claim.external_id, scope))
        return len(self.scopes) > before

    def ordinal(self, claim: ReadClaim, scope: str, annotator: str) -> int:
        """The how-manieth label of this annotator for this instance it is, from 1."""
        key = (claim.external_id, scope, annotator)
        self.labels[key] = self.labels.get(key, 0) + 1
        return self.labels[key]
