"""What the figures of a release are called on pages; cards and files have them in English."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

NAMES = {
    "alpha": _("Krippendorff's alpha"),
    "fleiss_generalised": _("Fleiss' kappa, any number of labels"),
    "ac1": _("Gwet's AC1"),
    "brennan_prediger": _("Brennan and Prediger's S"),
    "percent.unit_mean": _("Percent agreement, mean over claims"),
    "percent.pooled_pairs": _("Percent agreement, over all pairs of labels"),
    "percent.value_weighted": _("Percent agreement, claims weighted by labels"),
    "percent.unanimous": _("Claims on which all agree"),
    "cohen.mean": _("Cohen's kappa, mean over pairs"),
    "cohen.weighted_mean": _("Cohen's kappa, pairs weighted by claims"),
    "evidence.alpha.all": _("Alpha on evidence, all claims"),
    "evidence.alpha.relaxed": _("Alpha on evidence, claims with a label that two gave"),
    "evidence.alpha.strict": _("Alpha on evidence, claims with two such labels"),
    "evidence.kappa": _("Cohen's kappa on parts cited, of pairs with one verdict"),
    "evidence.jaccard": _("Overlap of evidence, mean Jaccard index"),
}


def measure_rows(figures: list[dict]) -> list[dict]:
    """Rows of figures, each with `words`: what it is called, '' where only its title says that."""
    return [row | {"words": measure_called(row["name"])} for row in figures]


def measure_called(name: str) -> str:
    """What a figure of this name (of `datasets.releases.facts`) is called; '' if it is unknown."""
    group, _mark, rest = name.partition(".")
    if group == "alpha_per_label":
        return gettext("Krippendorff's alpha, %(label)s against the rest") % {"label": rest}
    if group == "fleiss":
        return gettext("Fleiss' kappa, claims with so many labels: %(n)s") % {"n": rest}
    return str(NAMES.get(name, ""))
