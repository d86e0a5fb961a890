"""Every cue figure of one set of claims: what page, API, command and data card show."""

from collections.abc import Sequence

import numpy as np

from agreement.cues.grams import Grams, bigrams, tokens_of, unigrams
from agreement.cues.information import cue_information, local_mutual_information
from agreement.cues.statistics import (
    balanced_subsamples,
    fold_means,
    label_counts,
    wilson_low,
)
from agreement.cues.tokens import is_negation, published_tokens, word_tokens
from agreement.measures.annotations import encode_labels, is_missing

TOKENS = {"published": published_tokens, "words": word_tokens}
ORDERS = (
    "harmonic_mean", "productivity", "productivity_low", "coverage", "utility", "lmi", "dci",
    "harmonic_mean_present", "productivity_present",
)  # fmt: skip
DCI_SKIP = 4
NO_TABLES = {"unigrams": [], "bigrams": [], "n_unigrams": 0, "n_bigrams": 0, "negations": [],
             "lmi": []}  # fmt: skip


def cue_report(
    claims: Sequence[str],
    labels: Sequence[str],
    *,
    rng: np.random.Generator,
    keys: Sequence | None = None,
    language: str = "",
    resamples: int = 10,
    min_count: int = 3,
    top: int = 50,
    tokens: str = "published",
    label_order: Sequence[str] | None = None,
    order_by: str = "harmonic_mean",
    with_dci: bool = False,
    folds: list[np.ndarray] | None = None,
) -> dict:
    """Cues of claims with their labels, strongest first, ready for JSON.

    keys: (n,) the claim that a row belongs to, by default its text; a claim counts once for each
    distinct label of its rows. min_count: cues in fewer claims are left out. order_by: the
    figure that puts cues in order; lmi and dci of a row rest on all claims, its other figures
    on the subsamples. with_dci: also list the strongest by DCI. folds: rows of each balanced
    subsample, drawn by `rng` where not given. `undefined` says why there are no figures: no_data
    or no_variation.
    Raises ValueError for another tokenisation or order, or columns of unequal length.
    """
    check_choice("tokens", tokens, tuple(TOKENS))
    check_choice("order_by", order_by, ORDERS)
    claims, labels = distinct_rows(claims, labels, claims if keys is None else keys)
    names, codes = encode_labels(labels, [True] * len(labels), label_order)
    report = {
        "n_claims": len(claims),
        "labels": dict(zip(names, np.bincount(codes, minlength=len(names)).tolist(), strict=True)),
        "resamples": resamples,
        "tokens": tokens,
        "min_count": min_count,
        "fold_size": 0,
        "undefined": None,
    }
    if len(names) < 2:
        tables = NO_TABLES | ({"dci": []} if with_dci else {})
        return report | tables | {"undefined": "no_variation" if names else "no_data"}
    if folds is None:
        folds = balanced_subsamples(codes, len(names), resamples, rng)
    report["fold_size"] = len(folds[0]) if folds else 0
    options = {"folds": folds, "order_by": order_by, "top": top, "language": language}
    report |= cue_tables(tokens_of(claims, TOKENS[tokens]), names, codes, min_count, options)
    if with_dci:
        report["dci"] = dci_rows(claims, TOKENS[tokens], names, codes, min_count, top)
    return report


