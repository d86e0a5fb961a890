"""Signing in and out, and what people change about themselves."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers
from django.views.i18n import set_language as django_set_language

from accounts.forms import (
    AccountForm,
    ChangePasswordForm,
    NewPasswordForm,
    SignInForm,
    ThemeForm,
    TokenForm,
)
from accounts.models import ApiToken
from accounts.services import set_password, usable_reset_link, use_reset_link
from accounts.tokens import issue_token, revoke_token

EVENTS_SHOWN = 20


@login_not_required
@sensitive_post_parameters()
@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "POST"])
def sign_in(request):
    """A page, and for a dialog over a page whose session ran out: 204, or the form with errors."""
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return HttpResponse(status=204) if request.htmx else redirect(next_page(request))
    template = "accounts/_sign_in.html" if request.htmx else "accounts/sign_in.html"
    return render(request, template, {"form": form, "next": next_page(request)})


def next_page(request):
    """Where the person wanted to go, if it lies on this site; else the start page."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return url if is_ours else "/"


@login_not_required
@require_POST
def sign_out(request):
    logout(request)
    return redirect("accounts:sign-in")


@login_not_required
@require_POST
def set_language(request):
    """Django's language cookie; the choice of a signed-in person holds on their other devices."""
    response = django_set_language(request)
    language = request.POST.get("language")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        request.user.language = language
        request.user.save(update_fields=["language"])
    return response


@require_POST
def theme(request):
    form = ThemeForm(request.POST, instance=request.user)
    if form.is_valid():
        form.save()
    return redirect(next_page(request))


@require_http_methods(["GET", "POST"])
def account(request):
    form = AccountForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your account was saved."))
        return redirect("accounts:account")
    request.user.refresh_from_db()  # a form with errors has put what was typed into the user
    return render(request, "accounts/account.html", account_context(request, form=form))


def account_context(request, *, form=None, token_form=None):
    return {
        "form": form or AccountForm(instance=request.user),
        "token_form": token_form or TokenForm(initial={"scopes": [ApiToken.Scope.READ]}),
        "tokens": request.user.api_tokens.filter(revoked_at=None).order_by("-id"),
        "events": request.user.events.all()[:EVENTS_SHOWN],
    }


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def password(request):
    form = ChangePasswordForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        set_password(
            user=request.user, password=form.cleaned_data["new_password1"], by=request.user
        )
        update_session_auth_hash(request, request.user)
        messages.success(request, _("Your password was changed. Other sessions were ended."))
        return redirect("accounts:account")
    return render(request, "accounts/password.html", {"form": form})


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def reset(request, token):
    """The page behind a one-time link: looking spends nothing, sending does."""
    link = usable_reset_link(token)
    if link is None:
        return reset_ended(request)
    form = NewPasswordForm(link.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            use_reset_link(link=link, password=form.cleaned_data["new_password1"])
        except ValidationError:  # it was sent twice, and the other was faster
            return reset_ended(request)
        logout(request)
        messages.success(request, _("Your new password holds. Sign in with it."))
        return redirect("accounts:sign-in")
    return render(request, "accounts/reset.html", {"form": form, "person": link.user})


def reset_ended(request):
    return render(request, "accounts/reset_ended.html", status=404)


@require_POST
def make_token(request):
    """The only answer that ever holds the secret, so it is a page and no redirect."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        context = account_context(request, token_form=form)
        return render(request, "accounts/account.html", context)
    token, secret = issue_token(user=request.user, **form.cleaned_data)
    return render(request, "accounts/token.html", {"token": token, "secret": secret})


@require_POST
def end_token(request, token_id):
    token = get_object_or_404(request.user.api_tokens, pk=token_id)
    revoke_token(token=token, by=request.user)
    messages.success(request, _("The token has ended."))
    return redirect(reverse("accounts:account") + "#tokens")
