"""How much claims give away all in all: a classifier that sees nothing but their wording."""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from scipy import sparse

from agreement.cues.folds import grouped_folds
from agreement.cues.tokens import word_tokens
from agreement.measures.annotations import encode
from agreement.measures.classification import f1_of_codes

FOLDS = 5
FIGURES = ("accuracy", "macro_f1", "majority_accuracy")


def claim_only_scores(
    claims: Sequence[str], labels: Sequence[str], *, groups: Sequence[Hashable], seed: int
) -> dict:
    """Accuracy and macro F1 in 0 to 1 of claims alone, beside that of the commonest label.

    groups: (n,) what is never split over training and test, such as the source article.
    A linear support vector machine on TF-IDF of words and pairs, cross-validated in five folds.
    `undefined` says why there are no figures: no_data, no_variation or few_groups.
    Source: Gururangan et al., "Annotation artifacts" (2018), section 3.
    """
    if undefined := claim_only_undefined(labels, groups):
        return undefined
    names, codes = encode(labels)
    group = encode(groups)[1]
    predicted = cross_validated(claims, codes, group, seed)
    return {
        "accuracy": float((predicted == codes).mean()),
        "macro_f1": float(f1_of_codes(codes, predicted, len(names)).mean()),
        "majority_accuracy": float(np.bincount(codes).max() / len(codes)),
        "undefined": None,
    }


def claim_only_undefined(labels: Sequence[str], groups: Sequence[Hashable]) -> dict | None:
    """What is said instead of scores where there can be none; None where there can."""
    reason = reason_against(Counter(labels), len(set(groups)))
    return without_scores(reason) if reason else None


def without_scores(reason: str) -> dict:
    """Scores that are all None, and why."""
    return dict.fromkeys(FIGURES) | {"undefined": reason}


def reason_against(labels: Counter, n_groups: int) -> str | None:
    if len(labels) < 2:
        return "no_variation" if labels else "no_data"
    return "few_groups" if n_groups < FOLDS else None


def cross_validated(claims, codes, group, seed) -> np.ndarray:
    """(n,): the label predicted for each claim by a model that saw no claim of its group."""
    words = occurrences(claims)
    predicted = np.zeros(len(codes), dtype=np.int64)
    fold = grouped_folds(codes, group, FOLDS, np.random.default_rng(seed))
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        predicted[test] = predictions(words[train], codes[train], words[test], seed)
    return predicted


def occurrences(claims) -> sparse.csr_matrix:
    """(n, n_words): how often each word and pair of words stands in each claim.

    Counted once for all folds; what a fold's training part does not have is no part of its model.
    """
    # Half a second to import: only for who asks for it.
    from sklearn.feature_extraction.text import CountVectorizer

    # Texts are tokenised already; a token is whatever stands between blanks.
    texts = [" ".join(word_tokens(claim)) for claim in claims]
    if not any(texts):
        return sparse.csr_matrix((len(texts), 0))
    counter = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\S+", lowercase=False)
    return counter.fit_transform(texts)


def predictions(words, codes, unseen, seed) -> np.ndarray | int:
    """What a model of the claims with these words and labels says of unseen ones."""
    from sklearn.feature_extraction.text import TfidfTransformer

    # Logistic regression says the same and takes a hundred times as long on such sparse rows.
    from sklearn.svm import LinearSVC

    known = words.getnnz(axis=0) > 0
    if len(np.unique(codes)) == 1 or not known.any():
        return int(np.bincount(codes).argmax())
    words, unseen = words[:, known], unseen[:, known]
    weights = TfidfTransformer().fit(words)
    model = LinearSVC(C=0.5, random_state=seed).fit(weights.transform(words), codes)
    return model.predict(weights.transform(unseen))
