"""Invitations: made and ended by managers, spent by who has the link."""

from unicodedata import normalize

from django.contrib import messages
from django.contrib.auth import authenticate, login
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.forms import NewAccountForm
from accounts.services import create_user
from annotation import invitations as services
from annotation.forms.people import ClassListForm, OneLinkForm
from annotation.models import Campaign, Invitation
from annotation.spreadsheets import csv_text
from annotation.unsent import sent_in_vain, take_unsent

PER_PAGE = 50
BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_GET
def invitations(request, slug):
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    return drawn(request, campaign)


def drawn(request, campaign, *, one=None, many=None):
    """The page of invitations; with the form that was refused, if one was."""
    sent = campaign.invitations.select_related("wave")
    page = Paginator(sent, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "annotation/people/invitations.html",
        {
            "campaign": campaign,
            "page": page,
            "now": timezone.now(),
            "one": one or OneLinkForm(campaign=campaign, auto_id="one_%s"),
            "many": many or class_list(request, campaign),
        },
    )


def class_list(request, campaign):
    """The form of a class list, with what was sent in vain."""
    path = reverse("annotation:invite-class", args=[campaign.slug])
    sent = {name: values[0] for name, values in sent_in_vain(request, path).items()}
    return ClassListForm(campaign=campaign, auto_id="many_%s", initial=sent)


@require_http_methods(["GET", "POST"])
@never_cache
def invite(request, slug):
    """One link. The only answer that ever holds it, so it is a page and no redirect."""
    if request.method == "GET":
        return to_invitations(request, slug)
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = OneLinkForm(request.POST, campaign=campaign, auto_id="one_%s")
    if not form.is_valid():
        return drawn(request, campaign, one=form)
    made = services.invite(campaign=campaign, actor=request.user, **form.cleaned_data)
    return links(request, campaign, [made])


@require_http_methods(["GET", "POST"])
@never_cache
def invite_class(request, slug):
    """One link for each line of a pasted list."""
    if request.method == "GET":
        return to_invitations(request, slug)
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = ClassListForm(request.POST, campaign=campaign, auto_id="many_%s")
    if not form.is_valid():
        return drawn(request, campaign, many=form)
    values = form.cleaned_data
    addressees = values.pop("people")
    made = services.invite_class(
        campaign=campaign, actor=request.user, addressees=addressees, **values
    )
    take_unsent(request)
    return links(request, campaign, made)


def to_invitations(request, slug):
    """To the page with the forms, for who loads the answer to one of them from its address."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    return redirect("annotation:invitations", campaign.slug)


def links(request, campaign, made):
    rows = [
        (invitation.addressee, request.build_absolute_uri(url_of(secret)))
        for invitation, secret in made
    ]
    return render(
        request,
        "annotation/people/links.html",
        {
            "campaign": campaign,
            "rows": rows,
            "invitation": made[0][0],
            "as_csv": csv_text([_("For"), _("Link")], rows),
        },
    )


def url_of(secret):
    return reverse("annotation:accept-invitation", args=[secret])


@require_POST
def revoke_invitation(request, invitation_id):
    campaigns = Campaign.objects.managed_by(request.user)
    invitation = get_object_or_404(
        Invitation.objects.select_related("campaign"), campaign__in=campaigns, pk=invitation_id
    )
    try:
        services.revoke(invitation=invitation, actor=request.user)
        messages.success(request, _("The invitation is withdrawn."))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("annotation:invitations", invitation.campaign.slug)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def accept_invitation(request, token):
    """The link itself: a form that is spent by its POST, so that no preview spends it."""
    invitation = services.usable_invitation(token)
    if invitation is None:
        answer = render(request, "annotation/people/invitation_ended.html", status=410)
    elif request.user.is_authenticated:
        answer = join(request, invitation, token)
    else:
        answer = sign_up(request, invitation, token)
    is_refused = request.method == "POST" and answer.status_code != 302
    if is_refused and (joined := sent_twice(request, token)):
        return welcome(request, joined)
    return answer


def sent_twice(request, token):
    """The invitation by which the sender is in since a moment ago, as after a double click.

    Who is not signed in by that has to have given the password of the account that was made.
    """
    user = request.user
    typed = normalize("NFKC", request.POST.get("username", "").replace("\0", "")).strip()
    name = user.username if user.is_authenticated else typed
    joined = services.just_joined(token, name)
    if joined and not user.is_authenticated:
        password = request.POST.get("password", "")
        user = authenticate(request, username=name, password=password)
        if user is None:
            return None
        login(request, user)
    return joined


def join(request, invitation, token):
    """Join as the person who is signed in."""
    error = None
    if request.method == "POST":
        try:
            services.accept(invitation=invitation, user=request.user)
        except ValidationError as refused:
            error = refused
        else:
            return welcome(request, invitation)
    context = {"invitation": invitation, "token": token, "errors": error and error.messages}
    return render(request, "annotation/people/join.html", context)


def sign_up(request, invitation, token):
    """Join as a new person. Account and membership come together or not at all."""
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                names = ["username", "password", "name", "email"]
                user = create_user(**{name: form.cleaned_data[name] for name in names})
                services.accept(invitation=invitation, user=user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            login(request, user, backend=BACKEND)
            return welcome(request, invitation)
    context = {"invitation": invitation, "token": token, "form": form}
    return render(request, "annotation/people/sign_up.html", context)


def welcome(request, invitation):
    messages.success(request, _("Welcome to %s.") % invitation.campaign)
    return redirect("annotation:home")
