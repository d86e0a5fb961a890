"""Scores of predictions over HTTP: records are sent, scored by a job, and reported."""

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets import kept
from datasets.api.records import file_of, lines_field
from datasets.scorers.matching import WAYS
from datasets.scorers.report import LIMITS
from datasets.scoring import JOB, PARTS, results_of, start_score
from datasets.scoring_words import TASKS
from operations.api import JobSerializer


def limit(help_text):
    return serializers.CharField(default="", allow_blank=True, max_length=9, help_text=help_text)


class PredictionsSerializer(serializers.Serializer):
    """The options of `score`, and its files as lists of their lines."""

    task = serializers.ChoiceField(list(TASKS))
    gold = lines_field()
    predictions = lines_field(allow_empty=True)
    corpus = lines_field(required=False, help_text="fever, scifact, ctkfacts: what they may cite.")
    match = serializers.ChoiceField(WAYS, default="auto")
    max_evidence = limit('fever, feverous: how many predicted items count; or "all".')
    max_cells = limit('feverous: how many predicted cells count; or "all".')

    @property
    def chosen(self):
        """The arguments of `start_score`."""
        values = self.validated_data
        return {
            "task": values["task"],
            "match": values["match"],
            "limits": {name: values[name] for name in LIMITS},
            "files": {part: file_of(part, values[part]) for part in PARTS if part in values},
        }


class ScoreSerializer(serializers.Serializer):
    job = JobSerializer()
    report = serializers.DictField(
        allow_null=True, help_text="What `score --json` prints; null until it is there."
    )


class ClaimResultSerializer(serializers.Serializer):
    """A claim with what it earned, as `score --per-claim` writes it."""

    id = serializers.CharField()

    def to_representation(self, result):
        return result


class ScoreList(APIView):
    required_scope = "export"

    @extend_schema(request=PredictionsSerializer, responses={202: JobSerializer})
    def post(self, request):
        """Score predictions against gold claims; the job's key names the report."""
        if not kept.may_upload(request.user):
            raise Http404
        asked = PredictionsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        job = start_score(**asked.chosen, by=request.user)
        return Response(JobSerializer(job).data, status=202)


class ScoreDetail(APIView):
    required_scope = "export"

    @extend_schema(responses=ScoreSerializer)
    def get(self, request, key):
        """The scores of one file of predictions, which are kept for a week."""
        job = kept.job_of(JOB, request.user, key)
        return Response({"job": JobSerializer(job).data, "report": kept.report_of(JOB, key)})


@extend_schema(
    parameters=[
        OpenApiParameter("gold", str, description="With predicted: one cell of the matrix."),
        OpenApiParameter("predicted", str, description="With gold: one cell of the matrix."),
    ]
)
class ScoreClaims(generics.ListAPIView):
    """What each claim earned, in the order of the gold records."""

    required_scope = "export"
    serializer_class = ClaimResultSerializer

    def get_queryset(self):
        key, asked = self.kwargs["key"], self.request.query_params
        kept.job_of(JOB, self.request.user, key)
        labels = [asked.get(name) for name in ("gold", "predicted")]
        results = results_of(key, None if None in labels else tuple(labels))
        if results is None:
            raise Http404
        return results


URLS = [
    path("scores/", ScoreList.as_view(), name="scores"),
    path("scores/<slug:key>/", ScoreDetail.as_view(), name="score"),
    path("scores/<slug:key>/claims/", ScoreClaims.as_view(), name="score-claims"),
]
