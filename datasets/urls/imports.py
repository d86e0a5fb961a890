"""The pages of imports, and of what came with them."""

from django.urls import path

from datasets.views import imported, imports

urlpatterns = [
    path("campaigns/<slug:slug>/", imports.imports, name="imports"),
    path("campaigns/<slug:slug>/claims/<int:number>/", imported.claim, name="imported-claim"),
    path("<int:import_id>/", imports.import_, name="import"),
    path("<int:import_id>/start/", imports.start_import, name="start-import"),
    path("<int:import_id>/read/", imports.read_import, name="read-import"),
    path("<int:import_id>/cancel/", imports.cancel_import, name="cancel-import"),
    path("<int:import_id>/discard/", imports.discard_import, name="discard-import"),
]
