"""One's own work: what is unfinished, what was done, and claims that can still be changed."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotation import my_work as works
from annotation import writing
from annotation.forms.writing import ClaimForm
from annotation.hints import hints_on_edit
from annotation.models import Campaign, Task
from annotation.unsent import sent_in_vain, take_unsent

PER_PAGE = 25


@require_GET
def my_work(request):
    """The caller's work, of all tasks or of one (?task=T2)."""
    user = request.user
    task = request.GET.get("task", "")
    task = task if task in Task.values else ""
    page = Paginator(works.past_of(user, task), PER_PAGE).get_page(request.GET.get("page"))
    by_task = works.past_by_task(user)
    return render(
        request,
        "annotation/my_work/my_work.html",
        {
            "unfinished": works.entries_of(works.unfinished_of(user)),
            "without_mutation": list(works.without_mutation(user).select_related("wave__campaign")),
            "page": page,
            "entries": works.entries_of(page.object_list),
            "task": task,
            "tasks": [
                (value, label, by_task[value]) for value, label in Task.choices if value in by_task
            ],
            "total": sum(by_task.values()),
        },
    )


def own_claim(request, claim_id):
    """A claim of the caller's, in a campaign that they belong to, else 404."""
    claims = request.user.claims.filter(campaign__in=Campaign.objects.read_by(request.user))
    claims = works.with_leases(claims).select_related(
        "wave", "campaign__corpus", "parent", "source__article"
    )
    return get_object_or_404(claims, pk=claim_id)


@require_http_methods(["GET", "POST"])
def edit_claim(request, claim_id):
    """The author changes a claim until somebody was given it to label."""
    claim = own_claim(request, claim_id)
    sent = sent_in_vain(request, request.path)
    initial = {"text": sent.get("text", [claim.text])[0]}
    form = ClaimForm(request.POST or None, claim=claim, initial=initial)
    if request.method == "POST" and "check" in request.POST:
        return draw_checks(request, claim)
    if request.method == "POST" and form.is_valid():
        try:
            writing.edit_claim(claim=claim, text=form.cleaned_data["text"], by=request.user)
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            take_unsent(request)
            messages.success(request, _("The claim was changed."))
            return redirect("annotation:my-work")
    return draw_edit(request, claim, form)


def draw_edit(request, claim, form):
    context = {
        "claim": claim,
        "form": form,
        "checks": hints_on_edit(form["text"].value() or "", claim=claim),
    }
    with timezone.override(claim.campaign.time_zone):
        return render(request, "annotation/my_work/edit_claim.html", context)


def draw_checks(request, claim):
    checks = hints_on_edit(request.POST.get("text", ""), claim=claim)
    return render(
        request, "annotation/my_work/_edit_checks.html", {"claim": claim, "checks": checks}
    )
