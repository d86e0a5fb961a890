"""Trying out what dictionaries would hold."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from corpus.models import Corpus
from corpus.throttling import throttled
from dictionaries.backends.base import IndexUnavailable
from dictionaries.exploring import explore as explored
from dictionaries.exploring import held_against
from dictionaries.forms import ExploreForm, SettingsForm

OTHER = "b"  # what the fields of the second settings begin with


@require_GET
@vary_on_headers("HX-Request")
@throttled("search")
def explore(request, slug):
    """The dictionary of a typed text or a paragraph, with all that led to it."""
    corpus = get_object_or_404(Corpus.objects.managed_by(request.user), slug=slug)
    asked = "text" in request.GET or "paragraph" in request.GET
    form = ExploreForm(request.GET if asked else None, corpus=corpus)
    compares = asked and "compare" in request.GET
    other = SettingsForm(request.GET if compares else None, corpus=corpus, prefix=OTHER)
    found, problem = [], ""
    if asked and form.is_valid() and (not compares or other.is_valid()):
        try:
            found = explorations(corpus, form, other if compares else None)
        except IndexUnavailable as unavailable:
            problem = str(unavailable)
    return render(
        request,
        "dictionaries/_explore.html" if request.htmx else "dictionaries/explore.html",
        {
            "corpus": corpus,
            "form": form,
            "other": other,
            "explorations": found,
            "problem": problem,
        },
    )


def explorations(corpus, form, other):
    """What is found by the settings; by two, each held against the other."""
    query = form.query()
    one = explored(corpus, query, form.settings)
    if other is None:
        return [one]
    two = explored(corpus, query, other.settings)
    return [held_against(one, two), held_against(two, one)]
