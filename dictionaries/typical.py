"""What the texts of a cluster are about: the words that set it apart from the others."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from dictionaries.analysis import Analyser, words

MOST_TEXTS = 1000  # the weights of more would fill the memory of a web process


def word_counts(text: str, analyser: Analyser) -> dict[str, Counter[str]]:
    """{term: how often each spelling of it is in the text}, stop words and numbers left out."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for word in words(text):
        terms = analyser.terms(word.text)
        if len(terms) == 1 and len(word.text) > 1 and not word.text[0].isdigit():
            found[terms[0].canonical][word.text] += 1
    return found


def typical_words(
    texts: Sequence[str], labels: Sequence[int], analyser: Analyser, *, n: int = 8
) -> dict[int, list[str]]:
    """For each cluster at most n words, the most typical first, each as it is mostly spelled.

    labels: the cluster of each text; of many, the first are looked at, and a cluster with none of
    them has no words. Typical is the difference
    between a word's mean TF-IDF within the cluster and in all other texts, with tf = 1 +
    ln(count), idf = ln(N / texts with the word), and each text's vector of length 1. A lone
    cluster is held against nothing, so of it the highest means count. Only words of two texts or
    more, and only positive differences.
    """
    texts, labels = texts[:MOST_TEXTS], labels[:MOST_TEXTS]
    counted = [word_counts(text, analyser) for text in texts]
    vocabulary = _vocabulary(counted)
    weights = _tf_idf(counted, {term: at for at, term in enumerate(vocabulary)})
    spelled = _spellings(counted)
    clusters = np.array(labels)
    typical = {}
    for cluster in sorted(set(labels)):
        inside = clusters == cluster
        lift = weights[inside].mean(axis=0)
        if not inside.all():
            lift = lift - weights[~inside].mean(axis=0)
        best = np.argsort(-np.round(lift, 9), kind="stable")[:n]
        typical[cluster] = [spelled[vocabulary[at]] for at in best if lift[at] > 0]
    return typical


def _vocabulary(counted) -> list[str]:
    """The terms of two texts or more, in order; of one text alone, all of its terms."""
    frequency = Counter(term for found in counted for term in found)
    least = min(2, len(counted))
    return sorted(term for term, texts in frequency.items() if texts >= least)


def _tf_idf(counted, columns: dict[str, int]) -> np.ndarray:
    """(n texts, n terms), rows of length 1 or 0."""
    tf = np.zeros((len(counted), len(columns)), dtype=np.float32)
    for row, found in enumerate(counted):
        for term, spellings in found.items():
            if term in columns:
                tf[row, columns[term]] = 1 + np.log(spellings.total())
    texts = np.maximum((tf > 0).sum(axis=0), 1)
    weights = tf * np.log(len(counted) / texts) if len(counted) > 1 else tf
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    return np.divide(weights, lengths, out=np.zeros_like(weights), where=lengths > 0)


def _spellings(counted) -> dict[str, str]:
    """Each term as it is mostly spelled; of equals the first by code point."""
    total: dict[str, Counter[str]] = defaultdict(Counter)
    for found in counted:
        for term, spellings in found.items():
            total[term].update(spellings)
    return {
        term: min(spellings, key=lambda word: (-spellings[word], word))
        for term, spellings in total.items()
    }
