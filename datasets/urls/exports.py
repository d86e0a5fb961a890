"""The pages of exports."""

from django.urls import path

from datasets.views import exports as views

urlpatterns = [
    path("campaigns/<slug:slug>/", views.exports, name="exports"),
    path("<int:export_id>/", views.export, name="export"),
    path("<int:export_id>/cancel/", views.cancel_export, name="cancel-export"),
    path("<int:export_id>/archive/", views.export_archive, name="export-archive"),
    path("<int:export_id>/files/<path:name>", views.export_file, name="export-file"),
]
