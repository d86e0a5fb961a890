"""Trying out what dictionaries would hold."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from corpus.models import Corpus
from corpus.throttling import throttled
from dictionaries.backends.base import IndexUnavailable
from dictionaries.exploring import explore as explored
from dictionaries.forms import ExploreForm


@require_GET
@vary_on_headers("HX-Request")
@throttled("search")
def explore(request, slug):
    """The dictionary of a typed text or a paragraph, with all that led to it."""
    corpus = get_object_or_404(Corpus.objects.managed_by(request.user), slug=slug)
    asked = "text" in request.GET or "paragraph" in request.GET
    form = ExploreForm(request.GET if asked else None, corpus=corpus)
    found, problem = None, ""
    if asked and form.is_valid():
        try:
            found = explored(corpus, form.query(), form.settings)
        except IndexUnavailable as unavailable:
            problem = str(unavailable)
    return render(
        request,
        "dictionaries/_explore.html" if request.htmx else "dictionaries/explore.html",
        {"corpus": corpus, "form": form, "found": found, "problem": problem},
    )
