"""Who may open which page: one entry for every route of the project, by its name.

`tests/test_routes.py` visits each route as every role, and fails where a route has no entry.
An entry is a Route, or a list of them where a route takes several methods. What a route needs
in its address is built from a World (tests/world.py): add a cached property for what is missing.
"""

from dataclasses import dataclass, field
from typing import Any

ROLES = ["anonymous", "outsider", "annotator", "curator", "stranger", "manager", "superuser"]
ANYBODY = frozenset(ROLES)
SIGNED_IN = ANYBODY - {"anonymous"}
MEMBERS = SIGNED_IN - {"outsider", "stranger"}
CURATORS = MEMBERS - {"annotator"}
MANAGERS = CURATORS - {"curator"}
SUPERUSERS = frozenset(["superuser"])
ANNOTATOR = frozenset(["annotator"])


@dataclass(frozen=True)
class Route:
    """Who may use a route: `needs` are its arguments, {name: attribute of a World}."""

    roles: frozenset
    needs: dict = field(default_factory=dict)
    method: str = "get"
    data: Any = None


def post(roles, data=None, **needs):
    return Route(roles, needs, "post", data or {})


def get(roles, data=None, **needs):
    return Route(roles, needs, "get", data or {})


CONFIG = {
    "health": get(ANYBODY),
    "set_language": post(ANYBODY, {"language": "en"}),
    "api:schema": get(ANYBODY),
    "guides": get(SIGNED_IN),
    "guide": get(SIGNED_IN, name="guide_name"),
}

ACCOUNTS = {
    "accounts:sign-in": get(ANYBODY),
    "accounts:sign-out": post(ANYBODY),
    "accounts:account": get(SIGNED_IN),
    "accounts:theme": post(SIGNED_IN, {"theme": "dark"}),
    "accounts:password": get(SIGNED_IN),
    "accounts:reset": get(ANYBODY, token="reset_token"),
    "accounts:make-token": post(SIGNED_IN),
    "accounts:end-token": post(ANNOTATOR, token_id="token_id"),
    "accounts:people": get(MANAGERS | {"stranger"}),
    "accounts:person": get(MANAGERS, user_id="user_id"),
    "accounts:issue-reset-link": post(MANAGERS, user_id="user_id"),
    "accounts:unlock": post(MANAGERS, user_id="user_id"),
    "accounts:deactivate": post(SUPERUSERS, user_id="user_id"),
    "accounts:reactivate": post(SUPERUSERS, user_id="user_id"),
    "accounts:forget": post(SUPERUSERS, user_id="user_id"),
}

OPERATIONS = {
    "operations:jobs": get(SIGNED_IN),
    "operations:job": get(ANNOTATOR | SUPERUSERS, job_id="job_id"),
    "operations:cancel": post(ANNOTATOR | SUPERUSERS, job_id="job_id"),
    "operations:run-again": post(ANNOTATOR | SUPERUSERS, job_id="failed_job_id"),
}

CAMPAIGNS = {
    "annotation:home": get(SIGNED_IN),
    "annotation:campaigns": get(SIGNED_IN),
    "annotation:new-campaign": get(SUPERUSERS),
    "annotation:campaign": get(MEMBERS, slug="slug"),
    "annotation:campaign-settings": get(MANAGERS, slug="slug"),
    "annotation:guidelines": get(SIGNED_IN),
    "annotation:campaign-guidelines": get(MEMBERS, slug="slug"),
    "annotation:guideline-version": get(MEMBERS, slug="slug", number="number"),
    "annotation:edit-guidelines": get(MANAGERS, slug="slug"),
    "annotation:acknowledge": get(MEMBERS, wave_id="wave_id"),
    "annotation:my-progress": get(SIGNED_IN),
    "annotation:campaign-progress": get(MANAGERS, slug="slug"),
    "annotation:progress-csv": get(MANAGERS, slug="slug"),
    "annotation:reports": get(CURATORS, slug="slug"),
    "annotation:decide-report": [
        get(CURATORS, report_id="report_id"),
        post(CURATORS, report_id="report_id"),
    ],
    "annotation:decide-source": post(CURATORS, preselection_id="held_source_id"),
}

