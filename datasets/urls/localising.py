"""The pages that localise a dataset."""

from django.urls import path

from datasets.views import localising as views

urlpatterns = [
    path("", views.localisations, name="localisations"),
    path("<slug:key>/", views.localisation, name="localisation"),
    path("<slug:key>/cancel/", views.cancel_localisation, name="cancel-localisation"),
    path("<slug:key>/archive/", views.localisation_archive, name="localisation-archive"),
]
