"""What scores of predictions are called on pages. Figures keep the names of the field."""

from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agreement.templatetags.agreement_tags import decimals
from datasets.scorers.confusion import NOTHING
from datasets.scorers.report import flat
from dictionaries.evaluation import CUTOFFS

TASKS = {
    "fever": "FEVER",
    "feverous": "FEVEROUS",
    "scifact": "SciFact",
    "ambifc": "AmbiFC",
    "ctkfacts": _("CTKFacts, the whole pipeline"),
}
MATCHES = {
    "auto": _("by id; by position where ids are absent or all alike"),
    "id": _("by id only"),
    "position": _("by position only"),
    "order": _("by id, and another order is refused"),
}
MATCHED = {"id": _("by id"), "position": _("by position: ids are absent or all alike")}
VERDICTS = {
    "label_accuracy": _("Share of claims with the right label."),
    "precision": _(
        "Mean share of predicted items that stand in any gold evidence set; an empty prediction "
        "counts 1."
    ),
    "recall": _("Share of claims of which one whole gold evidence set was found."),
    "f1": _("Of precision and recall."),
}
ABSTRACTS = {
    "abstract_label_only_precision": _("Share of predicted abstracts whose label is right."),
    "abstract_label_only_recall": _("Share of gold abstracts found with the right label."),
    "abstract_label_only_f1": _("Of precision and recall, by the label alone."),
    "abstract_rationalized_precision": _(
        "Share of predicted abstracts with the right label and one whole rationale among their "
        "first sentences."
    ),
    "abstract_rationalized_recall": _(
        "Share of gold abstracts found with the right label and one whole rationale among the "
        "first sentences."
    ),
    "abstract_rationalized_f1": _("Of precision and recall, by label and rationale."),
    "sentence_selection_precision": _(
        "Share of predicted sentences whose whole rationale was predicted, whatever the label."
    ),
    "sentence_selection_recall": _(
        "Share of gold sentences whose whole rationale was predicted, whatever the label."
    ),
    "sentence_selection_f1": _("Of precision and recall of sentences, whatever the label."),
    "sentence_label_precision": _(
        "Share of predicted sentences whose whole rationale was predicted, under the right label."
    ),
    "sentence_label_recall": _(
        "Share of gold sentences whose whole rationale was predicted, under the right label."
    ),
    "sentence_label_f1": _("Of precision and recall of sentences under the right label."),
}
# By task, then by how a figure's name begins; the first that fits.
FIGURES = {
    "fever": {
        "strict_score": _(
            "Label right, and one whole evidence set found unless it is NOT ENOUGH INFO."
        ),
        **VERDICTS,
    },
    "feverous": {
        "strict_score": _(
            "Label right, and one whole evidence set found, of NOT ENOUGH INFO claims too."
        ),
        **VERDICTS,
    },
    "scifact": ABSTRACTS,
    "ambifc": {
        "EntCE": _("Mean absolute difference of entropies, in nats; small is good."),
        "DistCS": _("Mean of 1 less half the L1 distance of the distributions."),
        "RankCS_strict_ties": _("The same, but a label with more votes needs a larger share."),
        "RankCS": _("Share whose order of labels is one that people allow."),
        "F1_code": _("F1 of label sets; gold are the labels with any vote, as in the code."),
        "F1_paper": _("F1 of label sets; gold are the labels with a fifth of the votes."),
        "w_DistCS": _("DistCS × F1 of the evidence, of each instance."),
        "w_RankCS": _("RankCS × F1 of the evidence, of each instance."),
        "w_F1_paper_pointwise_any": _("F1 (any vote) × F1 of the evidence, of each instance."),
        "w_F1_paper_pointwise_20": _("F1 (a fifth) × F1 of the evidence, of each instance."),
        "w_F1_code": _("Mean F1 (any vote) × mean F1 of the evidence, as in the code."),
    },
    "ctkfacts": {
        "nse macro_f1": _("Mean F1 over the three labels; evidence is not scored."),
        "nse accuracy": _("Share of claims with the right label."),
        "nse f1_by_label": _("F1 of the label; evidence is not scored."),
        "se": _("As nse, but a right label needs one whole evidence set among the first k."),
        "retrieval_claims": _("SUPPORTS and REFUTES claims that have evidence."),
        "mrr": _("Mean of 1 / the rank of the first gold paragraph, 0 beyond k."),
        "full_support": _("Share of claims with one whole evidence set among the first k."),
    },
}
EARNED = {
    "text": _("claim"),
    "label": _("gold label"),
    "predicted_label": _("predicted label"),
    "label_correct": _("label right"),
    "strict": _("strict score"),
    "precision": _("precision"),
    "recall": _("recall"),
    "abstract": _("abstract"),
    "abstracts": _("gold abstracts"),
    "abstracts_predicted": _("predicted abstracts"),
    "sentences": _("gold sentences"),
    "sentences_predicted": _("predicted sentences"),
    "abstract_label_only": _("abstracts right: label"),
    "abstract_rationalized": _("abstracts right: and rationale"),
    "sentence_selection": _("sentences right: selection"),
    "sentence_label": _("sentences right: and label"),
    **{f"counted {k}": format_lazy(_("counts at {k} as"), k=k) for k in CUTOFFS},
}
NAMES = ("id", "abstract", "text")
NO_FIGURES = {"task", "n_claims", "matched_by", "confusion"} | {
    f"{what}{ids}" for what in ("missing", "extra", "not_in_corpus") for ids in ("", "_ids")
}


