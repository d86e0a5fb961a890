"""Where the cues are."""

from django.urls import path

from agreement.views import cues

urlpatterns = [
    path("campaigns/<slug:slug>/cues/", cues.cues, name="cues"),
    path("campaigns/<slug:slug>/cues.csv", cues.cues_csv, name="cues-csv"),
]
