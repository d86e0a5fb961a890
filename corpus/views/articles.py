"""Articles: the list, one of them in any of its versions, and whether it may be retrieved."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from corpus import services
from corpus.forms import ArticleSearchForm
from corpus.listing import article_page
from corpus.models import Article, Corpus
from corpus.throttling import throttled

COPIES_SHOWN = 20


@require_GET
@vary_on_headers("HX-Request")
@throttled("search")
def articles(request, slug):
    """The articles of a corpus, newest first, narrowed by words and days."""
    corpus = get_object_or_404(Corpus.objects.read_by(request.user), slug=slug)
    form = ArticleSearchForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    cursors = {name: request.GET.get(name, "") for name in ("before", "after")}
    template = "corpus/_articles.html" if request.htmx else "corpus/articles.html"
    context = {"corpus": corpus, "form": form, "page": article_page(corpus, **asked, **cursors)}
    return render(request, template, context)


@require_GET
@throttled("reading")
def article(request, slug, article_id, version=None):
    """One article as it is, or as it was in an earlier version."""
    corpus = get_object_or_404(Corpus.objects.read_by(request.user), slug=slug)
    article = get_object_or_404(
        Article.objects.visible().select_related("duplicate_of", "added_by"),
        corpus=corpus,
        pk=article_id,
    )
    shown = version or article.version
    paragraphs = list(article.paragraphs.filter(version=shown).order_by("rank"))
    if shown > article.version or (version and not paragraphs):
        return redirect("corpus:article", slug, article.pk)
    return render(
        request,
        "corpus/article.html",
        {
            "corpus": corpus,
            "article": article,
            "version": shown,
            "versions": range(1, article.version + 1),
            "dated": paragraphs[0] if paragraphs else article,
            "title": next((p.text for p in paragraphs if p.rank == 0), article.title),
            "paragraphs": [paragraph for paragraph in paragraphs if paragraph.rank],
            "copies": article.duplicates.visible()[:COPIES_SHOWN],
            "manages": Corpus.objects.managed_by(request.user).filter(pk=corpus.pk).exists(),
        },
    )


@require_POST
def set_retrievable(request, slug, article_id):
    """Leave an article out of sampling and dictionaries, or take it in again."""
    corpus = get_object_or_404(Corpus.objects.managed_by(request.user), slug=slug)
    article = get_object_or_404(Article.objects.visible(), corpus=corpus, pk=article_id)
    wanted = request.POST.get("retrievable") == "yes"
    article = services.set_retrievable(article=article, retrievable=wanted, actor=request.user)
    if article.retrievable:
        messages.success(request, _("The article may be drawn and retrieved again."))
    else:
        messages.success(request, _("The article is left out of sampling and dictionaries."))
    return redirect("corpus:article", corpus.slug, article.pk)
