"""Schemathesis asks every call of the OpenAPI document, with a manager's token.

Whatever is asked, the answer is none of ours to be ashamed of: no 5xx, a status, a content type
and a body that the document names. Examples are the same on each run.
"""

import re
from datetime import timedelta
from functools import cache, cached_property
from uuid import uuid4

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.throttling import UserRateThrottle
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import ApiToken
from accounts.tokens import issue_token
from config.wsgi import application
from corpus.throttling import BUDGETS
from datasets.models import Release
from dictionaries.services import build_corpus_index
from operations.jobs import queue_job
from tests.datasets.builders import labelled, make_export
from tests.datasets.importing import make_dataset_import
from tests.datasets.localising import make_localisation
from tests.datasets.releasing import make_check, make_release
from tests.datasets.results import make_predictions
from tests.datasets.scoring import made_score
from tests.factories import (
    A_DAY,
    make_article,
    make_campaign,
    make_corpus,
    make_dictionary,
    make_import,
    make_user,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
EXAMPLES = 25
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
DOCUMENT = SchemaGenerator().get_schema(request=None, public=True)
# The same name in an address is another thing under these beginnings.
OWN_NAMES = {
    "dataset-imports": {"import_id": "dataset_import_id"},
    "localisations": {"key": "localisation_key"},
    "releases": {"name": "release_file"},
    "scores": {"key": "score_key"},
    "splits": {"key": "check_key"},
}
QUERIES = {"search": {"text": "bridge"}}  # what a call cannot do without, by the end of its path
CALLS = [(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods]


class World:
    """What stands in addresses, by name: things that are there, made when they are named."""

    number, name, release_file = 1, "manifest.json", "data/ctkfacts/all.jsonl"

    def __init__(self):
        self.manager = make_user(username="mia")
        self.corpus = make_corpus(slug=f"indexed-{uuid4().hex[:8]}", encoder="svd")
        self.campaign = make_campaign(corpus=self.corpus, manager=self.manager)
        text = "Torvik Steel delayed the Norvell bridge in Dalby."
        self.article = make_article(self.corpus, text, published_at=A_DAY - timedelta(days=1))
        wave = make_wave(self.campaign)
        for label in ("SUPPORTS", "REFUTES"):
            labelled(wave, "SUPPORTS", label)

    def arguments(self, path):
        """The arguments of a path with which it leads somewhere."""
        if path.endswith(("/dictionaries/", "/search/")):
            build_corpus_index(corpus=self.corpus)
        self.slug = (self.corpus if "/corpora/" in path else self.campaign).slug
        names = re.findall(r"{(\w+)}", path)
        own = OWN_NAMES.get(path.split("/")[3], {})
        return {name: getattr(self, own.get(name, name)) for name in names}

    @property
    def external_id(self):
        return self.article.external_id

    @property
    def public_id(self):
        return paragraph_of(self.article).public_id

    @property
    def key(self):
        return make_dictionary(self.corpus, paragraph_of(self.article)).key

    @property
    def import_id(self):
        return make_import(self.corpus).pk

    @property
    def export_id(self):
        return make_export(self.campaign).pk

    @property
    def dataset_import_id(self):
        return make_dataset_import(self.campaign, by=self.manager).pk

    @cached_property
    def older_id(self):
        return make_release(self.campaign, "1.0.0", by=self.manager).pk

    @cached_property
    def release_id(self):
        assert self.older_id
        return make_release(self.campaign, "1.1.0", by=self.manager).pk

    @property
    def result_id(self):
        return make_predictions(Release.objects.get(pk=self.release_id), name=uuid4().hex).pk

    @property
    def localisation_key(self):
        return make_localisation(by=self.manager).key

    @property
    def check_key(self):
        return make_check(by=self.manager).key

    @property
    def score_key(self):
        return made_score(by=self.manager).key

    @property
    def id(self):
        return queue_job(kind="probe", key="1", by=self.manager).pk


@pytest.fixture
def world():
    return World()


@cache
def the_document():
    return schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application)


@pytest.fixture
def token(world, monkeypatch):
    """A token that may do all, as often as it likes."""
    monkeypatch.setattr(UserRateThrottle, "rate", "1000000/s", raising=False)
    monkeypatch.setitem(BUDGETS, "reading", (1_000_000, 3600))
    return issue_token(user=world.manager, name="fuzz", scopes=ApiToken.Scope.values, days=1)[1]


@pytest.fixture(autouse=True)
def _one_connection():
    """The server under test asks in the test's transaction, which must not be closed."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("path", "method"), CALLS, ids=[f"{m} {p}" for p, m in CALLS])
def test_any_request_is_answered_as_the_document_says(path, method, world, token):
    operation = the_document()[path][method.upper()]
    arguments = world.arguments(path)
    headers = {"Authorization": f"Bearer {token}"}

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), leads_somewhere=st.sampled_from([True, True, False]))
    def ask(case, leads_somewhere):
        if leads_somewhere:
            case.path_parameters = arguments
        response = case.call(headers=headers)
        case.validate_response(response, checks=CHECKS)

    ask()


def test_every_call_leads_somewhere(world, token, client):
    """Else the requests above would only ever meet 404."""
    headers = {"Authorization": f"Bearer {token}"}
    for path, method in CALLS:
        if method == "get":
            address = path.format(**world.arguments(path))
            query = QUERIES.get(path.rstrip("/").rpartition("/")[2], {})
            assert client.get(address, query, headers=headers).status_code == 200, address
