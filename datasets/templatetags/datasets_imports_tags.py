"""What an import found, in words."""

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

COUNTS = {
    "claims_new": _("New claims"),
    "claims_same": _("Claims that are there already"),
    "annotations": _("New labels"),
    "annotations_same": _("Labels that are there already"),
    "evidence_linked": _("Cited ids that are in the corpus"),
    "evidence_unresolved": _("Cited ids that are not"),
    "sources_linked": _("Sources that are in the corpus"),
    "sources_unresolved": _("Sources that are not"),
    "sets_unresolved": _("Evidence sets that are kept aside"),
    "instances_unresolved": _("Articles and passages that are not in the corpus"),
    "bad": _("Bad lines"),
}
ALWAYS = ("claims_new", "claims_same", "annotations", "bad")
VIOLATIONS = {
    "nei_with_evidence": _("“Not enough information” with evidence"),
    "verdict_without_evidence": _("Verdicts without evidence"),
    "repeated_groups": _("Claims with repeated evidence sets"),
    "repeated_items": _("Sets with repeated items"),
    "repeated_labels": _("Labels that come again"),
    "empty_groups": _("Empty evidence sets"),
    "empty_records": _("Empty records"),
    "unknown_label": _("Labels that are none of the three"),
    "label_respelt": _("Labels in another spelling"),
    "labels_differ": _("Abstracts with different labels"),
    "shared_sentences": _("Abstracts whose rationales share sentences"),
    "evidence_not_cited": _("Evidence from abstracts that are not cited"),
    "too_many_sets": _("Claims with more than three evidence sets"),
    "verifiable_differs": _("Claims whose verifiability is not that of their label"),
    "text_cleaned": _("Texts with blanks or unseen characters that were removed"),
}


@register.filter
def import_counts(report):
    """(words, number) of what an import does; nothing of what there is none of."""
    return [
        (words, report[name]) for name, words in COUNTS.items() if report[name] or name in ALWAYS
    ]


@register.filter
def import_violations(report):
    """(words, number) of the rules that the files break, the most frequent first."""
    found = [(VIOLATIONS.get(name, name), n) for name, n in report["violations"].items()]
    return sorted(found, key=lambda pair: (-pair[1], str(pair[0])))
