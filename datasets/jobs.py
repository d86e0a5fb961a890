"""What datasets do in the background."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from datasets import checking, scoring
from datasets.importing.uploads import (
    IMPORT_JOB,
    READ_JOB,
    import_upload,
    read_upload,
    sweep_datasets,
)
from datasets.localising import jobs as localising
from datasets.models import DatasetImport, Export
from datasets.releases import jobs as releases
from datasets.results import jobs as results
from datasets.services import JOB, run_export, sweep_exports

SHOWN = ("claims_new", "claims_same", "annotations", "bad")


def export_job(progress, *, export_id):
    export = Export.objects.select_related("campaign__corpus").get(pk=export_id)
    run_export(export=export, progress=progress)
    return {"lines": export.counts["lines"], "url": reverse("datasets:export", args=[export.pk])}


def read_dataset_job(progress, *, import_id):
    return result_of(read_upload(run=upload_of(import_id), progress=progress))


def import_dataset_job(progress, *, import_id):
    return result_of(import_upload(run=upload_of(import_id), progress=progress))


def upload_of(import_id):
    return DatasetImport.objects.select_related("campaign__corpus", "created_by").get(pk=import_id)


def result_of(run):
    counts = {name: run.report[name] for name in SHOWN}
    return {**counts, "url": reverse("datasets:import", args=[run.pk])}


HANDLERS = {
    JOB: export_job,
    READ_JOB: read_dataset_job,
    IMPORT_JOB: import_dataset_job,
    **releases.HANDLERS,
    **results.HANDLERS,
    **checking.HANDLERS,
    **scoring.HANDLERS,
    **localising.HANDLERS,
}
TITLES = {
    JOB: _("Export"),
    READ_JOB: _("Read a dataset"),
    IMPORT_JOB: _("Import a dataset"),
    **releases.TITLES,
    **results.TITLES,
    **checking.TITLES,
    **scoring.TITLES,
    **localising.TITLES,
}
SWEEPS = [
    sweep_datasets,
    sweep_exports,
    *releases.SWEEPS,
    *checking.SWEEPS,
    *scoring.SWEEPS,
    *localising.SWEEPS,
]
