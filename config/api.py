"""The HTTP API: the routes that each app lists in its `api.py`, and their OpenAPI document.

An app's `api.py` has ROUTES, a list of (prefix, viewset, basename), and may have URLS, a list
of paths for what is no list of rows.
"""

from django.contrib.auth.decorators import login_not_required
from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import SimpleRouter

from accounts import schema  # noqa: F401 - drf-spectacular learns our tokens by its import
from accounts.found import found

router = SimpleRouter()
for routes in found("api", "ROUTES"):
    for prefix, viewset, basename in routes:
        router.register(prefix, viewset, basename=basename)

app_name = "api"
urlpatterns = [
    path("schema/", login_not_required(SpectacularAPIView.as_view()), name="schema"),
    *[url for urls in found("api", "URLS") for url in urls],
    *router.urls,
]