def check_choice(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; use one of {', '.join(allowed)}.")


def distinct_rows(claims, labels, keys) -> tuple[list[str], list]:
    """Claims and labels of the first row of each (claim, label); rows without a label go."""
    if not len(claims) == len(labels) == len(keys):
        raise ValueError(
            f"{len(claims)} claims have {len(labels)} labels and {len(keys)} keys; give as many."
        )
    rows = {
        (key, label): claim
        for key, label, claim in zip(keys, labels, claims, strict=True)
        if not is_missing(label)
    }
    return list(rows.values()), [label for _, label in rows]


def cue_tables(tokens, names, codes, min_count, options) -> dict:
    """The tables of unigrams and bigrams, words that deny, and the strongest cues by LMI."""
    report: dict = {}
    told = []
    for kind, grams in (
        ("unigrams", unigrams(tokens, min_count)),
        ("bigrams", bigrams(tokens, min_count)),
    ):
        rows = CueRows(grams, names, codes, options)
        report |= {kind: rows.strongest(), f"n_{kind}": len(grams.cues)}
        if kind == "unigrams":
            report["negations"] = rows.negations()
        told += lmi_rows(grams, names, codes, kind)
    return report | {"lmi": strongest(told, "lmi", options["top"])}


class CueRows:
    """The figures of all cues, of which a table shows some."""

    def __init__(self, grams: Grams, names, codes, options):
        present = grams.present
        self.cues, self.names, self.options = grams.cues, names, options
        self.counts = label_counts(present, codes, len(names))
        figures = fold_means(present, codes, len(names), options["folds"])
        balanced = figures.pop("label_counts")
        # A cue that no fold drew has the label that it has among all claims.
        drawn = balanced.sum(axis=1, keepdims=True) > 0
        self.best = np.where(drawn, balanced, self.counts).argmax(axis=1)
        told = local_mutual_information(grams, codes, len(names))
        self.figures = figures | {
            "utility": figures["productivity"] - 1 / len(names),
            "productivity_low": wilson_low(balanced),
            "lmi": np.take_along_axis(told, self.best[:, None], axis=1)[:, 0],
            "dci": cue_information(grams, codes, len(names)),
        }

    def strongest(self) -> list[dict]:
        """The cues with the highest value of the figure asked for, then by their text."""
        values = self.figures[self.options["order_by"]]
        # Stable on cues that are in order of their text.
        order = np.argsort(-values, kind="stable")[: self.options["top"]]
        return [self.row(place) for place in order.tolist()]

    def negations(self) -> list[dict]:
        """Words that deny, most frequent first, however weak they are."""
        denying = [
            place for place, cue in enumerate(self.cues)
            if is_negation(cue, self.options["language"])
        ]  # fmt: skip
        denying.sort(key=lambda place: (-int(self.counts[place].sum()), self.cues[place]))
        return [self.row(place) for place in denying[: self.options["top"]]]

    def row(self, place: int) -> dict:
        """Counts in all claims; label (the first where labels tie) and figures in the folds."""
        counts = self.counts[place]
        return {
            "cue": self.cues[place],
            "label": self.names[int(self.best[place])],
            "applicability": int(counts.sum()),
            "by_label": dict(zip(self.names, counts.tolist(), strict=True)),
            "is_negation": is_negation(self.cues[place], self.options["language"]),
        } | {name: values[place].item() for name, values in self.figures.items()}


def lmi_rows(grams, names, codes, kind) -> list[dict]:
    values = local_mutual_information(grams, codes, len(names))
    rows, columns = np.nonzero(values > 0)
    return [
        {
            "cue": grams.cues[row],
            "kind": kind,
            "label": names[column],
            "lmi": values[row, column].item(),
        }
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def dci_rows(claims, split, names, codes, min_count, top) -> list[dict]:
    """The strongest cues by DCI among unigrams and bigrams with up to four tokens between them."""
    rows = []
    for kind, grams in (
        ("unigrams", unigrams(tokens_of(claims, split), min_count)),
        ("skip_bigrams", bigrams(tokens_of(claims, str.split), min_count, skip=DCI_SKIP)),
    ):
        values = cue_information(grams, codes, len(names))
        counts = label_counts(grams.times, codes, len(names))
        rows += [
            {
                "cue": grams.cues[place],
                "kind": kind,
                "label": names[int(counts[place].argmax())],
                "dci": values[place].item(),
            }
            for place in np.argsort(-values, kind="stable")[:top].tolist()
        ]
    return strongest(rows, "dci", top)


def strongest(rows: list[dict], figure: str, top: int) -> list[dict]:
    return sorted(rows, key=lambda row: (-row[figure], row["cue"], row["label"]))[:top]
