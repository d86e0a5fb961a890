"""Chance-corrected coefficients beside alpha: kappas of Fleiss, Scott and Cohen, AC1, S."""

import numpy as np
from scipy import sparse

from agreement.measures.annotations import AnnotationTable, without_duplicates
from agreement.measures.undefined import Undefined, figure


def fleiss_kappa(counts: np.ndarray) -> float:
    """Fleiss' kappa for nominal labels: 1 is full agreement, 0 is chance level.

    counts: (n_units, n_labels), how many annotators gave each unit each label; every row sums
        to the same number of annotators, two or more. With two it is Scott's pi.
    Raises ValueError for unequal rows or a single annotator, Undefined for a single label.
    Source: Fleiss, "Measuring nominal scale agreement among many raters" (1971).
    """
    return chance_corrected(*fleiss_agreement(counts), "kappa")


def fleiss_agreement(counts: np.ndarray) -> tuple[float, float]:
    """Observed and chance agreement of Fleiss' kappa, each in 0 to 1: P and P_e of the paper.

    Raises as `fleiss_kappa` does, but for a single label. Source: Fleiss (1971), equations 3, 5.
    """
    raters = check_equal_raters(counts)
    observed = ((counts**2).sum() - counts.sum()) / (len(counts) * raters * (raters - 1))
    shares = counts.sum(axis=0) / counts.sum()
    return float(observed), float((shares**2).sum())


def fleiss_per_label(counts: np.ndarray) -> list[float | None]:
    """Fleiss' kappa of each label against all others; None where all or no labels are it.

    Raises as `fleiss_kappa` does, but for a single label. Source: Fleiss (1971), equation 11.
    """
    raters = check_equal_raters(counts)
    shares = counts.sum(axis=0) / counts.sum()
    chance = shares * (1 - shares)
    unequal = (counts * (raters - counts)).sum(axis=0) / (len(counts) * raters * (raters - 1))
    return [
        None if expected <= 0 else float(1 - seen / expected)
        for seen, expected in zip(unequal, chance, strict=True)
    ]


def check_equal_raters(counts: np.ndarray) -> int:
    if counts.sum() == 0:
        raise Undefined("kappa", "no_data")
    raters = np.unique(counts.sum(axis=1))
    if len(raters) > 1:
        raise ValueError(
            f"kappa is undefined: units have {raters[0]} to {raters[-1]} labels; "
            "take those with the same number."
        )
    if raters[0] < 2:
        raise ValueError("kappa is undefined: each unit has one label; it needs two or more.")
    return int(raters[0])


def chance_corrected(observed: float, expected: float, measure: str) -> float:
    """(observed - expected) / (1 - expected); Undefined where chance alone agrees fully."""
    if np.isclose(expected, 1, rtol=0, atol=1e-15):
        raise Undefined(measure, "no_variation")
    return float((observed - expected) / (1 - expected))


def fleiss_by_raters(counts: np.ndarray) -> list[dict]:
    """Fleiss' kappa for the units with exactly n labels, for each n of two or more.

    Each entry: n_raters, value, undefined, n_units and share (of all units with a label), as
    CTKFacts gives its "4-way" kappa on 7.5 % of its claims; observed and expected agreement;
    and per_label, the kappas of the labels in the order of the columns.
    """
    size = counts.sum(axis=1)
    return [fleiss_entry(counts, size, n) for n in np.unique(size[size >= 2]).tolist()]


def fleiss_entry(counts, size, raters) -> dict:
    chosen = counts[size == raters]
    entry = {"n_raters": raters, "value": None, "undefined": None}
    try:
        entry["value"] = fleiss_kappa(chosen)
    except Undefined as error:
        entry["undefined"] = error.reason
    observed, expected = fleiss_agreement(chosen)
    return entry | {
        "n_units": len(chosen),
        "share": len(chosen) / int((size > 0).sum()),
        "observed": observed,
        "expected": expected,
        "per_label": fleiss_per_label(chosen),
    }


