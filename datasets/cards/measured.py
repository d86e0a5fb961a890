"""The sections of a card that say what was measured: agreement, cues, leaks."""

from datasets.cards.blocks import Block, Paragraph, Section, Table
from datasets.cards.words import decimal, interval, number, percent

REASONS = {
    "no_data": "no labels",
    "no_pairs": "no claim has labels of two people",
    "no_variation": "all labels are the same",
    "few_groups": "claims of fewer than five articles",
}
CUES_SHOWN = 10
LEAKS = {
    "source_paragraph": "source paragraphs",
    "source_article": "source articles",
    "initial_claim": "initial claims",
    "claim_id": "claim ids",
    "claim_text": "equal texts",
    "near_duplicate": "pairs of near-duplicate texts",
    "evidence_article": "cited articles, of claims without a source",
    "cited_source": "cited articles that are another claim's source",
}


def why(reason: str | None) -> str:
    return REASONS.get(reason, reason) if reason else ""


def agreement_section(contents: dict) -> Section:
    rows = tuple(
        (
            row["title"],
            decimal(row["value"]),
            interval(row["ci"]),
            number(row["n"]),
            why(row["undefined"]),
        )
        for row in contents["figures"]
    )
    head = ("Measure", "Value", "95 % interval", "n", "Undefined because")
    text = (
        "Measured on all labels of the waves that count, before they are decided. n is the number "
        "of claims, pairs or parts that a figure rests on. Intervals are percentiles of resamples "
        "of the claims; a dash stands where a measure is undefined in the resamples, too, or has "
        "one claim alone. figures.json has everything."
    )
    table = Table("Agreement between annotators", head, rows, frozenset((1, 2, 3)))
    return Section("Agreement", (Paragraph(text), table))


def cue_section(contents: dict) -> Section:
    cues = contents["cues"]
    if cues["undefined"]:
        return Section("Known Cues", (Paragraph(f"None measured: {why(cues['undefined'])}."),))
    rows = tuple(
        (
            row["cue"],
            row["label"],
            number(row["applicability"]),
            decimal(row["productivity"]),
            decimal(row["coverage"]),
            decimal(row["harmonic_mean"]),
        )
        for row in cues["strongest"][:CUES_SHOWN]
    )
    head = ("Cue", "Label", "Claims", "Productivity", "Coverage", "Harmonic mean")
    blocks: list[Block] = [
        Paragraph(
            f"Words and pairs of words in {number(cues['n_claims'])} claims, the strongest first, "
            "as means over balanced subsamples. A productivity of 1 means that a claim with this "
            "wording always has this label."
        ),
        Table("Wording that goes with a label", head, rows, frozenset((2, 3, 4, 5))),
        Paragraph(claim_only(cues["claim_only"])),
    ]
    return Section("Known Cues", tuple(blocks))


def claim_only(scores: dict) -> str:
    if scores["undefined"]:
        return (
            f"A classifier that sees the claims alone was not measured: {why(scores['undefined'])}."
        )
    return (
        "A classifier that sees the claims alone, without evidence, is right on "
        f"{percent(scores['accuracy'])} (macro F1 {decimal(scores['macro_f1'])}); always saying "
        f"the commonest label is right on {percent(scores['majority_accuracy'])}."
    )


def leak_section(contents: dict) -> Section:
    report = contents["leaks"]
    if report is None:
        text = "The claims are in one file, so that nothing can leak between splits."
        return Section("Leakage Between Splits", (Paragraph(text),))
    leaks = report["leaks"]
    rows = tuple((words, number(leaks[kind])) for kind, words in LEAKS.items() if kind in leaks)
    shared = tuple(
        (f"cited paragraphs in {pair}", number(n))
        for pair, n in report["shared_evidence_paragraphs"].items()
    )
    text = (
        "What stands in more than one split. Articles and claims that belong together were kept "
        "together; that two splits cite the same paragraph is counted and not a leak."
    )
    table = Table("Shared between splits", ("What", "Number"), (*rows, *shared), frozenset((1,)))
    return Section("Leakage Between Splits", (Paragraph(text), table))
