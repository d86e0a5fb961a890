"""Imports of datasets over HTTP: records are sent, read and stored by a job, and reported."""

import json

from django.core.files.base import ContentFile
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.response import Response

from annotation.models import Campaign
from datasets.importing.options import LINES, LONGEST_NAME, ImportOptions
from datasets.importing.uploads import keep_upload
from datasets.models import DatasetImport
from datasets.models.imports import CHOICES
from operations.api import JobSerializer

MOST_RECORDS = 5000
FILE = "records.jsonl"


class RecordsSerializer(serializers.Serializer):
    """Records of one format, each as a line of its files, and the options of `import_dataset`."""

    format = serializers.ChoiceField(CHOICES)
    records = serializers.ListField(
        child=serializers.DictField(), min_length=1, max_length=MOST_RECORDS, allow_empty=False
    )
    wave = serializers.CharField(max_length=LONGEST_NAME, help_text="The wave of the labels.")
    language = serializers.CharField(default="", allow_blank=True, max_length=10)
    lines = serializers.ChoiceField(LINES, default="", allow_blank=True)
    dry_run = serializers.BooleanField(default=False, help_text="Only read and report.")

    @property
    def options(self):
        names = ("format", "lines", "language", "wave")
        return ImportOptions(**{name: self.validated_data[name] for name in names})


class DatasetImportSerializer(serializers.ModelSerializer):
    campaign = serializers.SlugRelatedField("slug", read_only=True)
    wave = serializers.SlugRelatedField("name", read_only=True, allow_null=True)
    url = serializers.HyperlinkedIdentityField("api:dataset-import", lookup_url_kwarg="import_id")
    files = serializers.ListField(child=serializers.CharField(), read_only=True)
    options = serializers.DictField(child=serializers.CharField(), read_only=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = DatasetImport
        fields = [
            "id",
            "url",
            "campaign",
            "format",
            "state",
            "files",
            "options",
            "wave",
            "job",
            "created_at",
            "ended_at",
        ]


class DatasetImportDetailSerializer(DatasetImportSerializer):
    report = serializers.DictField(
        read_only=True, help_text="What `import_dataset --json` prints; empty before it is read."
    )

    class Meta(DatasetImportSerializer.Meta):
        fields = [*DatasetImportSerializer.Meta.fields, "report"]


class DatasetImportRows:
    """Imports into the campaigns that the caller manages."""

    required_scope = "import"
    queryset = DatasetImport.objects.select_related("campaign", "wave", "job")

    def get_queryset(self):
        return super().get_queryset().managed_by(self.request.user)


class DatasetImportList(DatasetImportRows, generics.ListAPIView):
    """Imports of datasets into a campaign that you manage, newest first."""

    serializer_class = DatasetImportSerializer

    def get_queryset(self):
        return super().get_queryset().filter(campaign=self.campaign())

    def campaign(self):
        managed = Campaign.objects.managed_by(self.request.user).select_related("corpus")
        return get_object_or_404(managed, slug=self.kwargs["slug"])

    @extend_schema(request=RecordsSerializer, responses={202: DatasetImportDetailSerializer})
    def post(self, request, slug):
        """Import records of a dataset: all of them or none, by a job."""
        campaign = self.campaign()
        asked = RecordsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        lines = "".join(json.dumps(record) + "\n" for record in asked.validated_data["records"])
        run = keep_upload(
            campaign=campaign,
            files=[ContentFile(lines.encode("ascii"), name=FILE)],
            options=asked.options,
            by=request.user,
            then_import=not asked.validated_data["dry_run"],
        )
        context = self.get_serializer_context()
        return Response(DatasetImportDetailSerializer(run, context=context).data, status=202)


class DatasetImportDetail(DatasetImportRows, generics.RetrieveAPIView):
    """One import with its report; `job` says how far it is."""

    serializer_class = DatasetImportDetailSerializer
    lookup_url_kwarg = "import_id"


URLS = [
    path(
        "campaigns/<slug:slug>/dataset-imports/",
        DatasetImportList.as_view(),
        name="dataset-imports",
    ),
    path("dataset-imports/<int:import_id>/", DatasetImportDetail.as_view(), name="dataset-import"),
]