def sampled_by_raters(counts: np.ndarray, *, rng: np.random.Generator) -> list[dict]:
    """`fleiss_of_sample` for each number of labels that a unit has, on all units with as many.

    Each entry: n_raters, value, undefined, n_units and share, as in `fleiss_by_raters`.
    """
    size = counts.sum(axis=1)
    entries = []
    for raters in np.unique(size[size >= 2]).tolist():
        sampled = figure(fleiss_of_sample, counts, raters=raters, rng=rng)
        n_units = int((size >= raters).sum())
        share = n_units / int((size > 0).sum())
        entries.append({"n_raters": raters, **sampled, "n_units": n_units, "share": share})
    return entries


def fleiss_of_sample(counts: np.ndarray, *, raters: int, rng: np.random.Generator) -> float:
    """Fleiss' kappa on a random choice of `raters` labels from each unit with that many or more.

    Raises Undefined where no unit has that many, or the choice holds a single label.
    Source: Thorne et al., "FEVER" (2018), section 3.3 (five labels on 4 % of the claims).
    """
    enough = counts[counts.sum(axis=1) >= raters]
    if not len(enough):
        raise Undefined("kappa", "no_pairs")
    return fleiss_kappa(sample_labels(enough, raters, rng))


def sample_labels(counts: np.ndarray, raters: int, rng: np.random.Generator) -> np.ndarray:
    """(n_units, n_labels): `raters` labels of each unit, drawn without replacement."""
    left, wanted = counts.sum(axis=1), np.full(len(counts), raters)
    drawn = np.zeros_like(counts)
    for label in range(counts.shape[1]):
        left = left - counts[:, label]
        drawn[:, label] = rng.hypergeometric(counts[:, label], left, wanted)
        wanted = wanted - drawn[:, label]
    return drawn


def agreement_shares(counts: np.ndarray, measure: str) -> tuple[float, np.ndarray]:
    """Observed agreement over units with two labels; (n_labels,) mean share over all units.

    Source: Gwet, "Handbook of Inter-Rater Reliability" (4th ed., 2014), section 2.4: a unit with
    a single label tells how common that label is, and nothing on agreement.
    """
    if counts.sum() == 0:
        raise Undefined(measure, "no_data")
    size = counts.sum(axis=1)
    several = size >= 2
    if not several.any():
        raise Undefined(measure, "no_pairs")
    usable, m = counts[several], size[several]
    observed = float((((usable**2).sum(axis=1) - m) / (m * (m - 1))).mean())
    labelled = size > 0
    return observed, (counts[labelled] / size[labelled, None]).mean(axis=0)


def generalised_kappa(counts: np.ndarray) -> float:
    """Fleiss' kappa where units differ in their number of labels (range as kappa).

    Raises Undefined as alpha does. Source: Gwet (2014), section 2.4.
    """
    observed, shares = agreement_shares(counts, "kappa")
    return chance_corrected(observed, float((shares**2).sum()), "kappa")


def gwet_ac1(counts: np.ndarray) -> float:
    """Gwet's AC1: 1 is full agreement; not pulled down where one label is very common.

    Raises Undefined as alpha does. Its categories are the labels in use.
    Source: Gwet, "Computing inter-rater reliability ... high agreement" (2008), equation 7.
    """
    observed, shares = agreement_shares(counts, "AC1")
    used = int((shares > 0).sum())
    if used < 2:
        raise Undefined("AC1", "no_variation")
    return chance_corrected(observed, float((shares * (1 - shares)).sum() / (used - 1)), "AC1")


def brennan_prediger(counts: np.ndarray) -> float:
    """Brennan and Prediger's coefficient (Bennett's S): chance is 1 / number of labels in use.

    Raises Undefined as alpha does.
    Source: Brennan and Prediger, "Coefficient kappa: some uses, misuses" (1981).
    """
    observed, shares = agreement_shares(counts, "S")
    used = int((shares > 0).sum())
    if used < 2:
        raise Undefined("S", "no_variation")
    return chance_corrected(observed, 1 / used, "S")


