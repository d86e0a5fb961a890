"""Figures of a release: agreement and cues as the dashboard has them, without people in them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, log10

from agreement.cue_figures import CueSettings, DecidedClaims
from agreement.cue_figures import figures_of as cue_figures_of
from agreement.figures import AgreementSettings, agreement_figures
from agreement.scopes import instance_names
from annotation.models import Campaign, Wave
from corpus.records import article_of
from datasets.releases.options import ReleaseOptions
from datasets.splits.records import roots_of

# Beyond that, figures may differ between machines.
DIGITS = 10
# About single people, or of no meaning outside of the database.
LEFT_OUT = ("people", "share_right", "last_day")
KINDS = {
    "unit_mean": "Percent agreement, mean over claims",
    "pooled_pairs": "Percent agreement, pairs of labels",
    "value_weighted": "Percent agreement, weighted by label",
    "unanimous": "Share of claims with unanimous labels",
}
SINGLE = {
    "fleiss_generalised": "Fleiss' kappa, generalised",
    "ac1": "Gwet's AC1",
    "brennan_prediger": "Brennan and Prediger's kappa",
}
UNITS = {"all": "all claims", "relaxed": "relaxed claims", "strict": "strict claims"}


@dataclass(frozen=True)
class WavesScope:
    """The labels of some waves of a campaign: what `agreement.figures` calls a scope."""

    campaign: Campaign
    waves: list[Wave]


def agreement_of(campaign: Campaign, waves: list[Wave], options: ReleaseOptions) -> dict:
    """Every figure of agreement; annotators are numbered, instances have files' names."""
    settings = AgreementSettings(
        own=options.own, conditional=options.conditional, seed=options.seed
    )
    figures = agreement_figures(WavesScope(campaign, waves), settings, with_intervals=True)
    return rounded(without_people(figures, instance_names(campaign)))


def without_people(figures: dict, instances: dict[int, int | str]) -> dict:
    """The figures with annotators by number, the busiest first, and no facts about one person."""
    n = figures["annotators"]
    order = sorted(n, key=lambda name: (-n[name], name))
    number = {name: f"annotator {place}" for place, name in enumerate(order, start=1)}
    shown = {name: value for name, value in figures.items() if name not in LEFT_OUT}
    pairs = [
        {**pair, "annotators": [number[name] for name in pair["annotators"]]}
        for pair in figures["cohen"]["pairs"]
    ]
    undefined = {numbered(path, number): why for path, why in figures["undefined"].items()}
    return shown | {
        "annotators": {number[name]: n[name] for name in order},
        "leave_one_out": {number[name]: figures["leave_one_out"][name] for name in order},
        "cohen": {**figures["cohen"], "pairs": pairs},
        "undefined": undefined,
        "hardest": [{**row, "instance": instances[row["instance"]]} for row in figures["hardest"]],
    }


def numbered(path: str, number: dict[str, str]) -> str:
    group, mark, name = path.partition(".")
    return f"{group}.{number[name]}" if group == "leave_one_out" and mark else path


def cues_of(lines: Iterable[dict], language: str, options: ReleaseOptions) -> dict:
    """The cues of what was released. lines: in the form of the base format."""
    claims = DecidedClaims([], [], [], [], language, {})
    articles, parents = {}, {}
    for line in lines:
        claim = str(line["id"])
        if line["source"]:
            articles[claim] = article_of(line["source"])
        if line["mutated_from"] is not None:
            parents[claim] = str(line["mutated_from"])
        if line["label"]:
            claims.text.append(line["claim"])
            claims.label.append(line["label"])
            claims.claim.append(line["id"])
    roots = roots_of(parents)
    for claim in map(str, claims.claim):
        root = roots.get(claim, claim)
        claims.source.append(articles.get(claim) or articles.get(root) or f"claim {root}")
    return rounded(cue_figures_of(claims, CueSettings(seed=options.seed)))


