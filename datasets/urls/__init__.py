"""Where the pages of datasets begin."""

from django.urls import include, path

from datasets.urls import exports

app_name = "datasets"
urlpatterns = [
    path("exports/", include(exports.urlpatterns)),
]
