"""Claims with a text to judge them by, and what a linear model sees of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from agreement.cues.tokens import word_tokens
from datasets.records import LABELS, Cited, LabelledClaim

NEI = LABELS[2]


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and the text beside it, as word tokens."""

    claim: tuple[str, ...]
    evidence: tuple[str, ...]


def pair_of(claim: str, evidence: str) -> Pair:
    return Pair(tuple(word_tokens(claim)), tuple(word_tokens(evidence)))


def gold_pairs(claims: Iterable[LabelledClaim]) -> Iterator[tuple[Pair, str]]:
    """Each claim with the text of each of its evidence sets, and its label.

    A claim without evidence stands beside its source, as in CTKFacts' NLI form: an empty text
    would give NOT ENOUGH INFO away. Claims without a label are passed over.
    """
    for claim in claims:
        if claim.label is not None:
            for text in texts_beside(claim):
                yield pair_of(claim.text, text), claim.label


def first_pairs(claims: Iterable[LabelledClaim]) -> Iterator[tuple[Pair, str]]:
    """The same with the first evidence set alone: one pair a claim, to be judged once."""
    for claim in claims:
        if claim.label is not None:
            yield pair_of(claim.text, texts_beside(claim)[0]), claim.label


def texts_beside(claim: LabelledClaim) -> list[str]:
    sets = [joined(one) for one in claim.evidence if one]
    return sets or [claim.source.text if claim.source else ""]


def joined(paragraphs: Iterable[Cited]) -> str:
    return " ".join(paragraph.text for paragraph in paragraphs)


class Features:
    """What a model sees: the claim's words, and with evidence its words and what both share."""

    def __init__(self, *, with_evidence: bool):
        self.with_evidence = with_evidence
        self.claim_words = words_and_pairs()
        self.evidence_words = words_and_pairs(most=1)

    def fit(self, pairs: Sequence[Pair]) -> "Features":
        """Raises ValueError where no claim has a word."""
        self.claim_words.fit([pair.claim for pair in pairs])
        if self.with_evidence:
            self.with_evidence = any(pair.evidence for pair in pairs)
        if self.with_evidence:
            self.evidence_words.fit([pair.evidence for pair in pairs])
        return self

    def transform(self, pairs: Sequence[Pair]) -> sparse.csr_matrix:
        """(n_pairs, n_features)"""
        parts = [self.claim_words.transform([pair.claim for pair in pairs])]
        if self.with_evidence:
            parts.append(self.evidence_words.transform([pair.evidence for pair in pairs]))
            parts.append(sparse.csr_matrix(np.array([overlap(pair) for pair in pairs])))
        return sparse.hstack(parts).tocsr()


def words_and_pairs(most: int = 2) -> Any:
    # Half a second to import: only for who asks for it.
    from sklearn.feature_extraction.text import TfidfVectorizer

    # Texts are tokenised already, and analysed once for both parts.
    return TfidfVectorizer(ngram_range=(1, most), tokenizer=list, token_pattern=None,
                           lowercase=False, sublinear_tf=True)  # fmt: skip


def overlap(pair: Pair) -> tuple[float, float, float]:
    """The shares, 0 to 1, of the claim's words, neighbours and numbers that the evidence has."""
    words, beside = set(pair.claim), set(pair.evidence)
    neighbours = set(zip(pair.claim, pair.claim[1:], strict=False))
    pairs_beside = set(zip(pair.evidence, pair.evidence[1:], strict=False))
    numbers = {word for word in words if word[:1].isdigit()}
    return share(words, beside), share(neighbours, pairs_beside), share(numbers, beside)


def share(wanted: set, found: set) -> float:
    return len(wanted & found) / len(wanted) if wanted else 1.0
