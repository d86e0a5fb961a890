"""The scheme from end to end: claims of one language in, claims of another out, losses counted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from datasets.localising.claims import SourceClaim, read_source_claims
from datasets.localising.losses import Losses
from datasets.localising.mapping import Sets, by_abstracts, covered, merged
from datasets.localising.tables import TELL_EVERY, Tell
from datasets.localising.titles import Titles, page_of
from datasets.localising.translations import BATCH, Translate, Translations, translated
from datasets.records import NOT_ENOUGH_INFO, Cited, LabelledClaim
from datasets.splits import SplitRecord

# Line 0 of a page is its title, by rank; its first paragraph, the abstract, is 1.
ABSTRACT = "1"


@dataclass(frozen=True, slots=True)
class Mapped:
    """A claim that kept its evidence, or needs none, before it is translated."""

    source: SourceClaim
    sets: Sets


def localise(
    paths: Iterable[Path],
    titles: Titles,
    translations: Translations | Translate,
    *,
    losses: Losses,
    names: set[str],
    pages: str = "fever",
    tell: Tell,
) -> Iterator[LabelledClaim]:
    """The claims of FEVER files in the language of the titles and translations, one by one.

    losses, names: what is counted, and the ids of all claims, as they go by; pages: how pages are
    named, as FEVER escapes titles or as they were given; tell: called with what is done, and how
    far. Raises BadLine at the end of files with lines that cannot be used, and UnusableTranslator
    for a translator's faults.
    """
    mapped = keep_evidence(paths, titles, losses, names, tell)
    for each, text in with_texts(mapped, translations, tell):
        if text:
            losses.count("translated", each.source.label, len(each.sets))
            yield claim_of(each, text, pages)
        else:
            losses.lost["no_translation" if text is None else "empty_translation"] += 1


def keep_evidence(
    paths: Iterable[Path], titles: Titles, losses: Losses, names: set[str], tell: Tell
) -> Iterator[Mapped]:
    """The claims that keep a set, and those without enough information."""
    for done, claim in enumerate(read_source_claims(paths, names)):
        if done % TELL_EVERY == 0:
            tell("read", done)
        sets = localised_sets(claim, titles, losses)
        if sets or claim.label == NOT_ENOUGH_INFO:
            losses.count("evidence", claim.label, len(sets))
            yield Mapped(claim, sets)
        else:
            losses.lost["evidence_lost" if claim.sets else "without_evidence"] += 1


def localised_sets(claim: SourceClaim, titles: Titles, losses: Losses) -> Sets:
    losses.count("read", claim.label, len(claim.sets))
    abstracts = by_abstracts(claim.sets)
    losses.count("abstracts", claim.label, len(abstracts))
    kept, missing = covered(abstracts, titles)
    losses.titles.update(set(missing))
    losses.count("covered", claim.label, len(kept))
    sets = merged(kept)
    losses.count("merged", claim.label, len(sets))
    return sets


def with_texts(
    mapped: Iterator[Mapped], translations: Translations | Translate, tell: Tell
) -> Iterator[tuple[Mapped, str | None]]:
    """Each claim with its translation, None where there is none.

    A translator is asked in batches, and only for claims that keep their evidence.
    """
    if isinstance(translations, Translations):
        yield from ((each, translations.texts.get(each.source.name)) for each in mapped)
        return
    done = 0
    while batch := list(islice(mapped, BATCH)):
        yield from zip(
            batch, translated([each.source.text for each in batch], translations), strict=True
        )
        done += len(batch)
        tell("translated", done)


def claim_of(mapped: Mapped, text: str, pages: str) -> LabelledClaim:
    """As the writer of CsFEVER takes it: a set's pages whole, each with its ids and old title."""
    source = mapped.source
    ids = [[[*item.ids, item.page] for item in group] for group in mapped.sets]
    return LabelledClaim(
        number=int(source.name) if str(source.id).isdecimal() else 0,
        external_id=source.name,
        text=text,
        label=source.label,
        original_text=source.text,
        evidence=tuple(
            tuple(
                Cited(page_of(item.target, pages), external=ABSTRACT, is_resolved=False)
                for item in group
            )
            for group in mapped.sets
        ),
        format="csfever",
        extra={"evidence_ids": ids} if ids else {},
    )


def split_record(claim: LabelledClaim) -> SplitRecord:
    """What splitting needs to know: the text, the label and the pages that are cited."""
    pages = dict.fromkeys(each.paragraph for group in claim.evidence for each in group)
    return SplitRecord(
        key=claim.number if claim.external_id == str(claim.number) else claim.external_id,
        text=claim.text,
        label=claim.label or "",
        claim_id=claim.external_id,
        evidence=tuple((page, f"{page}_{ABSTRACT}") for page in pages),
    )
