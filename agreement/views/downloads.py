"""The tables of the dashboard as files: for a spreadsheet, and for a program."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from agreement import conflicts, panels, sheets, snapshots
from agreement.forms import AgreementForm
from agreement.snapshots import KIND, PAGES
from agreement.views.conflicts import names_for
from annotation.models import Campaign
from annotation.spreadsheets import csv_text

# The one table whose rows depend on who asks.
HARDEST = "hardest"
AS_COMMANDS = {"ensure_ascii": False}


@require_GET
def table_csv(request, slug, table):
    """One table of the dashboard, under the policies of the query string."""
    asked = Asked.of(request, slug, table)
    if asked.figures is None:
        return not_computed(request, KIND.AGREEMENT, asked.form)
    if table == HARDEST:
        return as_file(f"{slug}-{table}", *sheets.hardest_sheet(asked.hardest(request.user)))
    names = names_for(request.user, asked.form.campaign)
    return as_file(f"{slug}-{table}", *sheets.SHEETS[table](asked.figures, names))


@require_GET
def table_json(request, slug, table):
    """The same part of the figures as the command and the API have it, with pseudonyms."""
    asked = Asked.of(request, slug, table)
    if asked.figures is None:
        return not_computed(request, KIND.AGREEMENT, asked.form)
    if table == HARDEST:
        part = sheets.hardest_part(asked.hardest(request.user))
    else:
        part = sheets.PARTS[table](asked.figures)
    response = JsonResponse({"table": table, "figures": part}, json_dumps_params=AS_COMMANDS)
    response["Content-Disposition"] = f'attachment; filename="{slug}-{table}.json"'
    return response


@dataclass(frozen=True)
class Asked:
    """What a file is asked for: the choice of the form, and its stored figures or None."""

    form: AgreementForm
    figures: dict | None

    @classmethod
    def of(cls, request, slug, table):
        campaign = get_object_or_404(Campaign.objects.curated_by(request.user), slug=slug)
        if table != HARDEST and table not in sheets.SHEETS:
            raise Http404
        form = AgreementForm(request.GET, campaign=campaign)
        shown = snapshots.shown(KIND.AGREEMENT, form.scope, form.settings, whole=True)
        return cls(form, shown.figures)

    def hardest(self, user):
        """The claims that cost the most agreement, of those that `user` may see."""
        hardest = [row["instance"] for row in self.figures["hardest"]]
        seen = conflicts.seen_among(user, self.form.campaign, hardest)
        return panels.hardest_claims(self.figures, seen, most=None)


def not_computed(request, kind, form):
    messages.info(request, _("These figures are not computed yet. Ask for them first."))
    return redirect(reverse(PAGES[kind], args=[form.campaign.slug], query=form.query))


def as_file(name, header, rows):
    """A CSV file that spreadsheets open as UTF-8."""
    text = "\ufeff" + csv_text(header, rows)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
