"""Figures of agreement over HTTP: the same snapshots as on the pages."""

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.response import Response

from agreement import snapshots
from agreement.figures import AgreementSettings, Scope
from agreement.forms import (
    BOUNDS,
    CONDITIONAL,
    DUPLICATES,
    INTERVALS,
    MOST_LABELS,
    OWN,
    RESAMPLE,
    SUBSETS,
    TASKS,
    TOO_EARLY,
    AgreementForm,
)
from agreement.label_rows import ends_before_it_begins
from agreement.scopes import scope_named
from agreement.sheets import without_hardest
from agreement.snapshots import KIND
from annotation.models import Campaign
from operations.api import JobSerializer


def choice(choices, help_text):
    """One of fixed choices, the first where none is named."""
    return serializers.ChoiceField(choices, default=choices[0][0], help_text=help_text)


def number(default, least, help_text):
    return serializers.IntegerField(
        default=default, min_value=least, max_value=MOST_LABELS, help_text=help_text
    )


class ScopeQuery(serializers.Serializer):
    """Figures of which wave."""

    wave = serializers.CharField(
        required=False, max_length=100, help_text="A wave's name; else all but sandboxes."
    )

    def __init__(self, *args, campaign=None, reader=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.campaign, self.reader = campaign, reader

    def validate_wave(self, name):
        try:
            return scope_named(self.campaign.slug, name).wave
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None

    @property
    def scope(self):
        return Scope(self.campaign, self.validated_data.get("wave"))

    @property
    def chosen(self):
        return {name: value for name, value in self.validated_data.items() if name != "wave"}


class AgreementQuery(ScopeQuery):
    """Whose labels, and the policies by which they count."""

    duplicates = choice(DUPLICATES, "Which of an imported annotator's repeats counts.")
    own = choice(OWN, "When labels of one's own claims count.")
    conditional = choice(CONDITIONAL, "How labels under a condition count.")
    resample = choice(RESAMPLE, "What is drawn for the interval.")
    interval = choice(INTERVALS, "How the interval is made; kalpha draws pairs of labels.")
    task = choice(TASKS, "Labels of others' claims (T2b), of one's own (T2a), or all.")
    since = serializers.DateField(required=False, help_text="The first day of the labels.")
    until = serializers.DateField(required=False, help_text="Their last day.")
    subset = choice(SUBSETS, "Certain or uncertain claims, or those that keep the rule.")
    bound = choice(BOUNDS, "The rule: at least or at most so many...")
    marks = number(1, 0, "...labels in doubt...")
    among = number(2, 1, "...among so many labels or more.")

    def validate(self, chosen):
        if ends_before_it_begins(chosen.get("since"), chosen.get("until")):
            raise serializers.ValidationError({"until": TOO_EARLY})
        return chosen

    @property
    def settings(self):
        """The rule says something only where it is asked for."""
        rule = () if self.chosen["subset"] == "rule" else AgreementForm.RULE
        chosen = {name: value for name, value in self.chosen.items() if name not in rule}
        days = {name: chosen[name].isoformat() for name in ("since", "until") if name in chosen}
        return AgreementSettings(**chosen | days)


class FiguresSerializer(serializers.Serializer):
    """Figures as the pages and commands have them; null where they have to be asked for."""

    figures = serializers.SerializerMethodField()
    computed_at = serializers.DateTimeField(
        allow_null=True, help_text="When they were stored; null where they are new."
    )
    is_stale = serializers.BooleanField(help_text="Whether the labels changed since.")
    job = JobSerializer(allow_null=True, help_text="A live job that makes them anew.")

    @extend_schema_field({"type": "object", "additionalProperties": {}, "nullable": True})
    def get_figures(self, shown):
        # The list of the hardest claims is by ids of this database, which no client knows.
        return shown.figures and without_hardest(shown.figures)


class Figures(generics.GenericAPIView):
    """Figures of a campaign that the caller manages, or curates where it says so; else 404."""

    serializer_class = FiguresSerializer
    pagination_class = None
    campaigns = staticmethod(Campaign.objects.managed_by)

    @property
    def required_scope(self):
        return "build" if self.request.method == "POST" else "read"

    def asked(self):
        campaigns = self.campaigns(self.request.user)
        campaign = get_object_or_404(campaigns, slug=self.kwargs["slug"])
        query = self.query_class(
            data=self.request.query_params, campaign=campaign, reader=self.request.user
        )
        query.is_valid(raise_exception=True)
        return query

    def shown(self):
        query = self.asked()
        figures = snapshots.shown(self.kind, query.scope, query.settings, whole=True)
        return Response(self.get_serializer(figures).data)

    def compute(self):
        query = self.asked()
        by = self.request.user
        job = snapshots.ask(kind=self.kind, scope=query.scope, settings=query.settings, by=by)
        return Response(JobSerializer(job).data, status=202)


class Agreement(Figures):
    kind = KIND.AGREEMENT
    query_class = AgreementQuery
    campaigns = staticmethod(Campaign.objects.curated_by)

    @extend_schema(parameters=[AgreementQuery])
    def get(self, request, slug):
        """How far annotators agree: alpha, kappas, labels, with the numbers they rest on."""
        return self.shown()

    @extend_schema(parameters=[AgreementQuery], request=None, responses={202: JobSerializer})
    def post(self, request, slug):
        """Have these figures computed by a job and kept: for campaigns with many labels."""
        return self.compute()


CAMPAIGN = "campaigns/<slug:slug>/"
URLS = [
    path(f"{CAMPAIGN}agreement/", Agreement.as_view(), name="agreement"),
]
