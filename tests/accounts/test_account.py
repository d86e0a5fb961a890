import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse

from accounts.events import record_event
from accounts.forms import NewAccountForm
from accounts.models import Event, User
from accounts.services import create_user
from tests.factories import PASSWORD, make_user

ACCOUNT = reverse("accounts:account")
NEW_PASSWORD = "a much longer passphrase"


def change_password(client, old=PASSWORD, new=NEW_PASSWORD, again=None):
    return client.post(
        reverse("accounts:password"),
        {"old_password": old, "new_password1": new, "new_password2": again or new},
    )


def test_a_person_changes_name_language_and_theme(sign_in, ada):
    client = sign_in(ada)

    client.post(ACCOUNT, {"name": " Ada L. ", "email": "", "language": "cs", "theme": "dark"})

    ada.refresh_from_db()
    assert (ada.name, ada.language, ada.theme) == ("Ada L.", "cs", "dark")


def test_the_chosen_language_is_the_pages(sign_in, ada):
    ada.language = "cs"
    ada.save()

    assert '<html lang="cs"' in sign_in(ada).get(ACCOUNT).text


def test_an_unseen_character_in_a_name_is_named(sign_in, ada):
    response = sign_in(ada).post(ACCOUNT, {"name": "Ada\u202e", "email": ""})

    assert "RIGHT-TO-LEFT OVERRIDE" in response.text


def test_a_wrong_form_does_not_change_the_page_around_it(sign_in, ada):
    response = sign_in(ada).post(ACCOUNT, {"name": "Somebody", "email": "no address"})

    assert "Somebody</span>" not in response.text


def test_the_menus_theme_choice_is_kept(sign_in, ada):
    sign_in(ada).post(reverse("accounts:theme"), {"theme": "dark", "next": ACCOUNT})

    ada.refresh_from_db()
    assert ada.theme == "dark"


def test_the_menus_language_choice_is_kept_for_a_signed_in_person(sign_in, ada):
    sign_in(ada).post(reverse("set_language"), {"language": "cs", "next": ACCOUNT})

    ada.refresh_from_db()
    assert ada.language == "cs"


def test_a_signed_out_person_chooses_a_language(client, db):
    client.post(reverse("set_language"), {"language": "cs", "next": "/accounts/sign-in/"})

    assert '<html lang="cs"' in client.get("/accounts/sign-in/").text


def test_the_account_page_shows_own_events_only(sign_in, ada, ben):
    record_event(actor=ada, verb="closed wave", subject="wave:1")
    record_event(actor=ben, verb="opened wave", subject="wave:2")

    page = sign_in(ada).get(ACCOUNT).text

    assert "closed a wave" in page
    assert "opened a wave" not in page


def test_changing_the_password_ends_other_sessions_and_keeps_this_one(sign_in, ada):
    here, elsewhere = sign_in(ada), sign_in(ada)

    change_password(here)

    assert here.get(ACCOUNT).status_code == 200
    assert elsewhere.get(ACCOUNT).status_code == 302
    ada.refresh_from_db()
    assert ada.check_password(NEW_PASSWORD)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"old": "not the old one"}, "not your old password"),
        ({"again": "another passphrase"}, "match"),
        ({"new": "short"}, "too short"),
        ({"new": "ada-ada-ada"}, "too similar to the username"),
    ],
)
def test_a_password_that_cannot_be_taken_is_explained(sign_in, db, typed, said):
    ada = make_user(username="ada-ada-ada1")

    response = change_password(sign_in(ada), **typed)

    assert said in response.text
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_an_account_is_made_once_whatever_the_case(ada):
    with pytest.raises(ValidationError, match="taken"):
        create_user(username="ADA", password=NEW_PASSWORD)
    with pytest.raises(IntegrityError):
        User.objects.create(username="ADA")


def test_making_an_account_is_on_record(db):
    user = create_user(username="dan", password=NEW_PASSWORD, name="Dan")

    assert Event.objects.get(subject=f"user:{user.pk}").verb == "made account"
    assert user.check_password(NEW_PASSWORD)


def test_the_new_account_form_checks_both_passwords(db):
    form = NewAccountForm(
        {"username": "dan", "password": NEW_PASSWORD, "password_again": "something else"}
    )

    assert "differ" in form.errors["password_again"][0]


def test_the_new_account_form_refuses_a_taken_username(ada):
    form = NewAccountForm(
        {"username": "Ada", "password": NEW_PASSWORD, "password_again": NEW_PASSWORD}
    )

    assert "taken" in str(form.errors)
