"""Where the pages of datasets begin."""

from django.urls import include, path

from datasets.urls import exports, imports, releases, validator

app_name = "datasets"
urlpatterns = [
    path("exports/", include(exports.urlpatterns)),
    path("imports/", include(imports.urlpatterns)),
    path("releases/", include(releases.urlpatterns)),
    path("splits/", include(validator.urlpatterns)),
]
