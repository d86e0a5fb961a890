"""Pages of exports: start one, watch it, download its files."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.models import Campaign
from datasets import services
from datasets.archive import zipped
from datasets.downloads import file_answer
from datasets.folders import MANIFEST
from datasets.forms.exports import ExportForm
from datasets.models import Export

PER_PAGE = 20


@require_http_methods(["GET", "POST"])
def exports(request, slug):
    """A campaign's exports, newest first, and the form that starts another."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = ExportForm(request.POST or None, campaign=campaign)
    if request.method == "POST" and form.is_valid() and start(request, form):
        return redirect("datasets:exports", campaign.slug)
    rows = campaign.exports.select_related("job", "created_by", "campaign")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "datasets/exports.html", {"campaign": campaign, "form": form, "page": page}
    )


def start(request, form):
    """Start what the form says; whether that was possible."""
    try:
        services.start_export(campaign=form.campaign, options=form.options, by=request.user)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    messages.success(request, _("The export has been started. Its files will be listed below."))
    return True


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def export(request, export_id):
    """One export; its card asks again for itself while the export is being made."""
    one = get_object_or_404(managed(request.user), pk=export_id)
    template = "datasets/_export.html" if request.htmx else "datasets/export.html"
    return render(request, template, {"export": one, "campaign": one.campaign})


@require_POST
@vary_on_headers("HX-Request")
def cancel_export(request, export_id):
    one = get_object_or_404(managed(request.user), pk=export_id)
    services.cancel_export(export=one, by=request.user)
    if not request.htmx:
        return redirect("datasets:exports", one.campaign.slug)
    one = managed(request.user).get(pk=export_id)
    return render(request, "datasets/_export.html", {"export": one})


@require_GET
def export_file(request, export_id, name):
    """One file of an export, streamed."""
    one = get_object_or_404(managed(request.user), pk=export_id)
    return file_answer(one, name)


@require_GET
def export_archive(request, export_id):
    """All files of an export as one zip, streamed."""
    one = get_object_or_404(managed(request.user), pk=export_id)
    names = [MANIFEST, *(file["name"] for file in one.files)]
    paths = [one.path_of(name) for name in names]
    if not all(path and path.is_file() for path in paths):
        raise Http404
    blocks = zipped(paths, one.name, root=one.folder)
    response = StreamingHttpResponse(blocks, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{one.name}.zip"'
    return response


def managed(user):
    return Export.objects.managed_by(user).select_related("job", "created_by", "campaign")
