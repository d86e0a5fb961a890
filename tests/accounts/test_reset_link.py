from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

import accounts.views
from accounts.models import Event, ResetLink
from accounts.services import issue_reset_link, use_reset_link
from tests.factories import PASSWORD, make_user

NEW = "a much longer passphrase"


@pytest.fixture
def token(ada, root):
    return issue_reset_link(user=ada, by=root)[1]


def url(token):
    return reverse("accounts:reset", args=[token])


def spend(client, token, password=NEW):
    return client.post(url(token), {"new_password1": password, "new_password2": password})


def test_looking_at_the_link_spends_nothing(client, token):
    client.get(url(token))

    assert "For the account <strong>ada</strong>" in client.get(url(token)).text


def test_the_link_sets_the_password_once(client, token, ada):
    spend(client, token)
    second = spend(client, token, "yet another passphrase")

    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert second.status_code == 404


def test_a_weak_password_does_not_spend_the_link(client, token):
    response = spend(client, token, "short")

    assert "too short" in response.text
    assert client.get(url(token)).status_code == 200


def test_the_link_ends_after_48_hours(client, token):
    ResetLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.get(url(token)).status_code == 404
    assert spend(client, token).status_code == 404


def test_a_new_link_ends_the_older_one(client, token, ada, root):
    issue_reset_link(user=ada, by=root)

    assert client.get(url(token)).status_code == 404


def test_using_the_link_ends_the_sessions_of_before(client, token, ada, sign_in):
    elsewhere = sign_in(ada)

    spend(client, token)

    assert elsewhere.get(reverse("accounts:account")).status_code == 302


def test_changing_the_password_ends_open_links(client, token, ada, sign_in):
    sign_in(ada).post(
        reverse("accounts:password"),
        {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW},
    )

    assert client.get(url(token)).status_code == 404


def test_a_double_click_says_that_the_link_has_ended(client, token, ada, monkeypatch):
    use = accounts.views.use_reset_link

    def used_by_the_other_click_meanwhile(**values):
        use(**values)
        return use(**values)

    monkeypatch.setattr(accounts.views, "use_reset_link", used_by_the_other_click_meanwhile)

    second = spend(client, token)

    assert second.status_code == 404
    assert "This link has ended" in second.text


def test_two_senders_of_one_link_set_one_password(token, ada):
    link = ResetLink.objects.get()
    use_reset_link(link=link, password=NEW)

    with pytest.raises(ValidationError, match="used already"):
        use_reset_link(link=link, password="the password of the second")


def test_only_the_hash_is_kept(token):
    assert token not in str(ResetLink.objects.values())


def test_nobody_but_a_superuser_resets_a_superuser(ada, root):
    with pytest.raises(ValidationError, match="superuser"):
        issue_reset_link(user=root, by=ada)


def test_a_deactivated_account_gets_no_link(root):
    gone = make_user(username="gone", is_active=False)

    with pytest.raises(ValidationError, match="deactivated"):
        issue_reset_link(user=gone, by=root)


def test_the_page_shows_the_link_this_once(sign_in, ada, root, client):
    page = sign_in(root).post(reverse("accounts:issue-reset-link", args=[ada.pk]))

    assert "http://testserver/accounts/reset/" in page.text
    assert page["Cache-Control"].startswith("max-age=0")


def test_issuing_is_on_record(token, root, ada):
    event = Event.objects.get(verb="issued reset link")

    assert (event.actor, event.subject) == (root, f"user:{ada.pk}")
