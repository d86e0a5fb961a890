"""API tokens: made once, kept as a hash, and what a request that carries one may do."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission

from accounts.events import record_event
from accounts.models import ApiToken, User

KEYWORD = "Bearer"


def new_secret() -> tuple[str, str]:
    """A random secret to show once, and its hash to keep."""
    secret = secrets.token_urlsafe(32)
    return secret, hash_of(secret)


def hash_of(secret: str) -> str:
    """Plain SHA-256: the secret is random and long, so a slow hash would protect nothing more."""
    return sha256(secret.encode()).hexdigest()


@transaction.atomic
def issue_token(*, user: User, name: str, scopes: list[str], days: int) -> tuple[ApiToken, str]:
    """A new token of this person, and the secret that is shown this once."""
    secret, hashed = new_secret()
    token = ApiToken.objects.create(
        user=user,
        name=name,
        scopes=sorted(scopes),
        token_hash=hashed,
        expires_at=timezone.now() + timedelta(days=days),
    )
    record_event(actor=user, verb="made API token", subject=token, data={"scopes": token.scopes})
    return token, secret


@transaction.atomic
def revoke_token(*, token: ApiToken, by: User) -> None:
    """End a token now; ending it twice changes nothing."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        record_event(actor=by, verb="revoked API token", subject=token)


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; no header leaves the request to the next way to sign in."""

    def authenticate(self, request):
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != KEYWORD.lower().encode():
            return None
        if len(parts) != 2:
            raise AuthenticationFailed(
                "The Authorization header is not of the form 'Bearer TOKEN'."
            )
        return self.signed_in(parts[1].decode("latin-1"))

    def signed_in(self, secret):
        token = ApiToken.objects.select_related("user").filter(token_hash=hash_of(secret)).first()
        if token is None or not token.user.is_active:
            raise AuthenticationFailed("This token is unknown; make one on your account page.")
        if token.revoked_at or token.expires_at <= timezone.now():
            raise AuthenticationFailed("This token has ended; make a new one on your account page.")
        return token.user, token

    def authenticate_header(self, request):
        return KEYWORD


class HasScope(BasePermission):
    """Signed in, and where it is by a token, one of the scope that the view asks for.

    A view says `required_scope = "export"`; without it, "read". People who are signed in by
    their browser act as themselves, with a CSRF token.
    """

    def has_permission(self, request, view):
        if not request.user or not request.user.is_authenticated:
            return False
        scope = getattr(view, "required_scope", ApiToken.Scope.READ)
        if isinstance(request.auth, ApiToken) and scope not in request.auth.scopes:
            self.message = f"This token lacks the scope '{scope}'; make one that has it."
            return False
        return True
