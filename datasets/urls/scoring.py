"""The pages that score predictions."""

from django.urls import path

from datasets.views import scoring as views

urlpatterns = [
    path("", views.scores, name="scores"),
    path("<slug:key>/", views.score, name="score"),
    path("<slug:key>/claims/", views.score_claims, name="score-claims"),
    path("<slug:key>/files/<str:name>", views.score_file, name="score-file"),
    path("<slug:key>/cancel/", views.cancel_score, name="cancel-score"),
]
