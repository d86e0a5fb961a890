"""The pages of what is reached on a release."""

from django.urls import path

from datasets.views import results as views

urlpatterns = [
    path("<int:release_id>/baselines/", views.baselines, name="baselines"),
    path("<int:release_id>/baselines/cancel/", views.cancel_baselines, name="cancel-baselines"),
    path("<int:release_id>/predictions/", views.predictions, name="predictions"),
    path("results/<int:result_id>/", views.result, name="result"),
    path(
        "results/<int:result_id>/claims/<slug:matrix>/", views.result_claims, name="result-claims"
    ),
    path("results/<int:result_id>/remove/", views.remove_result, name="remove-result"),
]
