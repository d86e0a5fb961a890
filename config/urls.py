"""Where each app's pages begin."""

from django.urls import include, path

from accounts.views import set_language
from config import help_pages
from operations.views import health

urlpatterns = [
    path("healthz", health, name="health"),
    path("language/", set_language, name="set_language"),
    path("help/", help_pages.guides, name="guides"),
    path("help/<slug:name>/", help_pages.guide, name="guide"),
    path("accounts/", include("accounts.urls")),
    path("jobs/", include("operations.urls")),
    path("corpora/", include("corpus.urls")),
    path("dictionaries/", include("dictionaries.urls")),
    path("agreement/", include("agreement.urls")),
    path("", include("datasets.urls")),
    path("api/v1/", include("config.api")),
    path("", include("annotation.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