WAVES = {
    "annotation:waves": get(MANAGERS, slug="slug"),
    "annotation:new-wave": get(MANAGERS, slug="slug"),
    "annotation:wave": get(MANAGERS, wave_id="wave_id"),
    "annotation:edit-wave": get(MANAGERS, wave_id="wave_id"),
    "annotation:open-wave": post(MANAGERS, wave_id="wave_id"),
    "annotation:close-wave": post(MANAGERS, wave_id="wave_id"),
    "annotation:clone-wave": get(MANAGERS, wave_id="wave_id"),
    "annotation:save-settings": get(MANAGERS, slug="corpus_slug"),
}

PEOPLE = {
    "annotation:people": get(MANAGERS, slug="slug"),
    "annotation:set-role": post(MANAGERS, slug="slug", user_id="user_id"),
    "annotation:end-membership": post(MANAGERS, slug="slug", user_id="user_id"),
    "annotation:restore-membership": post(MANAGERS, slug="slug", user_id="user_id"),
    "annotation:participants": get(MANAGERS, wave_id="wave_id"),
    "annotation:add-participants": post(MANAGERS, wave_id="wave_id"),
    "annotation:set-participation": post(MANAGERS, wave_id="wave_id", user_id="user_id"),
    "annotation:invitations": get(MANAGERS, slug="slug"),
    "annotation:invite": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "annotation:invite-class": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "annotation:revoke-invitation": post(MANAGERS, invitation_id="invitation_id"),
    "annotation:accept-invitation": get(ANYBODY, token="invitation_token"),
}

WRITING = {
    "annotation:my-work": get(SIGNED_IN),
    "annotation:edit-claim": get(ANNOTATOR, claim_id="own_claim_id"),
    "annotation:check-claims": post(ANNOTATOR, assignment_id="writing_id"),
}

WORK = {
    "annotation:ask": post(MEMBERS, wave_id="wave_id", task="task"),
    "annotation:work": get(ANNOTATOR, assignment_id="labelling_id"),
    "annotation:draft": post(ANNOTATOR, {"revision": 0}, assignment_id="labelling_id"),
    "annotation:beat": post(ANNOTATOR, {"seconds": 5}, assignment_id="labelling_id"),
    "annotation:search": [
        get(ANNOTATOR, assignment_id="searching_id"),
        post(ANNOTATOR, {"search-text": "bridge"}, assignment_id="searching_id"),
    ],
    "annotation:skip": post(ANNOTATOR, {"reason": "other"}, assignment_id="labelling_id"),
    "annotation:report": post(ANNOTATOR, {"reason": "Unclear."}, assignment_id="labelling_id"),
}

API = {
    "api:campaigns": get(SIGNED_IN),
    "api:campaign": get(MEMBERS, slug="slug"),
    "api:waves": get(MEMBERS, slug="slug"),
    "api:claims": get(MEMBERS, slug="slug"),
    "api:claim": get(MANAGERS, slug="slug", number="claim_number"),
    "api:annotations": get(MEMBERS, slug="slug"),
    "api:job-list": get(SIGNED_IN),
    "api:job-detail": get(ANNOTATOR | SUPERUSERS, pk="job_id"),
    "api:corpora": get(SIGNED_IN),
    "api:corpus": get(MEMBERS, slug="corpus_slug"),
    "api:articles": get(MEMBERS, slug="corpus_slug"),
    "api:article": get(MEMBERS, slug="corpus_slug", external_id="external_id"),
    "api:paragraph": get(MEMBERS, slug="corpus_slug", public_id="public_id"),
    "api:imports": [get(MANAGERS, slug="corpus_slug"), post(MANAGERS, slug="corpus_slug")],
    "api:import": get(MANAGERS, import_id="import_id"),
    "api:dictionaries": post(CURATORS, slug="corpus_slug"),
    "api:dictionary": get(CURATORS, slug="corpus_slug", key="dictionary_key"),
    "api:search": get(MEMBERS, slug="corpus_slug"),
    "api:agreement": [get(CURATORS, slug="slug"), post(CURATORS, slug="slug")],
    "api:cues": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "api:dataset-imports": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "api:dataset-import": get(MANAGERS, import_id="dataset_import_id"),
    "api:exports": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "api:export": get(MANAGERS, export_id="export_id"),
    "api:export-file": get(MANAGERS, export_id="export_id", name="export_file"),
    "api:releases": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "api:release": get(MANAGERS, release_id="release_id"),
    "api:release-file": get(MANAGERS, release_id="release_id", name="release_file"),
    "api:release-diff": get(MANAGERS, release_id="release_id", older_id="older_release_id"),
    "api:release-results": [
        get(MANAGERS, release_id="release_id"),
        post(MANAGERS, release_id="release_id"),
    ],
    "api:release-result": get(MANAGERS, release_id="judged_release_id", result_id="result_id"),
    "api:release-predictions": post(MANAGERS, release_id="release_id"),
    "api:localisations": post(MANAGERS | {"stranger"}),
    "api:localisation": get(MANAGERS, key="localisation_key"),
    "api:localisation-file": get(MANAGERS, key="localisation_key", name="export_file"),
    "api:split-checks": post(MANAGERS | {"stranger"}),
    "api:split-check": get(ANNOTATOR | SUPERUSERS, key="check_key"),
    "api:scores": post(MANAGERS | {"stranger"}),
    "api:score": get(ANNOTATOR | SUPERUSERS, key="score_key"),
    "api:score-claims": get(ANNOTATOR | SUPERUSERS, key="score_key"),
}

