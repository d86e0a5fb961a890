"""Exports that people start in the browser or by the API: queued, run by a job, cancelled."""

from collections.abc import Callable

from django.conf import settings
from django.db import transaction

from accounts.events import record_event
from accounts.models import User
from annotation.models import Campaign
from datasets.exporting import export_to
from datasets.folders import clear_partials
from datasets.manifest import read_manifest
from datasets.models import Export
from datasets.models.exports import FOLDER
from datasets.options import ExportOptions, checked_options
from datasets.telling import told_beside
from operations.jobs import cancel_job, queue_job

JOB = "export"


@transaction.atomic
def start_export(*, campaign: Campaign, options: ExportOptions, by: User) -> Export:
    """Queue an export. One of the same settings that is not done yet is that same one.

    Raises ValidationError where the options do not fit the campaign.
    """
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    chosen = checked_options(campaign, options).as_settings()
    for running in Export.objects.live().filter(campaign=campaign).select_related("job"):
        if running.options == chosen and not running.job.cancel_asked:
            return running
    export = Export.objects.create(
        campaign=campaign, format=chosen["format"], options=chosen, created_by=by
    )
    key = f"{campaign.slug} {export.pk}"
    export.job = queue_job(kind=JOB, key=key, arguments={"export_id": export.pk}, by=by)
    export.save(update_fields=["job"])
    record_event(actor=by, verb="started export", subject=export, data=chosen)
    return export


def run_export(*, export: Export, progress: Callable[..., None]) -> Export:
    """Write the files and note what they are; run again after a crash, it ends the same."""
    manifest = read_manifest(export.folder)
    if manifest is None:
        options = ExportOptions.of(export.options)
        with told_beside(progress) as tell:
            manifest = export_to(
                export.folder, campaign=export.campaign, options=options, progress=tell
            )
    for name in ("files", "counts", "left_out", "splits"):
        setattr(export, name, manifest[name])
    export.save(update_fields=["files", "counts", "left_out", "splits"])
    return export


def cancel_export(*, export: Export, by: User) -> None:
    """End the job of an export that is not done; what it wrote so far goes."""
    if export.is_live:
        cancel_job(job=export.job)
        record_event(actor=by, verb="cancelled export", subject=export)


def sweep_exports() -> None:
    """Delete what exports that were killed for good left half written."""
    clear_partials(settings.DATA_DIR / FOLDER)
