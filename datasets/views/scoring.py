"""The pages that score predictions against gold claims, and show the claims behind the figures."""

from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import FileResponse, Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from datasets import kept
from datasets.downloads import JSON, LINES
from datasets.forms.scoring import ScoreForm
from datasets.scoring import CLAIMS, JOB, results_of, start_score
from datasets.scoring_words import (
    MATCHED,
    TASKS,
    cutoff_rows,
    figure_rows,
    matrix_rows,
    results_table,
    unknown_labels,
)

SHOWN = 10
PER_PAGE = 50
FILES = {"report.json": (kept.REPORT, JSON), "claims.jsonl": (CLAIMS, LINES)}


@require_http_methods(["GET", "POST"])
def scores(request):
    """Choose files; below, the scores that one asked for before."""
    if not kept.may_upload(request.user):
        raise Http404
    form = ScoreForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            job = start_score(**form.chosen, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("datasets:score", job.key)
    jobs = kept.jobs_of(JOB, request.user)[:SHOWN]
    return render(request, "datasets/scores.html", {"form": form, "jobs": jobs})


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def score(request, key):
    """Scores of one file; their card asks again for itself until they are there."""
    job = kept.job_of(JOB, request.user, key)
    template = "datasets/_score.html" if request.htmx else "datasets/score.html"
    context = {"job": job, "task": TASKS[job.arguments["task"]], "report": None}
    if report := kept.report_of(JOB, key):
        context |= {
            "report": report,
            "figures": figure_rows(report),
            "at_cutoffs": cutoff_rows(report),
            "matched_by": MATCHED[report["matched_by"]],
            "matrix": matrix_rows(report["confusion"]),
            "unknown": unknown_labels(report),
        }
    return render(request, template, context)


@require_GET
def score_claims(request, key):
    """What each claim earned: of all claims, or of those of one cell of the matrix."""
    job = kept.job_of(JOB, request.user, key)
    labels = [request.GET.get(name) for name in ("gold", "predicted")]
    cell = None if None in labels else tuple(labels)
    results = results_of(key, cell, with_texts=True)
    if results is None:
        raise Http404
    page = Paginator(results, PER_PAGE).get_page(request.GET.get("page"))
    headings, rows = results_table(page.object_list, cell)
    context = {"job": job, "cell": cell, "page": page, "headings": headings, "rows": rows}
    return render(request, "datasets/score_claims.html", context)


@require_GET
def score_file(request, key, name):
    """The report, or the results of each claim, as `score` writes them."""
    kept.job_of(JOB, request.user, key)
    path, kind = FILES.get(name, (None, None))
    if path is None or not (whole := kept.folder_of(JOB, key) / path).is_file():
        raise Http404
    return FileResponse(whole.open("rb"), as_attachment=True, filename=name, content_type=kind)


@require_POST
def cancel_score(request, key):
    kept.cancel(job=kept.job_of(JOB, request.user, key))
    return redirect("datasets:score", key)
