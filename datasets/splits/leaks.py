"""What splits share that they should not, in our own splits and in any two or three files."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from datasets.splits.likeness import THRESHOLD, Tell, near_duplicates, normalised
from datasets.splits.records import SplitRecord, initial_claims
from datasets.untold import untold

KINDS = (
    "source_paragraph",
    "source_article",
    "initial_claim",
    "claim_id",
    "claim_text",
    "near_duplicate",
    "evidence_article",
    "cited_source",
)
Where = dict[tuple[str, str], dict[str, list[str]]]


def check_splits(
    splits: Mapping[str, Sequence[SplitRecord]],
    *,
    threshold: float = THRESHOLD,
    n_examples: int = 5,
    near: Sequence[tuple[SplitRecord, SplitRecord]] | None = None,
    tell: Tell = untold,
) -> dict:
    """Counts, labels and leaks by kind of named splits, with examples, ready for JSON.

    A leak is one value (an article, a text) that stands in two splits or more, and for near
    duplicates a pair of claims. Articles that are cited count as leaks only where the claim has no
    source, beside other such claims and beside those that were written from them; shared
    paragraphs are counted and not forbidden. near: pairs of near duplicates, where they are known
    already; tell: see `near_duplicates`, by which the others are found.
    """
    leaks = find_leaks(splits, near_pairs(splits, threshold, tell) if near is None else near)
    labels = {
        name: dict(sorted(Counter(record.label for record in records).items()))
        for name, records in splits.items()
    }
    return {
        "counts": {name: len(records) for name, records in splits.items()},
        "labels": labels,
        "deviation": deviations(labels),
        "leaks": {kind: len(found) for kind, found in leaks.items()},
        "examples": {kind: found[:n_examples] for kind, found in leaks.items() if found},
        "shared_evidence_paragraphs": shared_paragraphs(splits),
    }


def find_leaks(
    splits: Mapping[str, Sequence[SplitRecord]],
    near: Sequence[tuple[SplitRecord, SplitRecord]],
) -> dict[str, list[dict]]:
    """For each kind what leaks: {value, splits, claims}, in order of the value."""
    where: Where = defaultdict(lambda: defaultdict(list))
    roots = initial_claims(chain.from_iterable(splits.values()))
    for name, records in splits.items():
        for record in records:
            for tie in leak_values(record, roots):
                where[tie][name].append(record.claim_id or str(record.key))
    where |= cited_sources(where)
    leaks: dict[str, list[dict]] = {kind: [] for kind in KINDS}
    for kind, value in sorted(tie for tie, by_split in where.items() if len(by_split) > 1):
        held = where[kind, value]
        claims = {name: held[name][:3] for name in splits if name in held}
        leaks[kind].append({"value": value, "splits": list(claims), "claims": claims})
    leaks["near_duplicate"] = near_leaks(splits, near)
    return leaks


def cited_sources(where: Where) -> Where:
    """The articles that claims were written from and that claims without a source cite."""
    found: Where = {}
    for kind, article in where:
        if kind == "evidence_article" and ("source_article", article) in where:
            written, citing = where["source_article", article], where["evidence_article", article]
            names = dict.fromkeys([*written, *citing])
            found["cited_source", article] = {
                name: [*written.get(name, ()), *citing.get(name, ())] for name in names
            }
    return found


def leak_values(record: SplitRecord, roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """All that another split should not hold, by kind. roots: of `initial_claims`."""
    yield from (
        (kind, value)
        for kind, value in (
            ("source_paragraph", record.source_paragraph),
            ("source_article", record.source_article),
            ("initial_claim", roots.get(record.initial_claim, record.initial_claim)),
            ("claim_id", record.claim_id),
            ("claim_text", normalised(record.text)),
        )
        if value
    )
    if not record.source_article:
        yield from (("evidence_article", article) for article in record.evidence_articles)


def near_pairs(splits, threshold, tell) -> list[tuple[SplitRecord, SplitRecord]]:
    """Near duplicates, each text by the first record that has it in each split."""
    holders: dict[str, dict[str, SplitRecord]] = defaultdict(dict)
    for name, records in splits.items():
        for record in records:
            holders[normalised(record.text)].setdefault(name, record)
    texts = list(holders)
    return [
        pair
        for first, second in near_duplicates(texts, threshold=threshold, tell=tell).tolist()
        for pair in product(holders[texts[first]].values(), holders[texts[second]].values())
    ]


def near_leaks(splits, near) -> list[dict]:
    """Pairs of claims in two splits with near-duplicate, not equal texts."""
    split_of = {id(record): name for name, records in splits.items() for record in records}
    return [
        {
            "value": first.text,
            "splits": [split_of[id(first)], split_of[id(second)]],
            "texts": [first.text, second.text],
        }
        for first, second in near
        if split_of[id(first)] != split_of[id(second)]
        and normalised(first.text) != normalised(second.text)
    ]


def shared_paragraphs(splits: Mapping[str, Sequence[SplitRecord]]) -> dict[str, int]:
    """How many cited paragraphs or units each pair of splits has in common."""
    cited = {
        name: {part for record in records for _, part in record.evidence if part}
        for name, records in splits.items()
    }
    return {
        f"{first}, {second}": len(cited[first] & cited[second])
        for first, second in combinations(cited, 2)
    }


def deviations(labels: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    """Of each split the largest difference of a label's share from its share in all, 0 to 1."""
    everything: Counter[str] = Counter()
    for counts in labels.values():
        everything.update(counts)
    total = max(everything.total(), 1)
    return {
        name: max(
            (
                abs(counts.get(label, 0) / max(sum(counts.values()), 1) - n / total)
                for label, n in everything.items()
            ),
            default=0.0,
        )
        for name, counts in labels.items()
    }
