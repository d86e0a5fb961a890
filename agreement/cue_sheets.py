"""The tables of cues for a spreadsheet: a header and rows."""

CUE_COLUMNS = (
    "cue", "label", "is_negation", "applicability", "productivity", "productivity_low",
    "coverage", "harmonic_mean", "utility", "lmi", "dci", "n_folds_present",
    "productivity_present", "coverage_present", "harmonic_mean_present",
)  # fmt: skip
KINDS = ("unigrams", "bigrams", "negations")


def cues_sheet(figures):
    """Every listed cue with its figures and its claims of each label; words that deny again."""
    labels = list(figures["labels"])
    rows = [
        [
            kind,
            *(row[column] for column in CUE_COLUMNS),
            *(row["by_label"][label] for label in labels),
        ]
        for kind in KINDS
        for row in figures[kind]
    ]
    return ["kind", *CUE_COLUMNS, *(f"claims: {label}" for label in labels)], rows
