"""Where the cues are, the claims behind them, and the hint to who writes claims."""

from django.urls import path

from agreement.views import cue_claims, cues, hint

CUES = "campaigns/<slug:slug>/cues"
urlpatterns = [
    path(f"{CUES}/", cues.cues, name="cues"),
    path(f"{CUES}/claims/", cue_claims.cue_claims, name="cue-claims"),
    path(f"{CUES}/claim-only/", cues.claim_only, name="claim-only"),
    path(f"{CUES}.csv", cues.cues_csv, name="cues-csv"),
    path(f"{CUES}.json", cues.cues_json, name="cues-json"),
    path("assignments/<int:assignment_id>/hint/", hint.hint, name="hint"),
]
