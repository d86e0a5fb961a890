"""Where the pages of datasets begin."""

from django.urls import include, path

from datasets.urls import exports, imports, localising, releases, scoring, translations, validator

app_name = "datasets"
urlpatterns = [
    path("exports/", include(exports.urlpatterns)),
    path("imports/", include(imports.urlpatterns)),
    path("localising/", include(localising.urlpatterns)),
    path("releases/", include(releases.urlpatterns)),
    path("scores/", include(scoring.urlpatterns)),
    path("splits/", include(validator.urlpatterns)),
    path("translations/", include(translations.urlpatterns)),
]
