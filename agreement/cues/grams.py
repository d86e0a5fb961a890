"""How often each unigram and bigram stands in each claim."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Tokens:
    """All tokens of all claims, in order: `words[word[i]]` stands in claim number `claim[i]`."""

    words: list[str]
    word: np.ndarray
    claim: np.ndarray
    n_claims: int


@dataclass(frozen=True)
class Grams:
    """The cues in order of their text, and where they stand.

    times: (n_claims, n_cues) sparse, how often; per_claim: (n_claims,) n-grams of each claim,
    those of rare cues too.
    """

    cues: list[str]
    times: sparse.csr_matrix
    per_claim: np.ndarray

    @property
    def present(self) -> sparse.csr_matrix:
        """(n_claims, n_cues) sparse: 1 where the cue stands in the claim at all."""
        present = self.times.copy()
        present.data = np.ones(len(present.data))
        return present


def tokens_of(claims: Iterable[str], split: Callable[[str], list[str]]) -> Tokens:
    codes: dict[str, int] = {}
    word: list[int] = []
    lengths: list[int] = []
    for claim in claims:
        tokens = split(claim)
        word.extend(codes.setdefault(token, len(codes)) for token in tokens)
        lengths.append(len(tokens))
    of_claim = np.repeat(np.arange(len(lengths)), lengths)
    return Tokens(list(codes), np.array(word, dtype=np.int64), of_claim, len(lengths))


def unigrams(tokens: Tokens, min_count: int = 1) -> Grams:
    """Single words that stand in `min_count` claims or more; an empty token is none."""
    real = np.array([bool(word) for word in tokens.words], dtype=bool)
    keep = real[tokens.word] if len(tokens.word) else np.array([], dtype=bool)
    claim, word = tokens.claim[keep], tokens.word[keep]
    per_claim = np.bincount(claim, minlength=tokens.n_claims)
    return grams(claim, word, per_claim, min_count, lambda code: tokens.words[code])


def bigrams(tokens: Tokens, min_count: int = 1, *, skip: int = 0) -> Grams:
    """Two words of a claim with at most `skip` others between them, in `min_count` claims or more.

    A pair is at most as common as its words, so pairs with a rare word are never listed.
    """
    first, second = pairs_of_places(tokens.claim, skip)
    claim = tokens.claim[first]
    per_claim = np.bincount(claim, minlength=tokens.n_claims)
    common = in_claims(tokens.claim, tokens.word, len(tokens.words)) >= min_count
    keep = common[tokens.word[first]] & common[tokens.word[second]]
    size = max(len(tokens.words), 1)
    pairs = tokens.word[first[keep]] * size + tokens.word[second[keep]]

    def text(code):
        return f"{tokens.words[code // size]} {tokens.words[code % size]}"

    return grams(claim[keep], pairs, per_claim, min_count, text)


def pairs_of_places(claim: np.ndarray, skip: int) -> tuple[np.ndarray, np.ndarray]:
    """Places of the first and the second token of each pair within a claim."""
    firsts, seconds = [], []
    for distance in range(1, skip + 2):
        first = np.arange(max(len(claim) - distance, 0))
        first = first[claim[first] == claim[first + distance]]
        firsts.append(first)
        seconds.append(first + distance)
    return np.concatenate(firsts), np.concatenate(seconds)


def in_claims(claim: np.ndarray, code: np.ndarray, n_codes: int) -> np.ndarray:
    """(n_codes,): the number of claims in which each code stands."""
    both = np.unique(claim * max(n_codes, 1) + code)
    return np.bincount(both % max(n_codes, 1), minlength=n_codes)


def grams(claim, code, per_claim, min_count, text: Callable[[int], str]) -> Grams:
    """The codes that stand in enough claims, as `Grams`."""
    distinct, code = np.unique(code, return_inverse=True)
    enough = in_claims(claim, code, len(distinct)) >= min_count
    cues = [text(number) for number in distinct[enough].tolist()]
    order = sorted(range(len(cues)), key=cues.__getitem__)
    column = np.full(len(distinct), -1)
    column[np.flatnonzero(enough)[order]] = np.arange(len(order))
    kept = enough[code] if len(code) else np.array([], dtype=bool)
    rows, columns = claim[kept], column[code[kept]] if len(code) else code
    times = sparse.csr_matrix(
        (np.ones(len(rows)), (rows, columns)), shape=(len(per_claim), len(cues))
    )
    return Grams([cues[place] for place in order], times, per_claim)
