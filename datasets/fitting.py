"""What a format has no room for: evidence sets that its lines cannot state, counted. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from datasets.records import Cited, LabelledClaim
from datasets.writers import ctkfacts, fever, nli

UNNAMED = "sets_unnamed"


def fitted(claims: Iterable[LabelledClaim], options, tally) -> Iterator[LabelledClaim]:
    """The claims with the sets that a line can name as a whole; a set never shrinks."""
    can_cite = citing(options)
    for claim in claims:
        sets = tuple(group for group in claim.evidence if all(map(can_cite, group)))
        tally.left_out[UNNAMED] += len(claim.evidence) - len(sets)
        yield claim if len(sets) == len(claim.evidence) else replace(claim, evidence=sets)


def citing(options) -> Callable[[Cited], bool]:
    """Whether a line of the format can name what is cited."""
    if options.format == "fever":
        return partial(fever.can_cite, by=options.lines)
    if options.format == "nli":
        return partial(nli.can_cite, evidence=options.evidence)
    return ctkfacts.can_cite
