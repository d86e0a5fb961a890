"""What is done to accounts: made, helped to sign in, deactivated, forgotten."""

from datetime import timedelta
from secrets import token_hex

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.found import found
from accounts.lockout import unlock
from accounts.models import ApiToken, ResetLink, User
from accounts.tokens import hash_of, new_secret

RESET_LINK_LASTS = timedelta(hours=48)


@transaction.atomic
def create_user(*, username: str, password: str, name: str = "", email: str = "") -> User:
    """A new account; the username is checked as a form would check it."""
    user = User(username=username, name=name, email=email)
    validate_password(password, user=user)
    user.set_password(password)
    user.full_clean()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        # Somebody took the name between the check and the row.
        raise ValidationError({"username": _("This username is taken; choose another.")}) from None
    record_event(actor=user, verb="made account", subject=user)
    return user


@transaction.atomic
def issue_reset_link(*, user: User, by: User) -> tuple[ResetLink, str]:
    """A link with which `user` sets a new password once, within 48 hours; older links end.

    Whether `by` may help `user` is the caller's question: `User.objects.managed_by(by)`.
    Nobody but a superuser opens a superuser's account, whatever the caller thought.
    """
    if not user.is_active:
        raise ValidationError(_("This account is deactivated; reactivate it first."))
    if user.is_superuser and not by.is_superuser:
        raise ValidationError(_("Only a superuser can do this for a superuser."))
    end_reset_links(user)
    secret, hashed = new_secret()
    link = ResetLink.objects.create(
        user=user,
        created_by=by,
        token_hash=hashed,
        expires_at=timezone.now() + RESET_LINK_LASTS,
    )
    record_event(actor=by, verb="issued reset link", subject=user)
    return link, secret


def usable_reset_link(token: str) -> ResetLink | None:
    """The link of this secret, where it still opens something."""
    return (
        ResetLink.objects.select_related("user")
        .filter(token_hash=hash_of(token), used_at=None, expires_at__gt=timezone.now())
        .filter(user__is_active=True)
        .first()
    )


@transaction.atomic
def use_reset_link(*, link: ResetLink, password: str) -> User:
    """Spend the link: the new password holds, and every other way in that was open ends."""
    spent = ResetLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now())
    if not spent:
        raise ValidationError(_("This link was used already; ask for a new one."))
    set_password(user=link.user, password=password, by=link.user)
    unlock(username=link.user.username)
    return link.user


@transaction.atomic
def set_password(*, user: User, password: str, by: User) -> None:
    """A new password. Sessions that rest on the old one end by themselves; here their rows go."""
    user.set_password(password)
    user.save(update_fields=["password"])
    end_reset_links(user)
    end_sessions(user)
    record_event(actor=by, verb="set password", subject=user)


@transaction.atomic
def deactivate(*, user: User, by: User) -> None:
    """Close the account: nobody signs in with it, its work stays."""
    if user == by:
        raise ValidationError(_("You cannot deactivate your own account."))
    user.is_active = False
    user.save(update_fields=["is_active"])
    end_ways_in(user)
    record_event(actor=by, verb="deactivated account", subject=user)


@transaction.atomic
def reactivate(*, user: User, by: User) -> None:
    """Open a deactivated account again; one that was forgotten stays closed."""
    if user.forgotten_at:
        raise ValidationError(
            _("This person's data was erased; the account cannot be opened again.")
        )
    user.is_active = True
    user.save(update_fields=["is_active"])
    record_event(actor=by, verb="reactivated account", subject=user)


@transaction.atomic
def unlock_account(*, user: User, by: User) -> None:
    """Let a person who was locked out try again at once."""
    unlock(username=user.username)
    record_event(actor=by, verb="unlocked account", subject=user)


@transaction.atomic
def forget(*, user: User, by: User) -> None:
    """Remove who the person was: name, address, sign-in, tokens, sessions.

    The row stays, and with it pseudonym and labels. Apps that keep more about a person drop it
    in `forget_person(user)` of their `people.py`.
    """
    if user == by:
        raise ValidationError(_("You cannot erase your own data."))
    unlock(username=user.username)
    end_sessions(user)
    ApiToken.objects.filter(user=user).delete()
    ResetLink.objects.filter(user=user).delete()
    for forget_person in found("people", "forget_person"):
        forget_person(user)
    clear_identity(user)
    record_event(actor=by, verb="forgot person", subject=user)


def clear_identity(user: User) -> None:
    user.username = name_of_forgotten(user)
    user.name = user.email = user.language = user.theme = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.forgotten_at = timezone.now()
    user.set_unusable_password()
    user.save()


def name_of_forgotten(user: User) -> str:
    """`forgotten-12`; where somebody signed up by that name, with something behind it."""
    name = f"forgotten-{user.pk}"
    is_taken = User.objects.filter(username__iexact=name).exclude(pk=user.pk).exists()
    return f"{name}-{token_hex(8)}" if is_taken else name


def end_ways_in(user: User) -> None:
    end_reset_links(user)
    end_sessions(user)
    ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def end_reset_links(user: User) -> None:
    ResetLink.objects.filter(user=user, used_at=None).update(used_at=timezone.now())


def end_sessions(user: User) -> None:
    """Sessions name their person only inside; there is no column to ask for."""
    own = [
        session.pk
        for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=own).delete()
