"""The pages of agreement."""

from django.urls import include, path

app_name = "agreement"
urlpatterns = [
    path("", include("agreement.figure_urls")),
    path("", include("agreement.cue_urls")),
]