def cohen_kappa(confusion: np.ndarray) -> float:
    """Cohen's kappa of two annotators: 1 is full agreement, 0 is chance level.

    confusion: (n_labels, n_labels), units that the first gave the row's label and the second
        the column's.
    Raises Undefined without units, and where both used one and the same label only.
    Source: Cohen, "A coefficient of agreement for nominal scales" (1960).
    """
    n = confusion.sum()
    if n == 0:
        raise Undefined("Cohen's kappa", "no_data")
    observed = np.trace(confusion) / n
    expected = confusion.sum(axis=1) @ confusion.sum(axis=0) / n**2
    return chance_corrected(observed, expected, "Cohen's kappa")


def cohen_pairs(table: AnnotationTable) -> dict[str, np.ndarray]:
    """Cohen's kappa of every pair of annotators, from the units that both labelled.

    Returns columns (n_pairs,): first, second (positions in `table.annotators`), n (common
    units), percent, kappa (nan where undefined). Pairs without a common unit are not listed.
    Where an annotator labelled a unit twice (duplicates "all"), the last label counts.
    """
    together = meetings(table)
    width, people = len(table.labels), len(table.annotators)
    first, second = together.row // width, together.col // width
    upper = first < second
    pairs, pair = np.unique(first[upper] * people + second[upper], return_inverse=True)
    met, rows, columns = together.data[upper], together.row[upper], together.col[upper]
    n = np.bincount(pair, met, minlength=len(pairs))
    agreeing = np.bincount(pair, met * (rows % width == columns % width), minlength=len(pairs))
    chance = sum_of_products(pair, met, rows % width, columns % width, width) / n**2
    return {
        "first": pairs // people,
        "second": pairs % people,
        "n": n.astype(np.int64),
        "percent": agreeing / n,
        "kappa": corrected(agreeing / n, chance),
    }


def corrected(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """As `chance_corrected` for (n,) values at once, with nan where it is undefined."""
    room = 1 - expected
    return np.divide(observed - expected, room, out=np.full(len(room), np.nan), where=room > 1e-15)


def meetings(table: AnnotationTable) -> sparse.coo_matrix:
    """Units in which an (annotator, label) met another: a sparse square over both."""
    rows = np.arange(len(table.unit))
    keep, _ = without_duplicates(rows, table.unit, table.annotator, "last")
    width = len(table.labels)
    given = sparse.csr_matrix(
        (np.ones(len(keep)), (table.unit[keep], table.annotator[keep] * width + table.label[keep])),
        shape=(len(table.units), len(table.annotators) * width),
    )
    return (given.T @ given).tocoo()


def sum_of_products(pair, met, row_label, column_label, width) -> np.ndarray:
    """(n_pairs,): over labels, how often the first gave it times how often the second did."""
    n_pairs = int(pair.max(initial=-1)) + 1
    by_first = np.bincount(pair * width + row_label, met, minlength=n_pairs * width)
    by_second = np.bincount(pair * width + column_label, met, minlength=n_pairs * width)
    return (by_first * by_second).reshape(n_pairs, width).sum(axis=1)


def cohen_summary(pairs: dict[str, np.ndarray]) -> dict:
    """Mean and unit-weighted mean of the pairs whose kappa is defined, and how many those are."""
    defined = ~np.isnan(pairs["kappa"])
    kappa, n = pairs["kappa"][defined], pairs["n"][defined]
    undefined = int((~defined).sum())
    if not len(kappa):
        reason = "no_variation" if undefined else "no_pairs"
        return {"mean": None, "weighted_mean": None, "n_pairs": 0, "n_pairs_undefined": undefined,
                "undefined": reason}  # fmt: skip
    return {
        "mean": float(kappa.mean()),
        "weighted_mean": float(kappa @ n / n.sum()),
        "n_pairs": len(kappa),
        "n_pairs_undefined": undefined,
        "undefined": None,
    }
