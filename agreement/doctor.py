"""Rules of stored figures that no constraint holds."""

from django.db.models import F

from agreement.models import FigureSnapshot


def figures_of_another_campaigns_wave():
    rows = FigureSnapshot.objects.exclude(wave=None).exclude(wave__campaign=F("campaign"))
    for row in rows.order_by("pk"):
        yield f"figures {row.pk} ({row}) are of wave {row.wave_id}, of another campaign"


RULES = [
    (
        "figures are of their campaign's waves",
        "Figures of a wave are shown on the pages of its campaign, to the managers of that one.",
        figures_of_another_campaigns_wave,
    ),
]
