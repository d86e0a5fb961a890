"""Localisations over HTTP: records, titles and translations are sent, and localised by a job."""

from django.http import FileResponse, Http404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets import kept
from datasets.api.records import file_of, lines_field
from datasets.downloads import JSON, LINES
from datasets.folders import MANIFEST
from datasets.localising.jobs import JOB, files_of, start_localisation
from datasets.localising.options import PAGES, LocalisingOptions
from datasets.localising.splitting import GROUPS
from datasets.options import BIGGEST_SEED
from operations.api import JobSerializer


class LocalisingSerializer(serializers.Serializer):
    """The options of `localise_dataset`, and its files as lists of their lines."""

    records = lines_field(help_text="Claims in FEVER's form.")
    titles = lines_field(help_text="Objects with source and target.")
    translations = lines_field(
        required=False, help_text="Objects with id and claim; without it the site's translator."
    )
    split = serializers.CharField(default="", allow_blank=True, max_length=200)
    group = serializers.ChoiceField(GROUPS, default="article")
    balanced = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=10
    )
    pages = serializers.ChoiceField(PAGES, default="fever")
    seed = serializers.IntegerField(default=0, min_value=0, max_value=BIGGEST_SEED)

    @property
    def options(self):
        names = ("split", "group", "pages", "seed")
        balanced = self.validated_data.get("balanced")
        return LocalisingOptions(
            **{name: self.validated_data[name] for name in names},
            balanced=tuple(balanced or ()),
            is_balanced_by_default=balanced is None,
        )

    @property
    def files(self):
        """The arguments of `start_localisation` that are files."""
        sent = {name: file_of(name, lines) for name, lines in self.validated_data.items()
                if name in ("records", "titles", "translations")}  # fmt: skip
        return {"files": [sent["records"]], "titles": sent["titles"],
                "translations": sent.get("translations")}  # fmt: skip


class LocalisationSerializer(serializers.Serializer):
    job = JobSerializer()
    report = serializers.DictField(
        allow_null=True, help_text="What `localise_dataset --json` prints; null until it is there."
    )


class LocalisationList(APIView):
    required_scope = "export"

    @extend_schema(request=LocalisingSerializer, responses={202: JobSerializer})
    def post(self, request):
        """Localise a dataset; the job's key names what comes of it."""
        if not kept.may_upload(request.user):
            raise Http404
        asked = LocalisingSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        job = start_localisation(**asked.files, options=asked.options, by=request.user)
        return Response(JobSerializer(job).data, status=202)


class LocalisationDetail(APIView):
    required_scope = "export"

    @extend_schema(responses=LocalisationSerializer)
    def get(self, request, key):
        """One localisation with its report; its files are kept for a week."""
        job = kept.job_of(JOB, request.user, key)
        return Response({"job": JobSerializer(job).data, "report": kept.report_of(JOB, key)})


class LocalisationFile(APIView):
    required_scope = "export"

    @extend_schema(responses={(200, LINES): OpenApiTypes.BINARY, (200, JSON): OpenApiTypes.OBJECT})
    def get(self, request, key, name):
        """One file of a localisation, or its manifest.json, streamed."""
        kept.job_of(JOB, request.user, key)
        report = kept.report_of(JOB, key)
        found = {path.name: path for path in (files_of(key, report) if report else [])}
        if name not in found:
            raise Http404
        kind = JSON if name == MANIFEST else LINES
        return FileResponse(
            found[name].open("rb"), as_attachment=True, filename=name, content_type=kind
        )


URLS = [
    path("localisations/", LocalisationList.as_view(), name="localisations"),
    path("localisations/<slug:key>/", LocalisationDetail.as_view(), name="localisation"),
    path(
        "localisations/<slug:key>/files/<str:name>",
        LocalisationFile.as_view(),
        name="localisation-file",
    ),
]
