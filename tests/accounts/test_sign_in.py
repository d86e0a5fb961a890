from ipaddress import ip_network

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.hashers import get_hasher
from django.urls import reverse
from django.utils import timezone

from accounts.lockout import delay_after
from tests.factories import PASSWORD, make_user

SIGN_IN = reverse("accounts:sign-in")
DIALOG = {"HX-Request": "true"}


def try_to_sign_in(
    client, username="ada", password=PASSWORD, *, dialog=False, address="10.0.0.1", **more
):
    return client.post(
        SIGN_IN,
        {"username": username, "password": password, **more},
        headers=DIALOG if dialog else {},
        REMOTE_ADDR=address,
    )


def fail(client, times=5, **kwargs):
    for _ in range(times):
        response = try_to_sign_in(client, password="wrong", **kwargs)
    return response


def is_signed_in(client):
    return "_auth_user_id" in client.session


def test_a_signed_out_person_is_led_to_sign_in_and_back(client, ada):
    page = client.get("/accounts/")
    assert page.url == "/accounts/sign-in/?next=/accounts/"

    response = try_to_sign_in(client, next="/accounts/")

    assert response.url == "/accounts/"


def test_it_does_not_lead_to_another_site(client, ada):
    assert try_to_sign_in(client, next="https://evil.example/").url == "/"


def test_a_wrong_password_is_explained_in_the_form(client, ada):
    response = try_to_sign_in(client, password="wrong")

    assert response.status_code == 200
    assert "do not match" in response.text


def test_a_signed_out_fragment_request_gets_401_with_a_trigger(client, db):
    response = client.get("/accounts/", headers=DIALOG)

    assert response.status_code == 401
    assert response["HX-Trigger"] == "signed-out"


def test_the_dialog_gets_204_on_success(client, ada):
    response = try_to_sign_in(client, dialog=True, expected_user=ada.pk)

    assert response.status_code == 204
    assert is_signed_in(client)


def test_the_dialog_gets_the_form_with_errors(client, ada):
    response = try_to_sign_in(client, password="wrong", dialog=True)

    assert response.status_code == 200
    assert "<html" not in response.text
    assert "do not match" in response.text


def test_another_person_does_not_get_the_page_under_the_dialog(client, ada, ben):
    response = try_to_sign_in(client, username="ben", dialog=True, expected_user=ada.pk)

    assert "belongs to another person" in response.text
    assert not is_signed_in(client)


@pytest.fixture
def closed(db):
    return make_user(username="ada", is_active=False)


def test_a_deactivated_person_is_told_that_the_account_is_closed(client, closed):
    response = try_to_sign_in(client)

    assert not is_signed_in(client)
    assert "This account is closed. Ask whoever runs this site" in response.text
    assert "do not match" not in response.text


def test_a_wrong_password_does_not_tell_that_an_account_is_closed(client, closed):
    response = try_to_sign_in(client, password="wrong")

    assert "do not match" in response.text
    assert "closed" not in response.text


def test_the_dialog_tells_that_the_account_is_closed(client, closed):
    assert "This account is closed" in try_to_sign_in(client, dialog=True).text


def test_trying_a_closed_account_counts_for_the_lock(client, closed):
    for _ in range(5):
        response = try_to_sign_in(client)

    assert "too many wrong passwords" in response.text
    assert AccessAttempt.objects.get().failures_since_start == 5


@pytest.mark.parametrize("username", ["ada", "nobody", "cyn"])
def test_a_wrong_password_takes_as_long_for_any_account(client, closed, cyn, username, monkeypatch):
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode
    monkeypatch.setattr(hasher, "encode", lambda *args: hashed.append(args) or encode(*args))

    try_to_sign_in(client, username=username, password="wrong")

    assert len(hashed) == 2


def test_signing_out_is_a_post(sign_in):
    client = sign_in("ada")

    assert client.get(reverse("accounts:sign-out")).status_code == 405
    client.post(reverse("accounts:sign-out"))
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    ("failures", "minutes"), [(0, 0), (4, 0), (5, 1), (6, 2), (7, 4), (10, 32), (11, 60), (500, 60)]
)
def test_the_delay_doubles_up_to_an_hour(failures, minutes):
    assert delay_after(failures).total_seconds() == minutes * 60


def test_the_fifth_failure_locks_and_says_until_when(client, ada):
    response = fail(client)

    assert "1 minute, or ask your manager" in response.text
    try_to_sign_in(client)
    assert not is_signed_in(client)


def test_trying_while_locked_does_not_lengthen_the_wait(client, ada):
    fail(client, times=9)

    assert AccessAttempt.objects.get().failures_since_start == 5


def test_after_the_wait_the_next_failure_doubles_it(client, ada):
    fail(client)
    AccessAttempt.objects.update(attempt_time=timezone.now() - delay_after(5))

    response = fail(client, times=1)

    assert "2 minutes, or ask your manager" in response.text


def test_after_the_wait_the_right_password_opens_and_clears(client, ada):
    fail(client)
    AccessAttempt.objects.update(attempt_time=timezone.now() - delay_after(5))

    try_to_sign_in(client)

    assert is_signed_in(client)
    assert not AccessAttempt.objects.exists()


def test_the_account_stays_open_from_another_address(client, ada):
    fail(client, address="10.0.0.1")

    try_to_sign_in(client, address="10.0.0.2")

    assert is_signed_in(client)


def test_somebody_elses_short_wait_does_not_end_a_long_one(client, ada, ben):
    fail(client)
    AccessAttempt.objects.update(
        failures_since_start=11, attempt_time=timezone.now() - delay_after(5) * 5
    )

    try_to_sign_in(client, username="ben", password="wrong")
    try_to_sign_in(client)

    assert not is_signed_in(client)


def test_two_hundred_students_behind_one_address_sign_in(client, db):
    students = [make_user(username=f"student{number}") for number in range(200)]
    for student in students:
        fail(client, times=1, username=student.username)

    for student in students:
        try_to_sign_in(client, username=student.username)
        assert client.session["_auth_user_id"] == str(student.pk)


def test_a_managers_unlock_opens_at_once(client, ada, root, sign_in):
    fail(client)

    sign_in(root).post(reverse("accounts:unlock", args=[ada.pk]))
    try_to_sign_in(client)

    assert is_signed_in(client)


def test_a_forged_proxy_header_does_not_escape_the_lock(client, ada):
    fail(client)

    client.post(
        SIGN_IN,
        {"username": "ada", "password": PASSWORD},
        headers={"X-Forwarded-For": "10.9.9.9"},
        REMOTE_ADDR="10.0.0.1",
    )

    assert not is_signed_in(client)


def test_behind_a_configured_proxy_the_clients_address_counts(client, ada, settings):
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/30")]
    fail(client)  # the proxy's own word is missing: an unknown address

    client.post(
        SIGN_IN,
        {"username": "ada", "password": PASSWORD},
        headers={"X-Forwarded-For": "1.1.1.1, 10.9.9.9"},
        REMOTE_ADDR="10.0.0.1",
    )

    assert is_signed_in(client)
