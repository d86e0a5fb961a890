"""What is reached on releases over HTTP: baselines are started, predictions sent, both listed."""

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.response import Response
from rest_framework.reverse import reverse

from datasets.api.records import file_of, lines_field
from datasets.models import Release, ReleaseResult
from datasets.options import BIGGEST_SEED
from datasets.results.services import LONGEST_NAME, start_baselines, store_predictions
from operations.api import JobSerializer


class BaselinesSerializer(serializers.Serializer):
    seed = serializers.IntegerField(default=0, min_value=0, max_value=BIGGEST_SEED)


class ModelPredictionsSerializer(serializers.Serializer):
    """A model's predictions in CTKFacts' form: one for each claim of the split."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    split = serializers.CharField(default="test", max_length=40)
    records = lines_field(help_text="Objects with id, predicted_label and predicted_pages.")


class ResultSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()
    settings = serializers.DictField(read_only=True)
    figures = serializers.DictField(read_only=True)

    class Meta:
        model = ReleaseResult
        fields = [
            "id",
            "url",
            "kind",
            "name",
            "seed",
            "settings",
            "figures",
            "sha256",
            "created_at",
        ]

    def get_url(self, result) -> str:
        of_result = {"release_id": result.release_id, "result_id": result.pk}
        return reverse("api:release-result", kwargs=of_result, request=self.context["request"])


class ResultDetailSerializer(ResultSerializer):
    confusions = serializers.DictField(
        read_only=True, help_text="Labels, counts, and the claims of each cell, by what was judged."
    )

    class Meta(ResultSerializer.Meta):
        fields = [*ResultSerializer.Meta.fields, "confusions"]


class OfRelease:
    """Results of a release of a campaign that the caller manages."""

    required_scope = "export"
    queryset = ReleaseResult.objects.none()  # tells the document what kind of id the path has

    def release(self):
        managed = Release.objects.managed_by(self.request.user).select_related("campaign__corpus")
        return get_object_or_404(managed, pk=self.kwargs["release_id"])

    def get_queryset(self):
        return self.release().results.all()


class ResultList(OfRelease, generics.ListAPIView):
    """Baselines and models' results on a release, newest first."""

    serializer_class = ResultSerializer

    def get_queryset(self):
        return super().get_queryset().defer("confusions")

    @extend_schema(request=BaselinesSerializer, responses={202: JobSerializer})
    def post(self, request, release_id):
        """Measure the baselines of a release: by a job, after which they are listed."""
        release = self.release()
        asked = BaselinesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        job = start_baselines(release=release, by=request.user, **asked.validated_data)
        return Response(JobSerializer(job).data, status=202)


class ResultDetail(OfRelease, generics.RetrieveAPIView):
    """One result with its confusion matrices."""

    serializer_class = ResultDetailSerializer
    lookup_url_kwarg = "result_id"


class PredictionList(OfRelease, generics.GenericAPIView):
    serializer_class = ResultDetailSerializer

    @extend_schema(request=ModelPredictionsSerializer, responses={201: ResultDetailSerializer})
    def post(self, request, release_id):
        """Score a model's predictions and keep the figures; `sha256` is of the records' lines."""
        release = self.release()
        asked = ModelPredictionsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        result = store_predictions(
            release=release,
            name=asked.validated_data["name"],
            split=asked.validated_data["split"],
            file=file_of("records", asked.validated_data["records"]),
            by=request.user,
        )
        return Response(self.get_serializer(result).data, status=201)


URLS = [
    path("releases/<int:release_id>/results/", ResultList.as_view(), name="release-results"),
    path(
        "releases/<int:release_id>/results/<int:result_id>/",
        ResultDetail.as_view(),
        name="release-result",
    ),
    path(
        "releases/<int:release_id>/predictions/",
        PredictionList.as_view(),
        name="release-predictions",
    ),
]
