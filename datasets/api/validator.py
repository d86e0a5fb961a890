"""Checks of splits over HTTP: records are sent, compared by a job, and reported."""

import json

from django.core.files.base import ContentFile
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.checking import FEWEST, MOST, checks_of, may_check, report_of, start_check
from operations.api import JobSerializer

MOST_RECORDS = 20_000


class SplitSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=100)
    records = serializers.ListField(
        child=serializers.DictField(), min_length=1, max_length=MOST_RECORDS
    )


class SplitsSerializer(serializers.Serializer):
    """Two or three splits, their records as the lines of files."""

    splits = serializers.ListField(child=SplitSerializer(), min_length=FEWEST, max_length=MOST)


class CheckSerializer(serializers.Serializer):
    job = JobSerializer()
    report = serializers.DictField(
        allow_null=True, help_text="What `check_splits --json` prints; null until it is there."
    )


class SplitChecks(APIView):
    required_scope = "export"

    @extend_schema(request=SplitsSerializer, responses={202: JobSerializer})
    def post(self, request):
        """Check what two or three splits share; the job's key names the report."""
        if not may_check(request.user):
            raise Http404
        asked = SplitsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        files = [file_of(split) for split in asked.validated_data["splits"]]
        return Response(JobSerializer(start_check(files=files, by=request.user)).data, status=202)


def file_of(split) -> ContentFile:
    lines = "".join(json.dumps(record) + "\n" for record in split["records"])
    return ContentFile(lines.encode("ascii"), name=f"{split['name']}.jsonl")


class SplitCheck(APIView):
    required_scope = "export"

    @extend_schema(responses=CheckSerializer)
    def get(self, request, key):
        """One check with its report, which is kept for a week."""
        job = get_object_or_404(checks_of(request.user), key=key)
        return Response({"job": JobSerializer(job).data, "report": report_of(key)})


URLS = [
    path("splits/", SplitChecks.as_view(), name="split-checks"),
    path("splits/<slug:key>/", SplitCheck.as_view(), name="split-check"),
]
