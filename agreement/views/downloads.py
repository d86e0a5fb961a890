"""The same tables for a spreadsheet."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from agreement import sheets, snapshots
from agreement.forms import AgreementForm
from agreement.snapshots import KIND, PAGES
from agreement.views.conflicts import names_for
from annotation.models import Campaign
from annotation.spreadsheets import csv_text


@require_GET
def table_csv(request, slug, table):
    """One table of the dashboard, under the policies of the query string."""
    campaign = get_object_or_404(Campaign.objects.curated_by(request.user), slug=slug)
    if table not in sheets.SHEETS:
        raise Http404
    form = AgreementForm(request.GET, campaign=campaign)
    figures = snapshots.shown(KIND.AGREEMENT, form.scope, form.settings, whole=True).figures
    if figures is None:
        return not_computed(request, KIND.AGREEMENT, form)
    names = names_for(request.user, campaign)
    return as_file(f"{slug}-{table}", *sheets.SHEETS[table](figures, names))


def not_computed(request, kind, form):
    messages.info(request, _("These figures are not computed yet. Ask for them first."))
    return redirect(reverse(PAGES[kind], args=[form.campaign.slug], query=form.query))


def as_file(name, header, rows):
    """A CSV file that spreadsheets open as UTF-8."""
    text = "\ufeff" + csv_text(header, rows)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
