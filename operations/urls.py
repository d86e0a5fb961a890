"""The pages of jobs."""

from django.urls import path

from operations import views

app_name = "operations"
urlpatterns = [
    path("", views.jobs, name="jobs"),
    path("<int:job_id>/", views.job, name="job"),
    path("<int:job_id>/cancel/", views.cancel, name="cancel"),
    path("<int:job_id>/run-again/", views.run_again, name="run-again"),
]
