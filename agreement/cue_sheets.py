"""The tables of cues for a spreadsheet: a header and rows."""

CUE_COLUMNS = ("cue", "label", "applicability", "productivity", "coverage", "utility",
               "harmonic_mean", "n_folds_present", "is_negation")  # fmt: skip


def cues_sheet(figures):
    rows = [
        [kind, *(row[column] for column in CUE_COLUMNS)]
        for kind in ("unigrams", "bigrams")
        for row in figures[kind]
    ]
    return ["kind", *CUE_COLUMNS], rows