def strongest(cues: dict) -> list[dict]:
    """Words and pairs of words in one list, the strongest first."""
    rows = [*cues["unigrams"], *cues["bigrams"]]
    return sorted(rows, key=lambda row: (-row["harmonic_mean"], row["cue"]))


def figure_rows(figures: dict) -> list[dict]:
    """What a card shows of the figures: {name, title, value, ci, n, undefined}, in order.

    ci: None where the measure is undefined, or resamples of the claims have none.
    """
    n, undefined = figures["n_units_pairable"], figures["undefined"]
    alpha = figures["alpha"]
    rows = [
        row("alpha", "Krippendorff's alpha", alpha["value"], n, alpha["undefined"], alpha["ci"])
    ]
    for label, value in figures["alpha_per_label"].items():
        name = f"alpha_per_label.{label}"
        title = f"Krippendorff's alpha, {label} against the rest"
        rows.append(row(name, title, value, n, undefined.get(name)))
    for each in figures["fleiss"]:
        title = f"Fleiss' kappa, claims with {each['n_raters']} labels"
        name = f"fleiss.{each['n_raters']}"
        rows.append(row(name, title, each["value"], each["n_units"], each["undefined"]))
    rows += [
        row(name, title, figures[name], n, undefined.get(name)) for name, title in SINGLE.items()
    ]
    rows += [
        row(f"percent.{name}", title, figures["percent"][name], n, undefined.get("percent"))
        for name, title in KINDS.items()
    ]
    rows += [*cohen_rows(figures["cohen"]), *evidence_rows(figures["evidence"])]
    return [with_interval(row, figures["intervals"]) for row in rows]


def with_interval(row: dict, intervals: dict) -> dict:
    """The row with the interval of its measure, where it has none yet."""
    known = row["ci"] or row["value"] is None
    return row if known else row | {"ci": intervals.get(row["name"])}


def cohen_rows(cohen: dict) -> list[dict]:
    """n is the number of pairs of annotators."""
    titles = {"mean": "mean over pairs", "weighted_mean": "mean weighted by claims"}
    return [
        row(f"cohen.{name}", f"Cohen's kappa, {title}", cohen[name], cohen["n_pairs"],
            cohen["undefined"])
        for name, title in titles.items()
    ]  # fmt: skip


def evidence_rows(evidence: dict) -> list[dict]:
    rows = [
        row(f"evidence.alpha.{name}", f"Alpha on evidence, {UNITS.get(name, name)}",
            each["value"], each["n_units"], each["undefined"])
        for name, each in evidence["ambifc"].items()
    ]  # fmt: skip
    scifact = evidence["scifact"]
    title = "Cohen's kappa on parts cited, of pairs with one verdict"
    rows.append(
        row("evidence.kappa", title, scifact["value"], scifact["n_parts"], scifact["undefined"])
    )
    overlap = evidence["mean_jaccard"]
    why = None if overlap is not None else "no_pairs"
    title = "Overlap of evidence, mean Jaccard index"
    return [*rows, row("evidence.jaccard", title, overlap, evidence["n_units_cited"], why)]


def row(name, title, value, n, undefined, ci=None) -> dict:
    return {"name": name, "title": title, "value": value, "ci": ci, "n": n, "undefined": undefined}


def rounded(value):
    """Plain values with their floats to DIGITS significant digits."""
    if isinstance(value, float):
        return to_digits(value)
    if isinstance(value, dict):
        return {name: rounded(held) for name, held in value.items()}
    if isinstance(value, list):
        return [rounded(held) for held in value]
    return value


def to_digits(value: float) -> float:
    if value == 0 or value != value or value in (float("inf"), float("-inf")):
        return value + 0.0
    return round(value, DIGITS - 1 - floor(log10(abs(value))))


def as_text(value) -> str:
    """JSON the same from the same values: a database may give keys in another order."""
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    return text + "\n"
