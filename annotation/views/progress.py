"""Progress against quota: my own, and everybody's for the manager, as a page and as CSV."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation import progress
from annotation.models import Campaign, Task
from annotation.spreadsheets import csv_text
from annotation.typed import typed_number

ROWS_PER_PAGE = 200


@require_GET
def my_progress(request):
    """What I have done in every wave that I took part in."""
    waves = [
        {
            "wave": participation.wave,
            "status": participation.get_status_display(),
            "factor": participation.quota_factor,
            "shares": progress.shares_of(participation),
        }
        for participation in progress.all_participations_of(request.user)
    ]
    return render(request, "annotation/progress/my_progress.html", {"waves": waves})


@require_GET
def campaign_progress(request, slug):
    """By person and task; ?wave= narrows to one wave, ?task= to one task."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    chosen = choice_of(request, campaign)
    page = Paginator(chosen["rows"], ROWS_PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = progress.with_minutes(page.object_list, chosen["counted"])
    return render(
        request,
        "annotation/progress/campaign_progress.html",
        {"campaign": campaign, "tasks": Task.choices, "page": page, **chosen},
    )


@require_GET
def progress_csv(request, slug):
    """The same figures for a spreadsheet: course credit is counted there."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    chosen = choice_of(request, campaign)
    rows = progress.with_minutes(chosen["rows"], chosen["counted"])
    text = csv_text(header(), [cells(row) for row in rows])
    response = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-progress.csv"'
    return response


def choice_of(request, campaign):
    """The rows that the page asks for. Sandbox waves are shown only when they are asked for."""
    waves = progress.waves_with_progress(campaign)
    wave = waves.filter(pk=typed_number(request.GET.get("wave", ""))).first()
    task = request.GET.get("task", "")
    counted = waves.filter(pk=wave.pk) if wave else waves.counted()
    rows = progress.rows_of(counted)
    if task in Task.values:
        rows = [row for row in rows if row.task == task]
    return {"waves": waves, "wave": wave, "task": task, "counted": counted, "rows": rows}


def header():
    return [
        _("Username"),
        _("Name"),
        _("Task"),
        _("Given"),
        _("Submitted"),
        _("Own claims"),
        _("Skipped"),
        _("Reported"),
        _("Ran out"),
        _("Surplus"),
        _("Late"),
        _("Median active minutes"),
        _("Quota"),
        _("Percent"),
    ]


def cells(row):
    minutes = None if row.minutes is None else round(row.minutes, 1)
    return [
        row.person.username,
        row.person.name,
        row.task,
        row.given,
        row.submitted,
        row.own,
        row.skipped,
        row.reported,
        row.expired,
        row.surplus,
        row.late,
        minutes,
        row.quota,
        row.percent,
    ]
