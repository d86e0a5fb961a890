"""The pages that check splits."""

from django.urls import path

from datasets.views import validator as views

urlpatterns = [
    path("", views.checks, name="checks"),
    path("<slug:key>/", views.check, name="check"),
    path("<slug:key>/cancel/", views.cancel_check, name="cancel-check"),
]
