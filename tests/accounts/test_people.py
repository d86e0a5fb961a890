import re

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse

from accounts.models import ApiToken, User
from accounts.services import deactivate, forget, reactivate
from accounts.tokens import issue_token
from tests.factories import PASSWORD, make_user

PERSON_ACTIONS = ["issue-reset-link", "unlock", "deactivate", "reactivate", "forget"]


def test_a_superuser_finds_people_by_name(sign_in, root, ada, ben):
    page = sign_in(root).get(reverse("accounts:people"), {"q": "AD"}).text

    assert ">ada</a>" in page
    assert ">ben</a>" not in page


def test_the_search_box_gets_the_list_alone(sign_in, root):
    page = sign_in(root).get(reverse("accounts:people"), headers={"HX-Request": "true"})

    assert page.text.lstrip().startswith("<section")
    assert "HX-Request" in page["Vary"]


def test_an_outsider_has_no_people_page(sign_in, eve):
    assert sign_in(eve).get(reverse("accounts:people")).status_code == 404


def test_an_outsider_sees_nobody(sign_in, eve, ada):
    assert sign_in(eve).get(reverse("accounts:person", args=[ada.pk])).status_code == 404


@pytest.mark.parametrize("action", PERSON_ACTIONS)
def test_an_outsider_changes_nobody(sign_in, eve, ada, action):
    assert sign_in(eve).post(reverse(f"accounts:{action}", args=[ada.pk])).status_code == 404


@pytest.mark.parametrize("action", PERSON_ACTIONS)
def test_changes_are_posts(sign_in, root, ada, action):
    assert sign_in(root).get(reverse(f"accounts:{action}", args=[ada.pk])).status_code == 405


def test_a_deactivated_person_is_out_at_once(sign_in, root, ada):
    client = sign_in(ada)

    sign_in(root).post(reverse("accounts:deactivate", args=[ada.pk]))

    assert client.get(reverse("accounts:account")).status_code == 302
    assert "deactivated" in sign_in(root).get(reverse("accounts:person", args=[ada.pk])).text


def test_a_reactivated_person_signs_in_again(client, root, ada):
    deactivate(user=ada, by=root)

    reactivate(user=ada, by=root)

    client.post(reverse("accounts:sign-in"), {"username": "ada", "password": PASSWORD})
    assert "_auth_user_id" in client.session


def test_nobody_closes_their_own_account(root):
    with pytest.raises(ValidationError, match="your own"):
        deactivate(user=root, by=root)
    with pytest.raises(ValidationError, match="your own data"):
        forget(user=root, by=root)


def test_a_forgotten_person_leaves_a_row_without_a_name(root, db):
    ada = make_user(username="ada", name="Ada L.", email="ada@example.org")
    issue_token(user=ada, name="Ada's laptop", scopes=["read"], days=1)

    forget(user=ada, by=root)

    row = str(User.objects.filter(pk=ada.pk).values().get())
    assert "ada" not in row.lower()
    assert not ApiToken.objects.exists()


def test_a_person_is_forgotten_though_somebody_signed_up_as_forgotten(root, ada):
    make_user(username=f"Forgotten-{ada.pk}")

    forget(user=ada, by=root)

    ada.refresh_from_db()
    assert re.fullmatch(rf"forgotten-{ada.pk}-[0-9a-f]{{16}}", ada.username)


def test_a_forgotten_person_is_out_and_cannot_come_back(sign_in, root, ada):
    client = sign_in(ada)

    sign_in(root).post(reverse("accounts:forget", args=[ada.pk]))

    assert client.get(reverse("accounts:account")).status_code == 302
    ada.refresh_from_db()
    with pytest.raises(ValidationError, match="data was erased"):
        reactivate(user=ada, by=root)


def test_the_database_keeps_no_name_of_a_forgotten_person(root, ada):
    forget(user=ada, by=root)

    with pytest.raises(IntegrityError):
        User.objects.filter(pk=ada.pk).update(name="Ada")
