"""Cues over HTTP: the same snapshots as on the page."""

from django.urls import path
from drf_spectacular.utils import extend_schema

from agreement.api.figures import CAMPAIGN, Figures, ScopeQuery, choice
from agreement.cue_figures import CueSettings
from agreement.cue_forms import ORDERS, TOKENS
from agreement.snapshots import KIND
from operations.api import JobSerializer


class CueQuery(ScopeQuery):
    """Whose claims, and how cues are found in them."""

    tokens = choice(TOKENS, "How claims are cut into tokens.")
    order_by = choice(ORDERS, "By what the strongest cues are listed.")

    @property
    def settings(self):
        return CueSettings(**self.chosen)


class Cues(Figures):
    kind = KIND.CUES
    query_class = CueQuery

    @extend_schema(parameters=[CueQuery])
    def get(self, request, slug):
        """The words that may give away the label: productivity, coverage, harmonic mean."""
        return self.shown()

    @extend_schema(parameters=[CueQuery], request=None, responses={202: JobSerializer})
    def post(self, request, slug):
        """Have the cues computed by a job and kept, with the claim-only classifier."""
        return self.compute()


URLS = [path(f"{CAMPAIGN}cues/", Cues.as_view(), name="cues")]
