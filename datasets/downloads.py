"""One file of an export, streamed: the same answer on a page and over the API."""

from django.http import FileResponse, Http404

from datasets.folders import MANIFEST
from datasets.models import Export

LINES, JSON = "application/x-ndjson", "application/json"
TABLES = {".csv": "text/csv", ".tsv": "text/tab-separated-values"}


def file_answer(export: Export, name: str) -> FileResponse:
    """The file of this name, or the manifest; 404 for any other name."""
    path = export.path_of(name)
    if path is None or not path.is_file():
        raise Http404
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"{export.name}-{name.replace('/', '-')}",
        content_type=JSON if name == MANIFEST else TABLES.get(path.suffix, LINES),
    )
