"""What an export's settings and reasons are called on pages."""

from django.utils.translation import gettext_lazy as _

from datasets.forms.exports import CONDITIONAL, LINES, MORE, OWN, TIES, ExportForm

REASONS = {
    "tie": _("claims whose labels tie"),
    "no_majority": _("claims without a majority"),
    "no_labels": _("claims that nobody labelled"),
    "contradicted": _("claims that one text supports and another refutes"),
    "withdrawn": _("withdrawn claims"),
    "not_in_waves": _("claims that these waves did not put to work"),
    "other_scope": _("instances of one article or passage"),
    "sets_unnamed": _("evidence sets that the format cannot name"),
    "sets_too_many": _("evidence sets that the format has no room for"),
    "sets_supersets": _("evidence sets that contain another one"),
    "no_evidence": _("claims without evidence, which the format cannot state"),
    "label_balance": _("claims that balance took away"),
    "annotations_sandbox": _("labels in sandboxes"),
    "annotations_withdrawn": _("labels of withdrawn claims"),
    "annotations_surplus": _("surplus labels"),
    "annotations_late": _("late labels"),
    "annotations_superseded": _("superseded labels"),
    "annotations_removed": _("removed labels"),
}
POLICIES = {
    "own": (_("Labels of a claim's author"), dict(OWN)),
    "conditional": (_("Labels with a condition"), dict(CONDITIONAL)),
    "ties": (_("Claims on whose label nobody decided"), dict(TIES)),
}


def reasons_of(export):
    """(words, number) of what the export left out, the most first."""
    found = [(REASONS.get(name, name), n) for name, n in export.left_out.items() if n]
    return sorted(found, key=lambda pair: (-pair[1], str(pair[0])))


def facts_of(export):
    """(label, value) of what was chosen."""
    chosen = export.options
    yield _("Waves"), ", ".join(chosen["waves"]) or _("all but sandboxes")
    if export.format != "raw":
        yield from ((label, words[chosen[name]]) for name, (label, words) in POLICIES.items())
    if chosen.get("drop_supersets"):
        yield _("Evidence sets that contain another one"), _("left out")
    if export.format == "nli":
        yield _("Evidence as"), chosen["evidence"]
        yield _("One line for each"), chosen["per"]
        if not chosen.get("is_joined", True):
            yield _("Texts of an evidence set"), _("a list")
    if chosen.get("lines"):
        yield _("Lines of evidence"), dict(LINES)[chosen["lines"]]
    if more := [str(ExportForm.base_fields[name].label) for name in MORE if chosen.get(name)]:
        yield _("In it as well"), "; ".join(more)
    if chosen["split"]:
        yield _("Splits"), chosen["split"]
        yield _("Seed"), chosen["seed"]
    if chosen["balanced"]:
        yield _("Balanced"), ", ".join(chosen["balanced"])