AGREEMENT = {
    "agreement:dashboard": get(CURATORS, slug="measured_slug"),
    "agreement:conflicts": get(CURATORS, slug="slug"),
    "agreement:conflict": get(CURATORS, instance_id="instance_id"),
    "agreement:cues": get(MANAGERS, slug="slug"),
    "agreement:cues-csv": get(MANAGERS, slug="slug"),
    "agreement:cues-json": get(MANAGERS, slug="slug"),
    "agreement:cue-claims": get(MANAGERS, slug="slug"),
    "agreement:hint": post(ANNOTATOR, {"specify": "It never opened."}, assignment_id="mutating_id"),
    "agreement:claim-only": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "agreement:table-csv": get(CURATORS, slug="slug", table="table"),
    "agreement:table-json": get(CURATORS, slug="slug", table="table"),
    "agreement:recompute": post(CURATORS, slug="slug", kind="figures_kind"),
}

DATASETS = {
    "datasets:imports": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "datasets:imported-claim": get(MANAGERS, slug="slug", number="imported_number"),
    "datasets:import": get(MANAGERS, import_id="dataset_import_id"),
    "datasets:start-import": post(MANAGERS, import_id="dataset_import_id"),
    "datasets:read-import": post(MANAGERS, import_id="dataset_import_id"),
    "datasets:cancel-import": post(MANAGERS, import_id="dataset_import_id"),
    "datasets:discard-import": post(MANAGERS, import_id="dataset_import_id"),
    "datasets:exports": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "datasets:export": get(MANAGERS, export_id="export_id"),
    "datasets:cancel-export": post(MANAGERS, export_id="export_id"),
    "datasets:export-archive": get(MANAGERS, export_id="export_id"),
    "datasets:export-file": get(MANAGERS, export_id="export_id", name="export_file"),
    "datasets:releases": [get(MANAGERS, slug="slug"), post(MANAGERS, slug="slug")],
    "datasets:release-job": get(MANAGERS, job_id="release_job_id"),
    "datasets:cancel-release": post(MANAGERS, job_id="release_job_id"),
    "datasets:release": get(MANAGERS, release_id="release_id"),
    "datasets:release-card": get(MANAGERS, release_id="release_id"),
    "datasets:release-archive": get(MANAGERS, release_id="release_id"),
    "datasets:release-file": get(MANAGERS, release_id="release_id", name="release_file"),
    "datasets:release-diff": get(MANAGERS, release_id="release_id", older_id="older_release_id"),
    "datasets:baselines": [
        get(MANAGERS, release_id="release_id"),
        post(MANAGERS, release_id="release_id"),
    ],
    "datasets:cancel-baselines": post(MANAGERS, release_id="release_id"),
    "datasets:predictions": post(MANAGERS, release_id="release_id"),
    "datasets:result": get(MANAGERS, result_id="result_id"),
    "datasets:result-claims": get(
        MANAGERS,
        {"gold": "NOT ENOUGH INFO", "predicted": "NOT ENOUGH INFO"},
        result_id="result_id",
        matrix="matrix",
    ),
    "datasets:remove-result": post(MANAGERS, result_id="result_id"),
    "datasets:localisations": [get(MANAGERS | {"stranger"}), post(MANAGERS | {"stranger"})],
    "datasets:localisation": get(MANAGERS, key="localisation_key"),
    "datasets:cancel-localisation": post(MANAGERS, key="localisation_key"),
    "datasets:localisation-archive": get(MANAGERS, key="localisation_key"),
    "datasets:translation-samples": [get(MEMBERS, slug="slug"), post(MANAGERS, slug="slug")],
    "datasets:translation-sample": get(MANAGERS, sample_id="sample_id"),
    "datasets:close-translation-sample": [
        get(MANAGERS, sample_id="sample_id"),
        post(MANAGERS, sample_id="sample_id"),
    ],
    "datasets:translation-sample-csv": get(MANAGERS, sample_id="closed_sample_id"),
    "datasets:translation-sample-json": get(MANAGERS, sample_id="closed_sample_id"),
    "datasets:judge-translations": get(MEMBERS, sample_id="sample_id"),
    "datasets:judge-translation": [
        get(MEMBERS, sample_id="sample_id", number="number"),
        post(MEMBERS, {"verdict": "REFUTED"}, sample_id="sample_id", number="number"),
    ],
    "datasets:checks": [get(MANAGERS | {"stranger"}), post(MANAGERS | {"stranger"})],
    "datasets:check": get(ANNOTATOR | SUPERUSERS, key="check_key"),
    "datasets:cancel-check": post(ANNOTATOR | SUPERUSERS, key="check_key"),
    "datasets:scores": [get(MANAGERS | {"stranger"}), post(MANAGERS | {"stranger"})],
    "datasets:score": get(ANNOTATOR | SUPERUSERS, key="score_key"),
    "datasets:score-claims": get(ANNOTATOR | SUPERUSERS, key="score_key"),
    "datasets:score-file": get(ANNOTATOR | SUPERUSERS, key="score_key", name="score_file"),
    "datasets:cancel-score": post(ANNOTATOR | SUPERUSERS, key="score_key"),
}

