"""What an export chose and left out, in words."""

from django import template

from datasets import words

register = template.Library()


@register.simple_tag
def export_reasons(export):
    """(words, number) of what the export left out."""
    return words.reasons_of(export)


@register.simple_tag
def export_facts(export):
    """(label, value) of what was chosen."""
    return list(words.facts_of(export))


@register.filter
def split_rows(report):
    """(name, number of claims, labels with their numbers) of each split."""
    return [(name, n, report["labels"][name]) for name, n in report["counts"].items()]


@register.filter
def split_shares(report):
    """(name, the largest difference of a label's share from its share in all, as a percentage)."""
    return [(name, 100 * share) for name, share in report.get("deviation", {}).items()]
