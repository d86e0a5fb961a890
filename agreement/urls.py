"""The pages of agreement."""

from django.urls import path

from agreement.views import conflicts, cues, dashboard, downloads

app_name = "agreement"
urlpatterns = [
    path("campaigns/<slug:slug>/", dashboard.dashboard, name="dashboard"),
    path("campaigns/<slug:slug>/conflicts/", conflicts.conflicts, name="conflicts"),
    path("campaigns/<slug:slug>/cues/", cues.cues, name="cues"),
    path("campaigns/<slug:slug>/cues.csv", downloads.cues_csv, name="cues-csv"),
    path("campaigns/<slug:slug>/tables/<slug:table>.csv", downloads.table_csv, name="table-csv"),
    path("campaigns/<slug:slug>/<slug:kind>/recompute/", dashboard.recompute, name="recompute"),
    path("conflicts/<int:instance_id>/", conflicts.conflict, name="conflict"),
]