def figure_rows(report):
    """(name, value, what it means) of each figure, in the report's order, but for those at k."""
    return [
        (name, shown(value), meaning(name, report))
        for name, value in figures_of(report)
        if cutoff_of(name) is None
    ]


def cutoff_rows(report):
    """(name, [(k, value)], what it means) of each figure that there is for several k."""
    rows = {}
    for name, value in figures_of(report):
        if k := cutoff_of(name):
            rows.setdefault(name.replace(f" {k}", "", 1), []).append((k, shown(value)))
    return [(name, values, meaning(name, report)) for name, values in rows.items()]


def figures_of(report):
    return flat({name: value for name, value in report.items() if name not in NO_FIGURES})


def cutoff_of(name):
    """The k in a name such as "se 5 accuracy", or None."""
    return next(filter(str.isdecimal, name.split(" ")), None)


def meaning(name, report):
    words = FIGURES[report["task"]]
    return next((text for start, text in words.items() if name.startswith(start)), "")


def unknown_labels(report):
    """(predicted label that the task does not know, number of predictions), as in the matrix."""
    known = {*report["confusion"]["gold"], NOTHING}  # the usual labels are always among the gold
    columns = zip(*report["confusion"]["counts"], strict=True)
    counted = zip(report["confusion"]["predicted"], map(sum, columns), strict=True)
    return [(label, n) for label, n in counted if label not in known and n]


def matrix_rows(confusion):
    """(gold label, [(predicted label, number of claims)]) of each row of the matrix."""
    columns = confusion["predicted"]
    return [
        (gold, list(zip(columns, counts, strict=True)))
        for gold, counts in zip(confusion["gold"], confusion["counts"], strict=True)
    ]


def results_table(results, cell):
    """(headings, rows of heading and value): what is shown of each claim, its id first.

    cell: the gold and the predicted label that all of these have, or None.
    """
    rows = [dict(flat(with_labels(result, cell))) for result in results]
    if not any(row.get("text") for row in rows):  # the gold file has none
        rows = [{name: row[name] for name in row if name != "text"} for row in rows]
    headings = {name: EARNED.get(name, name) for name in (rows[0] if rows else ())}
    return list(headings.values()), [
        [(heading, shown(row[name])) for name, heading in headings.items()] for row in rows
    ]


def with_labels(result, cell):
    """The names and the text come first, then the labels of the cell, where it is of one."""
    labels = dict(zip(("label", "predicted_label"), cell, strict=True)) if cell else {}
    names = {name: result[name] for name in NAMES if name in result}
    return {**names, **labels, **{k: v for k, v in result.items() if k not in labels}}


def shown(value):
    """A value as people read it."""
    if value is None or isinstance(value, float):
        return decimals(value, 4)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)
