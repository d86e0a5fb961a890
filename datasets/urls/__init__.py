"""Where the pages of datasets begin."""

from django.urls import include, path

from datasets.urls import exports, imports

app_name = "datasets"
urlpatterns = [
    path("exports/", include(exports.urlpatterns)),
    path("imports/", include(imports.urlpatterns)),
]
