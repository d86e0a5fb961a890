"""Pages about jobs, and the health of the whole."""

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from operations import jobs as services
from operations.health import problems
from operations.models import Job

PER_PAGE = 30


@require_GET
def jobs(request):
    mine = Job.objects.visible_to(request.user).select_related("created_by")
    page = Paginator(mine, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "operations/jobs.html", {"page": page})


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def job(request, job_id):
    """The page of one job; its progress asks again for itself while it is live."""
    one = get_object_or_404(Job.objects.visible_to(request.user), pk=job_id)
    template = "operations/_job.html" if request.htmx else "operations/job.html"
    return render(request, template, {"job": one})


@require_POST
@vary_on_headers("HX-Request")
def cancel(request, job_id):
    one = get_object_or_404(Job.objects.visible_to(request.user), pk=job_id)
    services.cancel_job(job=one)
    return changed(request, one)


@require_POST
@vary_on_headers("HX-Request")
def run_again(request, job_id):
    visible = Job.objects.visible_to(request.user).repeatable()
    one = get_object_or_404(visible, pk=job_id)
    services.run_again(job=one, by=request.user)
    return changed(request, one)


def changed(request, one):
    """A job after something was done to it: its page, or for htmx its part alone."""
    if not request.htmx:
        return redirect("operations:job", one.pk)
    one.refresh_from_db()
    return render(request, "operations/_job.html", {"job": one})


@login_not_required
@require_GET
@never_cache
def health(request):
    """200 where all is well, else 503 with what is not: for a monitor, so it needs no sign-in."""
    found = problems()
    return JsonResponse({"ok": not found, "problems": found}, status=503 if found else 200)
