"""What datasets do in the background."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from datasets.models import Export
from datasets.services import JOB, run_export


def export_job(progress, *, export_id):
    export = Export.objects.select_related("campaign__corpus").get(pk=export_id)
    run_export(export=export, progress=progress)
    lines = sum(file["lines"] for file in export.files)
    return {"lines": lines, "url": reverse("datasets:export", args=[export.pk])}


HANDLERS = {JOB: export_job}
TITLES = {JOB: _("Export")}
