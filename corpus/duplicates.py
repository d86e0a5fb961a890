"""Articles whose texts are equal, and articles whose texts are nearly so."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from zlib import crc32

import numpy as np
import regex

from corpus.records import ArticleRecord, ParagraphRecord

SHINGLE = 3
PERMUTATIONS = 128
BANDS, ROWS = 32, 4
THRESHOLD = 0.8
SEED = 20_190_507
BATCH = 256
NEIGHBOURS = 20
LONGEST_TEXT = 200_000

# scripts written without blanks between words count each character as a word
WORDS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]|\w+", regex.VERSION1
)


def content_hash(paragraphs: Iterable[ParagraphRecord]) -> str:
    """SHA-256 of an article's text, 64 digits; '' where there is none.

    Equal for exact duplicates: title, date, ranks and white space do not count.
    """
    words = [" ".join(paragraph.text.split()) for paragraph in paragraphs]
    return sha256("\n".join(words).encode("utf-8")).hexdigest() if any(words) else ""


def record_hash(article: ArticleRecord) -> str:
    """SHA-256 of all that a file states about an article: equal means the same on re-import."""
    paragraphs = [(p.rank, p.text, p.kind, p.section_path) for p in article.paragraphs]
    instant = article.published_at.isoformat() if article.published_at else ""
    stated = (
        article.title,
        instant,
        article.is_day,
        paragraphs,
        article.url,
        article.section,
        article.keywords,
        article.language,
    )
    return sha256(repr(stated).encode("utf-8")).hexdigest()


def near_duplicates(
    texts: Iterable[str], *, threshold: float = THRESHOLD, seed: int = SEED
) -> list[tuple[int, int, float]]:
    """Pairs (i, j, jaccard) of positions, i < j, of texts that share most of their word triples.

    jaccard: estimated from MinHash signatures (standard error about 0.035 at 0.8), 0 to 1;
        pairs at `threshold` or above are listed, sorted. Texts without a word match nothing.
    Texts are read once; 512 bytes are kept of each. In a group of many copies a text is compared
    with the first and with the NEIGHBOURS before it, so that every copy is found, not every pair.
    Source: Broder, "On the resemblance and containment of documents" (1997); bands after
    Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets" (2014), section 3.4.
    """
    signatures, has_words = signatures_of(texts, np.random.default_rng(seed))
    pairs = candidate_pairs(signatures, np.flatnonzero(has_words))
    if not len(pairs):
        return []
    agreement = np.concatenate(
        [
            (signatures[part[:, 0]] == signatures[part[:, 1]]).mean(axis=1)
            for part in np.array_split(pairs, len(pairs) // 10_000 + 1)
        ]
    )
    kept = agreement >= threshold
    return [
        (int(i), int(j), float(share))
        for (i, j), share in zip(pairs[kept], agreement[kept], strict=True)
    ]


def first_copies(pairs: Iterable[tuple[int, int, float]]) -> dict[int, int]:
    """For every text that nearly copies an earlier one, the first of its group.

    Groups are the connected components of `pairs`.
    """
    first: dict[int, int] = {}

    def root(position: int) -> int:
        while first.get(position, position) != position:
            first[position] = first.get(first[position], first[position])
            position = first[position]
        return position

    for i, j, _ in pairs:
        low, high = sorted((root(i), root(j)))
        first[high] = low
    return {position: root(position) for position in sorted(first) if root(position) != position}


def signatures_of(texts: Iterable[str], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The MinHash signatures (n, PERMUTATIONS) as uint32, and which texts have words (n,)."""
    factors = rng.integers(1, 2**64, PERMUTATIONS, dtype=np.uint64) | np.uint64(1)
    stream, parts = iter(texts), []
    while batch := list(islice(stream, BATCH)):
        parts.append(np.stack([signature(text, factors) for text in batch]))
    signatures = np.concatenate(parts) if parts else np.empty((0, PERMUTATIONS), np.uint32)
    return signatures, (signatures != np.iinfo(np.uint32).max).any(axis=1)


def signature(text: str, factors: np.ndarray) -> np.ndarray:
    """The smallest hash of a text's shingles under each permutation: (PERMUTATIONS,) uint32."""
    smallest = np.full(len(factors), np.iinfo(np.uint32).max, np.uint32)
    shingles = shingle_hashes(text)
    for start in range(0, len(shingles), 4096):
        mixed = shingles[start : start + 4096, None] * factors
        np.minimum(smallest, (mixed >> np.uint64(32)).astype(np.uint32).min(axis=0), out=smallest)
    return smallest


def shingle_hashes(text: str) -> np.ndarray:
    """A 64-bit hash of each run of SHINGLE words, each run once; of all words where fewer."""
    words = WORDS.findall(text[:LONGEST_TEXT].casefold())
    codes = np.fromiter((crc32(w.encode("utf-8", "replace")) for w in words), np.uint64, len(words))
    size = min(SHINGLE, len(codes))
    if size == 0:
        return codes
    hashes = np.zeros(len(codes) - size + 1, np.uint64)
    for place in range(size):
        hashes = scrambled(hashes + codes[place : len(codes) - size + 1 + place])
    return np.unique(hashes)


def scrambled(values: np.ndarray) -> np.ndarray:
    """A bijection on 64 bits that spreads near values apart.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
    """
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def candidate_pairs(signatures: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Pairs (m, 2), i < j, sorted, that agree on all ROWS of at least one of the BANDS."""
    found: set[tuple[int, int]] = set()
    for band in range(BANDS):
        rows = signatures[members, band * ROWS : (band + 1) * ROWS].astype(np.uint64)
        keys = np.zeros(len(members), np.uint64)
        for column in range(ROWS):
            keys = scrambled(keys + rows[:, column])
        found.update(pairs_of_bucket(members, keys))
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)


def pairs_of_bucket(members: np.ndarray, keys: np.ndarray) -> Iterator[tuple[int, int]]:
    """Pairs of members with equal keys: each with the NEIGHBOURS before it, and the first."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) + 1
    start = 0
    for end in map(int, ends[: len(order)]):
        bucket = [int(place) for place in members[order[start:end]]] if end - start > 1 else []
        for at in range(1, len(bucket)):
            yield from ((i, bucket[at]) for i in bucket[max(0, at - NEIGHBOURS) : at])
            yield bucket[0], bucket[at]
        start = end
