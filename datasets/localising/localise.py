"""The scheme from end to end: claims of one language in, claims of another out, losses counted."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from datasets.localising.claims import SourceClaim, read_source_claims
from datasets.localising.losses import Losses
from datasets.localising.mapping import Sets, by_abstracts, covered, merged
from datasets.localising.titles import Titles, page_of
from datasets.localising.translations import Translate, Translations, translated
from datasets.records import NOT_ENOUGH_INFO, Cited, LabelledClaim
from datasets.splits import SplitRecord

TELL_EVERY = 1000
# Line 0 of a page is its title, by rank; its first paragraph, the abstract, is 1.
ABSTRACT = "1"
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Mapped:
    """A claim that kept its evidence, or needs none, before it is translated."""

    source: SourceClaim
    sets: Sets


@dataclass
class Localised:
    """What is kept. unused: translations whose id no claim of the dataset has."""

    claims: list[LabelledClaim]
    losses: Losses
    unused: int = 0


def localise(
    paths: Iterable[Path],
    titles: Titles,
    translations: Translations | Translate,
    *,
    pages: str = "fever",
    tell: Tell,
) -> Localised:
    """The claims of FEVER files in the language of the titles and translations.

    pages: how pages are named, as FEVER escapes titles or as they were given. tell: called with
    what is done, how far and of how many (0 where nobody knows).
    Raises BadLine for lines that cannot be used, UnusableTranslator for a translator's faults.
    """
    losses, names = Losses(), set[str]()
    mapped = list(keep_evidence(paths, titles, losses, names, tell))
    if isinstance(translations, Translations):
        texts = [translations.texts.get(each.source.name) for each in mapped]
        unused = len(translations.texts.keys() - names)
    else:
        texts, unused = list(asked(mapped, translations, tell)), 0
    claims = [
        claim_of(each, text, pages)
        for each, text in zip(mapped, texts, strict=True)
        if is_translated(each, text, losses)
    ]
    return Localised(claims, losses, unused)


def keep_evidence(
    paths: Iterable[Path], titles: Titles, losses: Losses, names: set[str], tell: Tell
) -> Iterator[Mapped]:
    """The claims that keep a set, and those without enough information; all names go to names."""
    for done, claim in enumerate(read_source_claims(paths)):
        if done % TELL_EVERY == 0:
            tell("read", done, 0)
        names.add(claim.name)
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


def asked(mapped: list[Mapped], translate: Translate, tell: Tell) -> Iterator[str]:
    """What the translator says; only claims that keep their evidence are worth asking for."""
    texts = [each.source.text for each in mapped]
    for done, text in enumerate(translated(texts, translate)):
        if done % TELL_EVERY == 0:
            tell("translated", done, len(texts))
        yield text


def is_translated(mapped: Mapped, text: str | None, losses: Losses) -> bool:
    """Whether there is a text; else it is counted which kind of none."""
    if not text:
        losses.lost["no_translation" if text is None else "empty_translation"] += 1
        return False
    losses.count("translated", mapped.source.label, len(mapped.sets))
    return True


def claim_of(mapped: Mapped, text: str | None, pages: str) -> LabelledClaim:
    """As the writer of CsFEVER takes it: a set's pages whole, each with its ids and old title."""
    source = mapped.source
    ids = [[[*item.ids, item.page] for item in group] for group in mapped.sets]
    return LabelledClaim(
        number=int(source.name) if str(source.id).isdecimal() else 0,
        external_id=source.name,
        text=text or "",
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
