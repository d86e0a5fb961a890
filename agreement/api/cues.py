"""Cues over HTTP: the same snapshots as on the page."""

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from agreement.api.figures import CAMPAIGN, Figures, ScopeQuery, choice
from agreement.cue_figures import CueSettings
from agreement.cue_forms import MIN_COUNT, MOST_COUNT, ORDERS, TOKENS, TOO_FEW, is_too_few
from agreement.cue_snapshots import shown_cues
from agreement.figures import Scope
from agreement.snapshots import KIND
from operations.api import JobSerializer


class CueQuery(ScopeQuery):
    """Whose claims, and how cues are found in them."""

    tokens = choice(TOKENS, "How claims are cut into tokens.")
    order_by = choice(ORDERS, "By what the strongest cues are listed.")
    min_count = serializers.IntegerField(
        default=MIN_COUNT,
        min_value=1,
        max_value=MOST_COUNT,
        help_text="Cues that stand in fewer claims are left out.",
    )

    def validate(self, chosen):
        scope = Scope(self.campaign, chosen.get("wave"))
        if is_too_few(self.reader, scope, chosen["min_count"]):
            raise serializers.ValidationError({"min_count": TOO_FEW})
        return chosen

    @property
    def settings(self):
        return CueSettings(**self.chosen)


class Cues(Figures):
    kind = KIND.CUES
    query_class = CueQuery

    def shown(self):
        query = self.asked()
        return Response(self.get_serializer(shown_cues(query.scope, query.settings)).data)

    @extend_schema(parameters=[CueQuery])
    def get(self, request, slug):
        """The words that may give away the label: productivity, coverage, LMI, DCI.

        `claim_only`, the classifier that sees claims alone, is made by a job: until somebody asked
        for it (POST) its scores are null and `undefined` says not_computed or being_computed.
        """
        return self.shown()

    @extend_schema(parameters=[CueQuery], request=None, responses={202: JobSerializer})
    def post(self, request, slug):
        """Have the cues computed by a job and kept, with the claim-only classifier."""
        return self.compute()


URLS = [path(f"{CAMPAIGN}cues/", Cues.as_view(), name="cues")]
