"""Figures that are there before a page is read, as a job would have left them."""

from agreement import snapshots
from agreement.forms import AgreementForm
from agreement.snapshots import KIND


def store_figures(campaign, **query):
    """The stored figures that a page of this query shows."""
    form = AgreementForm({name: str(value) for name, value in query.items()}, campaign=campaign)
    return snapshots.store(KIND.AGREEMENT, form.scope, form.settings)
