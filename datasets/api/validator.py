"""Checks of splits over HTTP: records are sent, compared by a job, and reported."""

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets import kept
from datasets.api.records import file_of, lines_field
from datasets.checking import FEWEST, JOB, MOST, start_check
from operations.api import JobSerializer


class SplitSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=100)
    records = lines_field()


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
        if not kept.may_upload(request.user):
            raise Http404
        asked = SplitsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        splits = asked.validated_data["splits"]
        files = [file_of(split["name"], split["records"]) for split in splits]
        return Response(JobSerializer(start_check(files=files, by=request.user)).data, status=202)


class SplitCheck(APIView):
    required_scope = "export"

    @extend_schema(responses=CheckSerializer)
    def get(self, request, key):
        """One check with its report, which is kept for a week."""
        job = kept.job_of(JOB, request.user, key)
        return Response({"job": JobSerializer(job).data, "report": kept.report_of(JOB, key)})


URLS = [
    path("splits/", SplitChecks.as_view(), name="split-checks"),
    path("splits/<slug:key>/", SplitCheck.as_view(), name="split-check"),
]
