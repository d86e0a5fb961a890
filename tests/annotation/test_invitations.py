"""Invitations let in whom they are for, as often as they say, and no longer."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Event, User
from accounts.services import forget
from annotation.invitations import accept, drop_addressee, invite, invite_class, usable_invitation
from annotation.models import Invitation, Membership, Participation
from tests.factories import make_campaign, make_member, make_user, make_wave

PASSWORD = "plum-tree-and-river"


def make_invitation(**fields):
    campaign = fields.pop("campaign", None) or make_campaign()
    actor = make_user(username="manager-of-spring")
    values = {"role": "annotator", "days": 7, **fields}
    return invite(campaign=campaign, actor=actor, **values)


def url_of(token):
    return reverse("annotation:accept-invitation", args=[token])


def signed_up(client, token, username="ben"):
    form = {"username": username, "password": PASSWORD, "password_again": PASSWORD}
    return client.post(url_of(token), form, follow=True)


@pytest.mark.django_db
def test_the_secret_is_kept_nowhere():
    invitation, secret = make_invitation()

    assert secret not in str(Invitation.objects.filter(pk=invitation.pk).values())
    assert secret not in str(Event.objects.values())


@pytest.mark.django_db
def test_looking_at_a_link_spends_nothing(client):
    invitation, token = make_invitation()

    page = client.get(url_of(token))

    assert "Join Spring" in page.content.decode()
    invitation.refresh_from_db()
    assert invitation.uses == 0


@pytest.mark.django_db
def test_a_new_person_signs_up_and_is_in(client):
    wave = make_wave()
    _, token = make_invitation(wave=wave)

    page = signed_up(client, token)

    assert "Welcome to Spring." in page.content.decode()
    ben = User.objects.get(username="ben")
    assert ben.memberships.get().role == "annotator"
    assert ben.participations.get().wave == wave


@pytest.mark.django_db
def test_a_signed_in_person_joins_as_themselves(sign_in):
    _, token = make_invitation()
    client = sign_in("ben")

    client.post(url_of(token))

    assert Membership.objects.filter(user__username="ben").exists()


@pytest.mark.django_db
def test_a_weak_password_spends_nothing_and_makes_no_account(client):
    invitation, token = make_invitation()

    form = {"username": "ben", "password": "ben", "password_again": "ben"}
    page = client.post(url_of(token), form)

    assert "too short" in page.content.decode()
    invitation.refresh_from_db()
    assert (invitation.uses, User.objects.filter(username="ben").count()) == (0, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "ending",
    [{"uses": 1}, {"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(1)}],
    ids=["used", "withdrawn", "expired"],
)
def test_an_invitation_that_ended_lets_nobody_in(client, ending):
    invitation, token = make_invitation()
    Invitation.objects.filter(pk=invitation.pk).update(**ending)

    page = signed_up(client, token)

    assert page.status_code == 410
    assert not User.objects.filter(username="ben").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("max_uses", [1, 5])
def test_who_sends_the_form_twice_is_in(client, max_uses):
    _, token = make_invitation(max_uses=max_uses)
    signed_up(client, token)

    # A second click goes out without the first one's cookie; a phone adds a blank to the name.
    again = signed_up(Client(), token, username="ben ")

    assert again.status_code == 200
    assert "Welcome to Spring" in again.text
    assert again.context["user"].username == "ben"
    assert Membership.objects.filter(user__username="ben").count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("max_uses", [1, 5])
def test_who_joins_twice_is_in(sign_in, max_uses):
    _, token = make_invitation(max_uses=max_uses)
    client = sign_in("cyn")

    for _ in range(2):
        page = client.post(url_of(token), follow=True)

    assert "Welcome to Spring" in page.text
    assert Invitation.objects.get().uses == 1


@pytest.mark.django_db
def test_a_name_with_a_nul_is_refused(client):
    _, token = make_invitation()

    page = signed_up(client, token, username="b\0en")

    assert "Null characters are not allowed" in page.text


@pytest.mark.django_db
def test_a_name_that_somebody_else_took_lets_nobody_in(client):
    _, token = make_invitation(max_uses=5)
    signed_up(Client(), token)
    form = {"username": "ben", "password": "another-one-1", "password_again": "another-one-1"}

    page = client.post(url_of(token), form)

    assert "This username is taken" in page.text
    assert not page.context["user"].is_authenticated


@pytest.mark.django_db
def test_an_account_of_before_is_no_way_in_by_an_invitation(client):
    make_user(username="ben", password=PASSWORD)
    _, token = make_invitation(max_uses=5)

    page = signed_up(client, token)

    assert "This username is taken" in page.text
    assert not page.context["user"].is_authenticated


@pytest.mark.django_db
def test_an_account_is_not_made_where_the_last_use_went_to_somebody_else(ben):
    invitation, _ = make_invitation()
    accept(invitation=invitation, user=ben)

    with pytest.raises(ValidationError, match="used up"):
        accept(invitation=invitation, user=make_user(username="eve"))

    assert not Membership.objects.filter(user__username="eve").exists()


@pytest.mark.django_db
def test_who_is_in_already_spends_no_use(ben):
    invitation, _ = make_invitation(max_uses=5)
    accept(invitation=invitation, user=ben)

    with pytest.raises(ValidationError, match="already"):
        accept(invitation=invitation, user=ben)

    invitation.refresh_from_db()
    assert invitation.uses == 1


@pytest.mark.django_db
def test_an_invitation_raises_a_role_and_never_lowers_one(cyn):
    campaign = make_campaign()
    make_member(campaign, cyn, role="curator")
    lower, _ = make_invitation(campaign=campaign, role="annotator", wave=make_wave(campaign))
    higher, _ = make_invitation(campaign=campaign, role="manager")

    accept(invitation=lower, user=cyn)
    assert cyn.memberships.get().role == "curator"
    accept(invitation=higher, user=cyn)

    assert cyn.memberships.get().role == "manager"


@pytest.mark.django_db
def test_an_old_link_brings_nobody_back_whom_a_manager_paused_or_removed(ben):
    wave = make_wave()
    invitation, _ = make_invitation(wave=wave, max_uses=5)
    accept(invitation=invitation, user=ben)
    Participation.objects.update(status="paused")
    Membership.objects.filter(user=ben).update(ended_at=timezone.now())

    with pytest.raises(ValidationError, match="ended"):
        accept(invitation=invitation, user=ben)

    assert ben.participations.get().status == "paused"


@pytest.mark.django_db
def test_a_class_list_gives_one_link_each(sign_in):
    campaign = make_campaign()
    client = sign_in("manager-of-spring")

    page = client.post(
        reverse("annotation:invite-class", args=[campaign.slug]),
        {"people": "Ada Abel\r\n\r\nben@example.org\nAda  Abel\n", "role": "annotator", "days": 9},
    )

    assert list(campaign.invitations.order_by("pk").values_list("addressee", "max_uses")) == [
        ("Ada Abel", 1),
        ("ben@example.org", 1),
    ]
    assert page.content.decode().count("/join/") == 4  # in the table and in the CSV


@pytest.mark.django_db
def test_a_pasted_name_is_no_formula_in_the_csv(sign_in):
    campaign = make_campaign()
    client = sign_in("manager-of-spring")

    page = client.post(
        reverse("annotation:invite-class", args=[campaign.slug]),
        {"people": '=HYPERLINK("http://x")', "role": "annotator", "days": 9},
    )

    assert page.context["as_csv"].splitlines()[1].startswith("\"'=HYPERLINK")


@pytest.mark.django_db
def test_pasting_a_list_again_replaces_the_links_that_were_not_used():
    campaign = make_campaign()
    who = {"campaign": campaign, "actor": make_user(), "role": "annotator", "days": 7}
    (first,) = invite_class(addressees=["Ada Abel"], **who)

    (second,) = invite_class(addressees=["Ada Abel"], **who)

    assert usable_invitation(first[1]) is None
    assert usable_invitation(second[1]) == second[0]


@pytest.mark.django_db
def test_a_manager_withdraws_a_link(sign_in):
    invitation, token = make_invitation()

    sign_in("manager-of-spring").post(
        reverse("annotation:revoke-invitation", args=[invitation.pk]), follow=True
    )

    assert usable_invitation(token) is None


@pytest.mark.django_db
def test_the_database_refuses_a_use_too_many():
    invitation, _ = make_invitation(max_uses=2)

    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.filter(pk=invitation.pk).update(uses=3)


@pytest.mark.django_db
def test_a_forgotten_person_is_not_named_by_their_invitation(ben):
    invitation, _ = make_invitation(addressee="Ben Berg")
    accept(invitation=invitation, user=ben)

    drop_addressee(ben)

    invitation.refresh_from_db()
    assert invitation.addressee == ""


@pytest.mark.django_db
def test_no_older_link_names_a_forgotten_person(sign_in, root):
    campaign = make_campaign()
    who = {"campaign": campaign, "actor": make_user(), "role": "annotator", "days": 7}
    listed = ["jan.novak@uni.cz", "eva@uni.cz"]
    invite_class(addressees=listed, **who)
    (mine, _), _ = invite_class(addressees=listed, **who)
    jan = make_user(username="jan", name="Jan Novák")
    accept(invitation=mine, user=jan)

    forget(user=jan, by=root)

    page = reverse("annotation:invitations", args=[campaign.slug])
    html = sign_in("manager-of-spring").get(page).text
    assert "jan.novak@uni.cz" not in html
    assert campaign.invitations.filter(addressee="eva@uni.cz").count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("addressee", "is_elsewhere", "kept"),
    [
        ("JAN NOVÁK", False, ""),
        ("jan", False, ""),
        ("Novák, Jan <Jan.Novak@UNI.cz>", False, ""),
        ("jan.novak@uni.cz", True, ""),
        ("Jan Novák", True, "Jan Novák"),  # whoever that is
        ("Jan Nováková", False, "Jan Nováková"),
        ("dejan.novak@uni.cz", False, "dejan.novak@uni.cz"),
    ],
)
def test_which_addressees_are_a_forgotten_person(addressee, is_elsewhere, kept):
    campaign = make_campaign()
    jan = make_user(username="jan", name="Jan Novák", email="jan.novak@uni.cz")
    make_member(campaign, jan)
    if is_elsewhere:
        campaign = make_campaign(slug="autumn")
    invitation, _ = make_invitation(campaign=campaign, addressee=addressee)

    drop_addressee(jan)

    invitation.refresh_from_db()
    assert invitation.addressee == kept


@pytest.mark.django_db
def test_links_of_groups_and_of_namesakes_keep_their_names():
    campaign = make_campaign()
    jan, other = (make_user(username=name, name="Jan Novák") for name in ("jan", "jan2"))
    group, _ = make_invitation(campaign=campaign, addressee="Jan Novák", max_uses=2)
    his, _ = make_invitation(campaign=campaign, addressee="Jan Novák")
    accept(invitation=group, user=jan)
    accept(invitation=his, user=other)

    drop_addressee(jan)

    assert set(campaign.invitations.values_list("addressee", flat=True)) == {"Jan Novák"}


@pytest.mark.django_db
def test_a_list_pasted_again_finds_no_older_link_of_a_forgotten_namesake(ben):
    campaign = make_campaign()
    make_member(campaign, ben)
    who = {"campaign": campaign, "actor": make_user(), "role": "annotator", "days": 7}
    ((_, of_another),) = invite_class(addressees=["Ben"], **who)
    drop_addressee(ben)

    ((again, token),) = invite_class(addressees=["Ben"], **who)

    assert usable_invitation(of_another) is None
    assert usable_invitation(token) == again
    assert Event.objects.filter(verb="withdrew invitation").count() == 1


@pytest.mark.django_db
def test_links_that_were_used_or_have_ended_are_not_withdrawn_with_their_names(ben):
    campaign = make_campaign()
    group, token = make_invitation(campaign=campaign, addressee="ben@uni.cz", max_uses=5)
    accept(invitation=group, user=ben)
    ended, _ = make_invitation(campaign=campaign, addressee="ben")
    Invitation.objects.filter(pk=ended.pk).update(expires_at=timezone.now() - timedelta(1))
    ben.email = "ben@uni.cz"

    drop_addressee(ben)

    assert usable_invitation(token) == group
    assert set(campaign.invitations.values_list("addressee", "revoked_at")) == {("", None)}


@pytest.mark.django_db(transaction=True)
def test_of_many_who_come_at_once_exactly_as_many_join_as_are_invited():
    invitation, _ = make_invitation(max_uses=5)
    people = [make_user(username=f"person{number}") for number in range(15)]

    with ThreadPoolExecutor(max_workers=15) as pool:
        joined = list(pool.map(lambda user: has_joined(invitation, user), people))

    invitation.refresh_from_db()
    members = Membership.objects.filter(user__in=people).count()
    assert (sum(joined), members, invitation.uses) == (5, 5, 5)


def has_joined(invitation, user):
    try:
        accept(invitation=invitation, user=user)
        return True
    except ValidationError:
        return False
    finally:
        connection.close()
