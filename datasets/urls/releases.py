"""The pages of releases."""

from django.urls import include, path

from datasets.urls import results
from datasets.views import releases as views

urlpatterns = [
    path("", include(results.urlpatterns)),
    path("campaigns/<slug:slug>/", views.releases, name="releases"),
    path("jobs/<int:job_id>/", views.release_job, name="release-job"),
    path("jobs/<int:job_id>/cancel/", views.cancel_release, name="cancel-release"),
    path("<int:release_id>/", views.release, name="release"),
    path("<int:release_id>/card/", views.release_card, name="release-card"),
    path("<int:release_id>/archive/", views.release_archive, name="release-archive"),
    path("<int:release_id>/files/<path:name>", views.release_file, name="release-file"),
    path("<int:release_id>/since/<int:older_id>/", views.release_diff, name="release-diff"),
]
