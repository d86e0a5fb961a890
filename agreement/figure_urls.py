"""Where the dashboard, its tables and the conflicts are."""

from django.urls import path

from agreement.views import conflicts, dashboard, downloads

urlpatterns = [
    path("campaigns/<slug:slug>/", dashboard.dashboard, name="dashboard"),
    path("campaigns/<slug:slug>/conflicts/", conflicts.conflicts, name="conflicts"),
    path("campaigns/<slug:slug>/tables/<slug:table>.csv", downloads.table_csv, name="table-csv"),
    path("campaigns/<slug:slug>/tables/<slug:table>.json", downloads.table_json, name="table-json"),
    path("campaigns/<slug:slug>/<slug:kind>/recompute/", dashboard.recompute, name="recompute"),
    path("conflicts/<int:instance_id>/", conflicts.conflict, name="conflict"),
]
