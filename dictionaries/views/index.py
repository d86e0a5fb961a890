"""The index of a corpus: its state, and what managers have done with it."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from corpus.counts import corpus_counts
from corpus.followups import BUILD_JOB, queue_index_job
from corpus.models import Corpus
from dictionaries.backends.base import IndexUnavailable
from dictionaries.bridge import backend
from dictionaries.jobs import CHECK_JOB
from operations.models import Job


def managed(user, slug):
    return get_object_or_404(Corpus.objects.managed_by(user), slug=slug)


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def index(request, slug):
    """What the index holds, and whether that is what it should hold; a fragment for htmx."""
    corpus = managed(request.user, slug)
    opened, problem = opened_index(corpus)
    jobs = Job.objects.filter(key=corpus.slug)
    return render(
        request,
        "dictionaries/_index.html" if request.htmx else "dictionaries/index.html",
        {
            "corpus": corpus,
            "index": opened,
            "problem": problem,
            "wanted": corpus_counts(corpus)["retrievable"],
            "build": jobs.filter(kind=BUILD_JOB).first(),
            "check": jobs.filter(kind=CHECK_JOB).first(),
        },
    )


def opened_index(corpus):
    """The index as it can be searched now, or why it cannot; neither where there is none."""
    if not corpus.index_version:
        return None, ""
    try:
        return backend().open(corpus.slug), ""
    except IndexUnavailable as unavailable:
        return None, str(unavailable)


@require_POST
def build_index(request, slug):
    """Build what is missing or, on request, everything anew."""
    corpus = managed(request.user, slug)
    rebuild = request.POST.get("rebuild") == "yes"
    job = queue_index_job(corpus, kind=BUILD_JOB, by=request.user, rebuild=rebuild)
    if rebuild and not job.arguments.get("rebuild"):
        messages.warning(
            request, _("A build is under way already; have everything built anew after it.")
        )
    return redirect("dictionaries:index", corpus.slug)


@require_POST
def check_index(request, slug):
    """Hold the index against the paragraphs."""
    corpus = managed(request.user, slug)
    queue_index_job(corpus, kind=CHECK_JOB, by=request.user)
    return redirect("dictionaries:index", corpus.slug)
