"""Reports on claims and skipped sources, for curators: look at them and decide."""

from collections import defaultdict

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import curation
from annotation.forms.reports import DecisionForm
from annotation.models import Assignment, Campaign, Claim, Preselection, Report
from annotation.unsent import sent_in_vain

PER_PAGE = 20
SOURCES_SHOWN = 50


@require_GET
def reports(request, slug):
    """What waits for a decision, oldest first; ?decided=1 shows what was decided."""
    campaign = get_object_or_404(Campaign.objects.curated_by(request.user), slug=slug)
    decided = request.GET.get("decided") == "1"
    page = Paginator(reports_of(campaign, decided=decided), PER_PAGE)
    page = page.get_page(request.GET.get("page"))
    return drawn(request, campaign, page, decided=decided)


def drawn(request, campaign, page, *, decided=False, refused=None):
    """The queue; with the form that was refused, if one was: {report id: form}."""
    mine = Report.objects.decidable_by(request.user).filter(pk__in=[one.pk for one in page])
    decidable = set(mine.values_list("pk", flat=True))
    skips = skips_of(page)
    rows = [
        {
            "report": report,
            "form": form_of(request, report, refused) if report.pk in decidable else None,
            "skips": skips[report.claim_id],
        }
        for report in page
    ]
    return render(
        request,
        "annotation/reports/reports.html",
        {
            "campaign": campaign,
            "page": page,
            "rows": rows,
            "decided": decided,
            "sources": held_sources(campaign)[:SOURCES_SHOWN] if not decided else [],
        },
    )


def skips_of(page):
    """{claim id: why people skipped it}, for the claims that came here by skips."""
    claims = [report.claim_id for report in page if report.is_three_skips]
    skipped = Assignment.objects.filter(outcome=Assignment.Outcome.SKIPPED)
    rows = skipped.filter(item__instance__claim__in=claims).order_by("pk")
    skips = defaultdict(list)
    for claim, reason in rows.values_list("item__instance__claim", "reason"):
        skips[claim].append(reason)
    return skips


def form_of(request, report, refused):
    form = (refused or {}).get(report.pk)
    path = reverse("annotation:decide-report", args=[report.pk])
    sent = sent_in_vain(request, path)
    initial = {"text": report.claim.text} | {name: values[0] for name, values in sent.items()}
    return form or DecisionForm(initial=initial, auto_id=f"report_{report.pk}_%s")


def reports_of(campaign, *, decided):
    """The reports with what is needed to judge them: the claim, its source, its children."""
    reports = Report.objects.filter(claim__campaign=campaign)
    reports = reports.exclude(decision="") if decided else reports.open()
    children = Prefetch("claim__children", Claim.objects.filter(withdrawn_at=None))
    return (
        reports.select_related("claim__source__article", "claim__parent", "decided_by")
        .prefetch_related(children)
        .order_by("-pk" if decided else "pk")
    )


def held_sources(campaign):
    """Sources that three people skipped, with their reasons."""
    skipped = Assignment.objects.filter(outcome=Assignment.Outcome.SKIPPED).order_by("pk")
    return (
        campaign.preselections.filter(state=Preselection.State.HELD)
        .select_related("paragraph__article")
        .prefetch_related(Prefetch("assignments", skipped, to_attr="skips"))
        .order_by("pk")
    )


def keep(report, by, note, **unused):
    curation.keep_claim(report=report, by=by, note=note)
    return _("The claim is kept and given out again.")


def fix(report, by, note, text):
    curation.fix_wording(report=report, text=text, by=by, note=note)
    return _("The wording is fixed; labels stand.")


def replace(report, by, note, text):
    claim = curation.replace_meaning(report=report, text=text, by=by, note=note)
    return _("Claim %(number)d replaces it.") % {"number": claim.number}


def withdraw(report, by, note, **unused):
    curation.withdraw_claim(report=report, by=by, note=note)
    return _("The claim is withdrawn; the work on it counts.")


DECISIONS = {"keep": keep, "fix": fix, "replace": replace, "withdraw": withdraw}


@require_http_methods(["GET", "POST"])
def decide_report(request, report_id):
    """One decision, which closes every open report of the claim.

    A refused form stands at this address, and a browser may load it from here anew.
    """
    campaigns = Campaign.objects.curated_by(request.user)
    found = Report.objects.select_related("claim__campaign")
    report = get_object_or_404(found, claim__campaign__in=campaigns, pk=report_id)
    if request.method == "GET":
        return redirect("annotation:reports", report.claim.campaign.slug)
    form = DecisionForm(request.POST, auto_id=f"report_{report.pk}_%s")
    if form.is_valid() and (done := decided(form, report, request.user)):
        messages.success(request, done)
        return redirect("annotation:reports", report.claim.campaign.slug)
    campaign = report.claim.campaign
    one = Paginator(reports_of(campaign, decided=False).filter(pk=report.pk), 1).get_page(1)
    if not one.object_list:
        messages.error(request, _("Another curator has decided about this report already."))
        return redirect("annotation:reports", campaign.slug)
    return drawn(request, campaign, one, refused={report.pk: form})


def decided(form, report, user):
    """What was done, in words; None where it was refused, with the reason on the form."""
    values = dict(form.cleaned_data)
    decision = DECISIONS[values.pop("decision")]
    try:
        return decision(report=report, by=user, **values)
    except ValidationError as error:
        form.add_error(None, error)
        return None


@require_POST
def decide_source(request, preselection_id):
    """Offer a skipped source again, or reject it."""
    campaigns = Campaign.objects.curated_by(request.user)
    source = get_object_or_404(
        Preselection.objects.select_related("campaign"),
        campaign__in=campaigns,
        state=Preselection.State.HELD,
        pk=preselection_id,
    )
    is_accepted = request.POST.get("decision") == "accept"
    curation.decide_source(preselection=source, is_accepted=is_accepted, by=request.user)
    done = _("The source is given out again.") if is_accepted else _("The source is rejected.")
    messages.success(request, done)
    return redirect("annotation:reports", source.campaign.slug)
