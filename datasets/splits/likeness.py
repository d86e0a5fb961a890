"""Claims that say almost the same in almost the same words."""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from scipy import sparse

from datasets.untold import untold

WORD = re.compile(r"\w+")
THRESHOLD = 0.8
# Candidate pairs compared at once.
CHUNK = 500_000
# Texts between two words to those who wait.
BETWEEN = 1000
STEPS = 3  # texts are read, divided into pairs of words, and compared
T = TypeVar("T")
Tell = Callable[[int, int], None]


def normalised(text: str) -> str:
    """The words of a text in lower case: what counts as the same claim."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def near_duplicates(
    texts: Sequence[str], *, threshold: float = THRESHOLD, tell: Tell = untold
) -> np.ndarray:
    """(n_pairs, 2): positions i < j of different texts alike by `threshold` or more, in order.

    Likeness is the Jaccard index of the texts' pairs of adjacent words, beginning and end
    included: a changed word among twenty is 0.83, among ten 0.69. Every such pair is found:
    two alike sets share one of their rarest members (prefix filter). Of texts with equal words
    only the first is compared; texts without a word are like no other.
    tell: called now and then with how much of how much is done; what it raises ends the search.
    Raises ValueError for a threshold outside 0 < threshold <= 1.
    Source: Chaudhuri et al., "A primitive operator for similarity joins" (2006).
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold is {threshold}; use more than 0 and at most 1.")
    first: dict[str, int] = {}
    for position, text in enumerate(told(texts, 0, len(texts), tell)):
        first.setdefault(normalised(text), position)
    first.pop("", None)
    members = shingle_matrix([shingles(text) for text in told(first, 1, len(first), tell)])
    found = [
        pairs[likeness(members, pairs) >= threshold - 1e-12]
        for pairs in candidates(rarest_members(members, threshold), tell)
    ]
    pairs = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
    pairs = np.array(list(first.values()), dtype=np.int64)[pairs]
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def told(items: Iterable[T], step: int, n: int, tell: Tell) -> Iterator[T]:
    """The n items as they are; it is told how many of them went by, after the steps before."""
    for done, item in enumerate(items):
        if done % BETWEEN == 0:
            tell(step * n + done, STEPS * n)
        yield item


def shingles(text: str) -> set[tuple[str, str]]:
    """Pairs of adjacent words of a normalised text, with its beginning and end."""
    words = text.split()
    return set(zip(["", *words], [*words, ""], strict=True))


def shingle_matrix(sets: Sequence[set]) -> sparse.csr_matrix:
    """(n_texts, n_shingles) of 0 and 1, the rarest shingles first."""
    codes: dict = {}
    columns = [codes.setdefault(shingle, len(codes)) for each in sets for shingle in each]
    column = np.array(columns, dtype=np.int64)
    # Ties in rarity are settled by the shingle, so that the order of texts does not matter.
    frequency = np.bincount(column, minlength=len(codes))
    names = list(codes)
    order = sorted(range(len(names)), key=lambda code: (frequency[code], names[code]))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    row = np.repeat(np.arange(len(sets)), [len(each) for each in sets])
    column = rank[column] if len(column) else column
    matrix = sparse.csr_matrix((np.ones(len(row)), (row, column)), shape=(len(sets), len(names)))
    matrix.sort_indices()
    return matrix


def rarest_members(members: sparse.csr_matrix, threshold: float) -> sparse.csr_matrix:
    """Of each row only so many rarest members that alike rows must share one of them."""
    sizes = np.diff(members.indptr)
    least = np.array(
        [math.ceil(threshold * size - 1e-9) for size in sizes.tolist()], dtype=np.int64
    )
    kept = np.where(sizes > 0, sizes - least + 1, 0)
    place = np.arange(len(members.indices)) - np.repeat(members.indptr[:-1], sizes)
    keep = place < np.repeat(kept, sizes)
    row = np.repeat(np.arange(members.shape[0]), sizes)[keep]
    return sparse.csr_matrix((np.ones(len(row)), (row, members.indices[keep])), members.shape)


def candidates(rarest: sparse.csr_matrix, tell: Tell) -> Iterator[np.ndarray]:
    """Pairs (i < j) that share one of their rarest members, in parts of bounded size."""
    holders = rarest.T.tocsr()
    work = np.asarray(rarest @ np.diff(holders.indptr)).reshape(-1)
    ends = np.searchsorted(np.cumsum(work), np.arange(CHUNK, work.sum() + CHUNK, CHUNK)) + 1
    start = 0
    n = rarest.shape[0]
    for end in np.unique(np.minimum(ends, n)).tolist():
        tell((STEPS - 1) * n + start, STEPS * n)
        shared = (rarest[start:end] @ holders).tocoo()
        first, second = shared.row + start, shared.col
        earlier = first < second
        if earlier.any():
            yield np.column_stack([first[earlier], second[earlier]]).astype(np.int64)
        start = end


def likeness(members: sparse.csr_matrix, pairs: np.ndarray) -> np.ndarray:
    """(n_pairs,): the Jaccard index of each pair of rows."""
    sizes = np.diff(members.indptr)
    shared = members[pairs[:, 0]].multiply(members[pairs[:, 1]]).sum(axis=1)
    shared = np.asarray(shared).reshape(-1)
    return shared / (sizes[pairs[:, 0]] + sizes[pairs[:, 1]] - shared)
