"""Corpora: the list, the overview of one, its settings."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from corpus import services
from corpus.counts import corpus_counts
from corpus.followups import mark_later
from corpus.forms import CorpusForm
from corpus.models import Corpus

IMPORTS_SHOWN = 30


@require_GET
def corpora(request):
    """The corpora that this person may read."""
    return render(
        request,
        "corpus/corpora.html",
        {"corpora": Corpus.objects.read_by(request.user).order_by("name", "pk")},
    )


@require_http_methods(["GET", "POST"])
def new_corpus(request):
    if not request.user.is_superuser:
        raise Http404
    form = CorpusForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = services.create_corpus(corpus=form.save(commit=False), actor=request.user)
        messages.success(request, _("The corpus is there. Now import articles into it."))
        return redirect("corpus:new-import", made.slug)
    return render(request, "corpus/new_corpus.html", {"form": form})


@require_GET
def corpus(request, slug):
    """What a corpus holds; its managers also see how it came about."""
    corpus = get_object_or_404(Corpus.objects.read_by(request.user), slug=slug)
    manages = Corpus.objects.managed_by(request.user).filter(pk=corpus.pk).exists()
    imports = corpus.imports.select_related("created_by") if manages else corpus.imports.none()
    return render(
        request,
        "corpus/corpus.html",
        {
            "corpus": corpus,
            "manages": manages,
            "counts": corpus_counts(corpus),
            "imports": imports[:IMPORTS_SHOWN],
        },
    )


@require_http_methods(["GET", "POST"])
def edit_corpus(request, slug):
    if not request.user.is_superuser:
        raise Http404
    corpus = get_object_or_404(Corpus, slug=slug)
    form = CorpusForm(request.POST or None, instance=corpus)
    if request.method == "POST" and form.is_valid():
        services.edit_corpus(corpus=form.instance, changed=form.changed_data, actor=request.user)
        messages.success(request, _("The settings are saved."))
        return redirect("corpus:corpus", corpus.slug)
    return render(request, "corpus/edit_corpus.html", {"corpus": corpus, "form": form})


@require_POST
def mark_near_duplicates(request, slug):
    """Compare all articles once more."""
    corpus = get_object_or_404(Corpus.objects.managed_by(request.user), slug=slug)
    mark_later(corpus, by=request.user)
    messages.success(request, _("All articles are being compared; the counts follow."))
    return redirect("corpus:corpus", corpus.slug)