CORPORA = {
    "corpus:corpora": get(SIGNED_IN),
    "corpus:new-corpus": get(SUPERUSERS),
    "corpus:corpus": get(MEMBERS, slug="corpus_slug"),
    "corpus:edit-corpus": get(SUPERUSERS, slug="corpus_slug"),
    "corpus:mark-near-duplicates": post(MANAGERS, slug="corpus_slug"),
    "corpus:articles": get(MEMBERS, slug="corpus_slug"),
    "corpus:article": get(MEMBERS, slug="corpus_slug", article_id="article_id"),
    "corpus:article-version": get(
        MEMBERS, slug="corpus_slug", article_id="article_id", version="number"
    ),
    "corpus:set-retrievable": post(MANAGERS, slug="corpus_slug", article_id="article_id"),
    "corpus:new-import": get(MANAGERS, slug="corpus_slug"),
    "corpus:import": get(MANAGERS, slug="corpus_slug", import_id="import_id"),
    "corpus:start-import": post(MANAGERS, slug="corpus_slug", import_id="import_id"),
    "corpus:clean-import": post(MANAGERS, slug="corpus_slug", import_id="import_id"),
    "corpus:discard-import": post(MANAGERS, slug="corpus_slug", import_id="import_id"),
}

DICTIONARIES = {
    "dictionaries:index": get(MANAGERS, slug="corpus_slug"),
    "dictionaries:build-index": post(MANAGERS, slug="corpus_slug"),
    "dictionaries:check-index": post(MANAGERS, slug="corpus_slug"),
    "dictionaries:explore": get(MANAGERS, slug="corpus_slug"),
    "dictionaries:search": get(MEMBERS, slug="corpus_slug"),
}

ROUTES = {
    **CONFIG,
    **ACCOUNTS,
    **OPERATIONS,
    **CAMPAIGNS,
    **WAVES,
    **PEOPLE,
    **WRITING,
    **WORK,
    **API,
    **AGREEMENT,
    **DATASETS,
    **CORPORA,
    **DICTIONARIES,
}
