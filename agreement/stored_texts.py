"""Figures and the lists beside them as texts, as they are stored."""

import json
from itertools import groupby
from operator import attrgetter

from agreement.cue_figures import decided_claims, figures_of
from agreement.differing import Conflict, conflicts_in
from agreement.figures import Scope, agreement_figures
from agreement.models import FigureSnapshot
from agreement.panels import drawn_pairs

KIND = FigureSnapshot.Kind


def texts_of(kind: str, scope: Scope, settings) -> dict[str, str]:
    """What is computed and stored: figures, and beside them what is listed for who asks."""
    return cue_texts(scope, settings) if kind == KIND.CUES else agreement_texts(scope, settings)


def agreement_texts(scope: Scope, settings) -> dict[str, str]:
    texts = in_two_texts(agreement_figures(scope, settings))
    return texts | {"conflicts": as_list(conflicts_in(scope, settings))}


def cue_texts(scope: Scope, settings) -> dict[str, str]:
    """The cues, and the label of each instance that they rest on."""
    claims = decided_claims(scope)
    labels = dict(zip(claims.instance, claims.label, strict=True))
    return {"text": as_text(figures_of(claims, settings)), "details": as_text(in_columns(labels))}


def in_two_texts(figures: dict) -> dict[str, str]:
    """Figures with the pairs that a page draws, and all pairs where they are more.

    Two hundred people make 19,900 pairs, of which a page shows less than a hundred.
    """
    details = ""
    if len(figures["cohen"]["pairs"]) > len(drawn := drawn_pairs(figures)):
        details = as_text({"pairs": figures["cohen"]["pairs"]})
        figures = figures | {"cohen": figures["cohen"] | {"pairs": drawn}}
    return {"text": as_text(figures), "details": details}


def put_together(kept: FigureSnapshot) -> dict:
    """Stored figures with their details: all pairs of annotators."""
    figures = kept.figures
    if kept.kind == KIND.AGREEMENT and kept.details:
        figures["cohen"]["pairs"] = json.loads(kept.details)["pairs"]
    return figures


def in_columns(labels: dict[int, str]) -> dict[str, list]:
    """{instance id: label} as few characters, in their order."""
    names = sorted(set(labels.values()))
    return {
        "labels": names,
        "instance": list(labels),
        "label": [names.index(label) for label in labels.values()],
    }


def from_columns(text: str) -> dict[int, str]:
    columns = json.loads(text)
    given = (columns["labels"][code] for code in columns["label"])
    return dict(zip(columns["instance"], given, strict=True))


def as_list(conflicts: list[Conflict]) -> str:
    """Conflicts as a text: [[share, [instance, ...]], ...], since few shares are different."""
    groups = groupby(conflicts, key=attrgetter("share"))
    return json.dumps([[share, [each.instance for each in group]] for share, group in groups])


def as_conflicts(text: str) -> list[Conflict]:
    groups = json.loads(text)
    return [Conflict(instance, share) for share, group in groups for instance in group]


def as_text(figures: dict) -> str:
    return json.dumps(figures, ensure_ascii=False)
