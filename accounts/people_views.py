"""Helping others to sign in: managers their people, superusers everybody."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts import services
from accounts.lockout import is_locked_anywhere
from accounts.models import Event, User

PER_PAGE = 50
EVENTS_SHOWN = 50


@require_GET
@vary_on_headers("HX-Request")
def people(request):
    """Whom I may help; only for who helps people, be there nobody yet."""
    if not request.user.helps_people():
        raise Http404
    mine = User.objects.managed_by(request.user).remembered()
    query = request.GET.get("q", "").strip()
    found = mine.filter(
        Q(username__icontains=query) | Q(name__icontains=query) | Q(email__icontains=query)
    )
    page = Paginator(found.order_by("username"), PER_PAGE).get_page(request.GET.get("page"))
    template = "accounts/_people.html" if request.htmx else "accounts/people.html"
    return render(
        request, template, {"page": page, "query": query, "is_alone": not query and not page}
    )


@require_GET
def person(request, user_id):
    somebody = get_object_or_404(User.objects.managed_by(request.user), pk=user_id)
    events = Event.objects.filter(subject=f"user:{somebody.pk}").select_related("actor")
    return render(
        request,
        "accounts/person.html",
        {
            "person": somebody,
            "is_locked": is_locked_anywhere(username=somebody.username),
            "events": events[:EVENTS_SHOWN],
        },
    )


@require_POST
@never_cache
def issue_reset_link(request, user_id):
    """The only answer that ever holds the link, so it is a page and no redirect."""
    somebody = get_object_or_404(User.objects.managed_by(request.user), pk=user_id)
    try:
        link, token = services.issue_reset_link(user=somebody, by=request.user)
    except ValidationError as error:
        return refused(request, somebody, error)
    return render(request, "accounts/reset_link.html", {"link": link, "token": token})


@require_POST
def unlock(request, user_id):
    somebody = get_object_or_404(User.objects.managed_by(request.user), pk=user_id)
    services.unlock_account(user=somebody, by=request.user)
    messages.success(request, _("The account is unlocked."))
    return redirect("accounts:person", somebody.pk)


@require_POST
def deactivate(request, user_id):
    return change(request, user_id, services.deactivate, _("The account is deactivated."))


@require_POST
def reactivate(request, user_id):
    return change(request, user_id, services.reactivate, _("The account is open again."))


@require_POST
def forget(request, user_id):
    return change(request, user_id, services.forget, _("Their data is erased."))


def change(request, user_id, service, done):
    """Superusers alone close accounts: a person belongs to more than one campaign."""
    somebody = get_object_or_404(User.objects.ruled_by(request.user), pk=user_id)
    try:
        service(user=somebody, by=request.user)
    except ValidationError as error:
        return refused(request, somebody, error)
    messages.success(request, done)
    return redirect("accounts:person", somebody.pk)


def refused(request, somebody, error):
    messages.error(request, " ".join(error.messages))
    return redirect("accounts:person", somebody.pk)
