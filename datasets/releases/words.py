"""What leaks, and changes between releases, are called on pages."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LEAKS = {
    "source_paragraph": _("source paragraphs"),
    "source_article": _("source articles"),
    "initial_claim": _("initial claims"),
    "claim_id": _("claim ids"),
    "claim_text": _("equal texts"),
    "near_duplicate": _("pairs of near-duplicate texts"),
    "evidence_article": _("cited articles, of claims without a source"),
    "cited_source": _("cited articles that are another claim's source"),
}
CHANGES = {
    "added": _("Claims added"),
    "removed": _("Claims removed"),
    "relabelled": _("Claims with another label"),
    "reworded": _("Claims with another wording"),
    "evidence_changed": _("Claims with other evidence"),
    "moved": _("Claims in another split"),
}


def leak_rows(report):
    """(words, number, examples) of each kind of leak that the report looked for, in order."""
    return [
        (words, report["leaks"][kind], report["examples"].get(kind, []))
        for kind, words in LEAKS.items()
        if kind in report["leaks"]
    ]


def change_rows(diff):
    """(kind, words, number, claims) of each kind of change, in order."""
    return [(kind, words, diff["counts"][kind], diff["claims"][kind])
            for kind, words in CHANGES.items()]  # fmt: skip


def setting_rows(diff):
    """{name, before, after} of each setting that differs, as people read it."""
    return [
        {
            "name": row["name"],
            "before": setting_words(row["before"]),
            "after": setting_words(row["after"]),
        }
        for row in diff["settings"]
    ]


def setting_words(value):
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return "–" if value in ("", None) else value
