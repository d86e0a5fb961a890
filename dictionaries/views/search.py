"""Search in a corpus, for everybody who reads it."""

from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from corpus.models import Corpus
from corpus.throttling import throttled
from dictionaries.backends.base import IndexUnavailable
from dictionaries.forms import SearchForm
from dictionaries.searching import PER_PAGE, search_corpus


@require_GET
@vary_on_headers("HX-Request")
@throttled("search")
def search(request, slug):
    """The paragraphs that hold the words of a text, or are near to its meaning."""
    corpus = get_object_or_404(Corpus.objects.read_by(request.user), slug=slug)
    form = SearchForm(request.GET if "q" in request.GET else None, corpus=corpus)
    found, problem = None, ""
    if form.is_bound and form.is_valid():
        try:
            found = search_corpus(corpus=corpus, limit=PER_PAGE, **form.asked())
        except IndexUnavailable:
            problem = _("This corpus cannot be searched now: it has no whole index.")
    return render(
        request,
        "dictionaries/_search.html" if request.htmx else "dictionaries/search.html",
        {
            "corpus": corpus,
            "form": form,
            "found": found,
            "page": form.page() if found else 1,
            "problem": problem,
        },
    )
