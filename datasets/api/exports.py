"""Exports over HTTP: started, watched, downloaded."""

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.response import Response
from rest_framework.reverse import reverse

from agreement.measures.annotations import CONDITIONAL_LABELS, OWN_LABELS
from annotation.models import Campaign
from datasets.downloads import JSON, LINES, file_answer
from datasets.folders import MANIFEST
from datasets.importing.options import LINES as LINE_KINDS
from datasets.models import Export
from datasets.options import (
    BIGGEST_SEED,
    EVIDENCE,
    FORMATS,
    OVERSIZED,
    PER,
    TIES,
    ExportOptions,
)
from datasets.services import start_export
from operations.api import JobSerializer


def names(help_text):
    """A list of names, empty where it is not said."""
    child = serializers.CharField(max_length=100)
    return serializers.ListField(child=child, default=list, max_length=1000, help_text=help_text)


class OptionsSerializer(serializers.Serializer):
    """The options of `export_dataset`, with its defaults."""

    format = serializers.ChoiceField(list(FORMATS.items()))
    waves = names("Names of waves; all but sandboxes where it is empty.")
    own = serializers.ChoiceField(OWN_LABELS, default="never")
    conditional = serializers.ChoiceField(CONDITIONAL_LABELS, default="nei")
    ties = serializers.ChoiceField(TIES, default="leave-out")
    drop_supersets = serializers.BooleanField(
        default=False, help_text="Whether evidence sets that contain another one go."
    )
    evidence = serializers.ChoiceField(EVIDENCE, default="", allow_blank=True)
    per = serializers.ChoiceField(PER, default="", allow_blank=True)
    lines = serializers.ChoiceField(
        LINE_KINDS, default="", allow_blank=True, help_text="Of fever; as the corpus was read."
    )
    is_joined = serializers.BooleanField(default=True)
    split = serializers.CharField(
        default="", allow_blank=True, max_length=200, help_text="train=0.8,dev=0.1,test=0.1"
    )
    oversized = serializers.ChoiceField(OVERSIZED, default="train")
    balanced = names("Splits that get as many claims of each label.")
    seed = serializers.IntegerField(default=0, min_value=0, max_value=BIGGEST_SEED)
    superseded = serializers.BooleanField(default=False)
    times = serializers.BooleanField(default=False)
    texts = serializers.BooleanField(default=False)

    @property
    def options(self):
        return ExportOptions.of(self.validated_data)


class FileSerializer(serializers.Serializer):
    name = serializers.CharField()
    lines = serializers.IntegerField()
    sha256 = serializers.CharField()
    url = serializers.URLField()


class ExportSerializer(serializers.ModelSerializer):
    campaign = serializers.SlugRelatedField("slug", read_only=True)
    url = serializers.HyperlinkedIdentityField("api:export", lookup_url_kwarg="export_id")
    options = serializers.DictField(read_only=True)
    files = serializers.SerializerMethodField(help_text="Empty until the job is done.")
    manifest = serializers.SerializerMethodField(help_text="Where its manifest is.")
    counts = serializers.DictField(read_only=True)
    left_out = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    splits = serializers.DictField(read_only=True, allow_null=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = Export
        fields = [
            "id",
            "url",
            "campaign",
            "format",
            "options",
            "files",
            "manifest",
            "counts",
            "left_out",
            "splits",
            "job",
            "created_at",
        ]

    @extend_schema_field(FileSerializer(many=True))
    def get_files(self, export):
        return [{**file, "url": self.address(export, file["name"])} for file in export.files]

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_manifest(self, export):
        return self.address(export, MANIFEST) if export.is_ready else None

    def address(self, export, name):
        kwargs = {"export_id": export.pk, "name": name}
        return reverse("api:export-file", kwargs=kwargs, request=self.context["request"])


class ExportRows:
    """Exports of the campaigns that the caller manages."""

    required_scope = "export"
    serializer_class = ExportSerializer
    queryset = Export.objects.select_related("campaign", "job")

    def get_queryset(self):
        return super().get_queryset().managed_by(self.request.user)


class ExportList(ExportRows, generics.ListAPIView):
    """Exports of a campaign that you manage, newest first."""

    def get_queryset(self):
        return super().get_queryset().filter(campaign=self.campaign())

    def campaign(self):
        managed = Campaign.objects.managed_by(self.request.user)
        return get_object_or_404(managed, slug=self.kwargs["slug"])

    @extend_schema(request=OptionsSerializer, responses={202: ExportSerializer})
    def post(self, request, slug):
        """Start an export: written by a job, identical on each run of the same settings."""
        campaign = self.campaign()
        asked = OptionsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        export = start_export(campaign=campaign, options=asked.options, by=request.user)
        return Response(self.get_serializer(export).data, status=202)


class ExportDetail(ExportRows, generics.RetrieveAPIView):
    """One export with its files; `job` says how far it is."""

    lookup_url_kwarg = "export_id"


class ExportFile(ExportRows, generics.GenericAPIView):
    lookup_url_kwarg = "export_id"

    @extend_schema(responses={(200, LINES): OpenApiTypes.BINARY, (200, JSON): OpenApiTypes.OBJECT})
    def get(self, request, export_id, name):
        """One file of an export, or its manifest.json, streamed."""
        return file_answer(self.get_object(), name)


URLS = [
    path("campaigns/<slug:slug>/exports/", ExportList.as_view(), name="exports"),
    path("exports/<int:export_id>/", ExportDetail.as_view(), name="export"),
    path("exports/<int:export_id>/files/<path:name>", ExportFile.as_view(), name="export-file"),
]
