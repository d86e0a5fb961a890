"""Releases over HTTP: made, watched, compared, downloaded."""

from dataclasses import fields
from datetime import date

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.models import Campaign
from datasets.api.exports import OptionsSerializer
from datasets.downloads import LINES
from datasets.models import Release
from datasets.options import FORMATS
from datasets.releases.comparing import compared, is_quick
from datasets.releases.options import GIVEN, LONGEST, ReleaseOptions
from datasets.releases.services import start_release
from datasets.views.releases import file_answer
from operations.api import JobSerializer

KNOWN = {field.name for field in fields(ReleaseOptions)}
FORMAT_NAMES = serializers.ChoiceField(list(FORMATS.items()))


class ReleaseOptionsSerializer(OptionsSerializer):
    """The options of `make_release`, with its defaults; a name is never given again."""

    name = serializers.CharField(max_length=40)
    date = serializers.DateField(default=date.today, help_text="What the card gives.")
    formats = serializers.ListField(child=FORMAT_NAMES, default=list, max_length=50)
    licence = serializers.CharField(default="", allow_blank=True, max_length=200)

    def get_fields(self):
        asked = super().get_fields()
        asked = {name: asked[name] for name in asked if name in KNOWN or name == "name"}
        for name in GIVEN:
            asked[name] = serializers.CharField(
                default="", allow_blank=True, max_length=LONGEST, help_text="For the card."
            )
        return asked

    @property
    def options(self):
        chosen = {**self.validated_data, "date": self.validated_data["date"].isoformat()}
        return ReleaseOptions.of(chosen)


class ReleaseFileSerializer(serializers.Serializer):
    name = serializers.CharField()
    sha256 = serializers.CharField()
    url = serializers.URLField()


class ReleaseSerializer(serializers.ModelSerializer):
    campaign = serializers.SlugRelatedField("slug", read_only=True)
    url = serializers.HyperlinkedIdentityField("api:release", lookup_url_kwarg="release_id")
    options = serializers.DictField(read_only=True)

    class Meta:
        model = Release
        fields = ["id", "url", "campaign", "name", "options", "sha256", "created_at"]


class ReleaseDetailSerializer(ReleaseSerializer):
    contents = serializers.DictField(read_only=True, help_text="As release.json has them.")
    files = serializers.SerializerMethodField()

    class Meta(ReleaseSerializer.Meta):
        fields = [*ReleaseSerializer.Meta.fields, "contents", "files"]

    @extend_schema_field(ReleaseFileSerializer(many=True))
    def get_files(self, release):
        request = self.context["request"]
        return [
            {
                "name": name,
                "sha256": digest,
                "url": reverse(
                    "api:release-file",
                    kwargs={"release_id": release.pk, "name": name},
                    request=request,
                ),
            }
            for name, digest in sorted(release.hashes.items())
        ]


class ReleaseRows:
    """Releases of the campaigns that the caller manages."""

    required_scope = "export"
    serializer_class = ReleaseSerializer
    queryset = Release.objects.select_related("campaign")

    def get_queryset(self):
        return super().get_queryset().managed_by(self.request.user)


class ReleaseList(ReleaseRows, generics.ListAPIView):
    """Releases of a campaign that you manage, newest first."""

    def get_queryset(self):
        return super().get_queryset().filter(campaign=self.campaign()).defer("contents")

    def campaign(self):
        managed = Campaign.objects.managed_by(self.request.user).select_related("corpus")
        return get_object_or_404(managed, slug=self.kwargs["slug"])

    @extend_schema(request=ReleaseOptionsSerializer, responses={202: JobSerializer})
    def post(self, request, slug):
        """Make a release: by a job, whose result has its address."""
        campaign = self.campaign()
        asked = ReleaseOptionsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        name = asked.validated_data["name"]
        job = start_release(campaign=campaign, name=name, options=asked.options, by=request.user)
        return Response(JobSerializer(job).data, status=202)


class ReleaseDetail(ReleaseRows, generics.RetrieveAPIView):
    """One release: what went in, figures, files."""

    serializer_class = ReleaseDetailSerializer
    lookup_url_kwarg = "release_id"


class ReleaseFile(ReleaseRows, generics.GenericAPIView):
    lookup_url_kwarg = "release_id"

    @extend_schema(responses={(200, LINES): OpenApiTypes.BINARY})
    def get(self, request, release_id, name):
        """One file of a release, streamed."""
        return file_answer(self.get_object(), name)


class ReleaseDiff(ReleaseRows, generics.GenericAPIView):
    lookup_url_kwarg = "release_id"

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request, release_id, older_id):
        """What changed since an older release; larger ones by the command `release_diff`."""
        new = self.get_object()
        of_campaign = self.get_queryset().filter(campaign=new.campaign_id)
        old = get_object_or_404(of_campaign, pk=older_id)
        if not is_quick(old, new):
            raise ValidationError("These releases are too large; use the command release_diff.")
        return Response(compared(old, new))


URLS = [
    path("campaigns/<slug:slug>/releases/", ReleaseList.as_view(), name="releases"),
    path("releases/<int:release_id>/", ReleaseDetail.as_view(), name="release"),
    path("releases/<int:release_id>/files/<path:name>", ReleaseFile.as_view(), name="release-file"),
    path(
        "releases/<int:release_id>/since/<int:older_id>/",
        ReleaseDiff.as_view(),
        name="release-diff",
    ),
]
