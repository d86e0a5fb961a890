from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from accounts.models import ApiToken
from accounts.services import deactivate
from accounts.tokens import issue_token, revoke_token


class Reads(APIView):
    def get(self, request):
        return Response({"user": request.user.username})

    def post(self, request):
        return Response({})


class Exports(Reads):
    required_scope = "export"


def ask(secret=None, view=Reads, header=None):
    header = header or (f"Bearer {secret}" if secret else None)
    request = APIRequestFactory().get("/", headers={"Authorization": header} if header else {})
    return view.as_view()(request)


def make_token(user, scopes=("read",), days=1):
    return issue_token(user=user, name="laptop", scopes=list(scopes), days=days)


def test_a_token_acts_as_its_person(ada):
    _, secret = make_token(ada)

    assert ask(secret).data == {"user": "ada"}


def test_without_a_token_the_answer_is_401(db):
    response = ask()

    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer", "Bearer one two", "Bearer unknown", "Bearer \xff"])
def test_a_header_that_opens_nothing_is_401(db, header):
    assert ask(header=header).status_code == 401


def test_a_token_without_the_scope_is_told_which_one(ada):
    _, secret = make_token(ada)

    response = ask(secret, view=Exports)

    assert response.status_code == 403
    assert "'export'" in response.data["detail"]


def test_a_token_with_the_scope_passes(ada):
    _, secret = make_token(ada, scopes=["export"])

    assert ask(secret, view=Exports).status_code == 200
    assert ask(secret, view=Reads).status_code == 403


def test_an_expired_token_opens_nothing(ada):
    _, secret = make_token(ada)
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert ask(secret).status_code == 401


def test_a_revoked_token_opens_nothing(ada):
    token, secret = make_token(ada)

    revoke_token(token=token, by=ada)

    assert ask(secret).status_code == 401


def test_the_token_of_a_deactivated_person_opens_nothing(ada, root):
    _, secret = make_token(ada)

    deactivate(user=ada, by=root)

    assert ask(secret).status_code == 401


def test_a_browser_session_needs_a_csrf_token_to_change_things(ada):
    request = APIRequestFactory(enforce_csrf_checks=True).post("/", {}, format="json")
    request.user = ada

    assert Reads.as_view()(request).status_code == 403


def test_the_secret_is_shown_once_and_never_kept(sign_in, ada):
    client = sign_in(ada)

    page = client.post(
        reverse("accounts:make-token"), {"name": "laptop", "scopes": ["read"], "days": 30}
    )

    secret = page.context["secret"]
    assert secret in page.text
    assert secret not in client.get(reverse("accounts:account")).text
    assert secret not in str(ApiToken.objects.values())


def test_a_token_needs_a_scope(sign_in, ada):
    page = sign_in(ada).post(reverse("accounts:make-token"), {"name": "laptop", "days": 30})

    assert "This field is required" in page.text
    assert not ApiToken.objects.exists()


def test_a_person_ends_a_token(sign_in, ada):
    token, secret = make_token(ada)

    sign_in(ada).post(reverse("accounts:end-token", args=[token.pk]))

    assert ask(secret).status_code == 401


def test_nobody_ends_somebody_elses_token(sign_in, ada, eve):
    token, _ = make_token(ada)

    response = sign_in(eve).post(reverse("accounts:end-token", args=[token.pk]))

    assert response.status_code == 404
