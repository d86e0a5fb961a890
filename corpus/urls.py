"""The pages of corpus."""

from django.urls import path

from corpus.views import articles, corpora, imports

app_name = "corpus"
urlpatterns = [
    path("", corpora.corpora, name="corpora"),
    path("new/", corpora.new_corpus, name="new-corpus"),
    path("<slug:slug>/", corpora.corpus, name="corpus"),
    path("<slug:slug>/edit/", corpora.edit_corpus, name="edit-corpus"),
    path(
        "<slug:slug>/mark-near-duplicates/",
        corpora.mark_near_duplicates,
        name="mark-near-duplicates",
    ),
    path("<slug:slug>/articles/", articles.articles, name="articles"),
    path("<slug:slug>/articles/<int:article_id>/", articles.article, name="article"),
    path(
        "<slug:slug>/articles/<int:article_id>/versions/<int:version>/",
        articles.article,
        name="article-version",
    ),
    path(
        "<slug:slug>/articles/<int:article_id>/set-retrievable/",
        articles.set_retrievable,
        name="set-retrievable",
    ),
    path("<slug:slug>/imports/new/", imports.new_import, name="new-import"),
    path("<slug:slug>/imports/<int:import_id>/", imports.import_, name="import"),
    path("<slug:slug>/imports/<int:import_id>/start/", imports.start_import, name="start-import"),
    path("<slug:slug>/imports/<int:import_id>/clean/", imports.clean_import, name="clean-import"),
    path(
        "<slug:slug>/imports/<int:import_id>/discard/",
        imports.discard_import,
        name="discard-import",
    ),
]
