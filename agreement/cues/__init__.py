"""What claims give away about their label by their wording alone. Pure: no Django."""

from agreement.cues.grams import Grams, Tokens, bigrams, tokens_of, unigrams
from agreement.cues.information import cue_information, local_mutual_information
from agreement.cues.paired import paired_cues
from agreement.cues.report import cue_report
from agreement.cues.statistics import (
    balanced_subsamples,
    coverage,
    fold_means,
    harmonic_mean,
    label_counts,
    productivity,
    utility,
    wilson_low,
)
from agreement.cues.tokens import is_negation, published_tokens, word_tokens

__all__ = [
    "Grams",
    "Tokens",
    "balanced_subsamples",
    "bigrams",
    "coverage",
    "cue_information",
    "cue_report",
    "fold_means",
    "harmonic_mean",
    "is_negation",
    "label_counts",
    "local_mutual_information",
    "paired_cues",
    "productivity",
    "published_tokens",
    "tokens_of",
    "unigrams",
    "utility",
    "wilson_low",
    "word_tokens",
]
