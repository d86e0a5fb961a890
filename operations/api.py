"""Jobs over HTTP: how a client learns that what it started has ended."""

from rest_framework import serializers, viewsets

from operations.models import Job


class JobSerializer(serializers.ModelSerializer):
    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "key",
            "state",
            "done",
            "total",
            "message",
            "result",
            "error",
            "created_at",
            "started_at",
            "ended_at",
        ]
        read_only_fields = fields


class JobViewSet(viewsets.ReadOnlyModelViewSet):
    """Long work that you started; superusers see all of it."""

    queryset = Job.objects.none()  # tells the OpenAPI document what kind of id the path has
    serializer_class = JobSerializer

    def get_queryset(self):
        return Job.objects.visible_to(self.request.user)


ROUTES = [("jobs", JobViewSet, "job")]
