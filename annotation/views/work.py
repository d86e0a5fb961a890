"""Asking for work, the page of an assignment whatever its task, drafts, heartbeat, skip, report."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation import answering, drafts, giving, guidelines
from annotation.models import Assignment, Task, Wave
from annotation.reasons import SKIP_REASONS
from annotation.sheets import kept_fields, sheet_from_fields
from annotation.summaries import summary_of
from annotation.unsent import keep_unsent
from annotation.views import t0, t1a, t1b, t2
from annotation.views.results import ask_and_go, posted_number, posted_revision

PAGES = {Task.T0: t0.page, Task.T1A: t1a.page, Task.T1B: t1b.page, Task.T2: t2.page}


@require_POST
def ask(request, wave_id, task):
    """Give the caller work in a wave, or say why there is none."""
    wave = get_object_or_404(Wave.objects.shown_to(request.user), pk=wave_id)
    if task not in Task.values:
        raise Http404
    if guidelines.needs_acknowledgement(request.user, wave):
        return redirect("annotation:acknowledge", wave.pk)
    return ask_and_go(request, wave=wave, task=task)


def own_assignment(request, assignment_id):
    """The caller's assignment with what its page shows, else 404."""
    mine = Assignment.objects.of(request.user).select_related(
        "wave__campaign__corpus",
        "revision",
        "item__instance__claim__source__article",
        "claim__source__article",
        "preselection__paragraph__article",
        "article",
    )
    return get_object_or_404(mine, pk=assignment_id)


@require_http_methods(["GET", "POST"])
def work(request, assignment_id):
    """The page on which an assignment is done."""
    assignment = own_assignment(request, assignment_id)
    with timezone.override(assignment.wave.campaign.time_zone):
        return PAGES[assignment.task](request, assignment)


@require_POST
def draft(request, assignment_id):
    """Keep what is typed; 409 where another tab or device kept something newer."""
    assignment = own_assignment(request, assignment_id)
    fields = kept_fields(request.POST)
    try:
        saved = drafts.save_draft(
            assignment=assignment, data=fields, revision=posted_revision(request)
        )
    except drafts.NewerDraft as newer:
        return JsonResponse({"revision": newer.draft.revision}, status=409)
    with timezone.override(assignment.wave.campaign.time_zone):
        clock = timezone.localtime(saved.saved_at).strftime("%H:%M:%S")
    answer = {"revision": saved.revision, "saved_at": clock}
    if assignment.task == Task.T2:
        answer["summary"] = summary_of(sheet_from_fields(fields))
    return JsonResponse(answer)


@require_POST
def beat(request, assignment_id):
    """Slide the lease while the page is seen; says whether the slot is still the caller's."""
    assignment = own_assignment(request, assignment_id)
    until = giving.beat(assignment=assignment, seconds=posted_number(request, "seconds") or 0)
    is_answered = assignment.outcome == Assignment.Outcome.SUBMITTED  # its slot is filled for good
    return JsonResponse({"has_slot": until is not None or is_answered})


@require_POST
def skip(request, assignment_id):
    """End an assignment without an answer, for one of the listed reasons."""
    assignment = own_assignment(request, assignment_id)
    reason = request.POST.get("reason", "")
    if reason not in SKIP_REASONS:
        messages.error(request, _("Choose why you skip it; nothing was skipped."))
        return redirect("annotation:work", assignment.pk)
    try:
        answering.skip_work(assignment=assignment, reason=reason)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("annotation:work", assignment.pk)
    messages.info(request, _("Skipped; you will not be asked about it again."))
    return ask_and_go(request, wave=assignment.wave, task=assignment.task)


@require_POST
def report(request, assignment_id):
    """Tell the curators what is wrong with a claim; it is given to nobody until they decided."""
    assignment = own_assignment(request, assignment_id)
    try:
        answering.report_claim(assignment=assignment, reason=request.POST.get("reason", ""))
    except ValidationError as error:
        keep_unsent(request)
        messages.error(request, " ".join(error.messages))
        return redirect("annotation:work", assignment.pk)
    messages.info(request, _("Reported; a curator will look at it. Thank you."))
    return ask_and_go(request, wave=assignment.wave, task=assignment.task)
