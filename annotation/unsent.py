"""What a browser sent in vain, signed out or refused: kept in its session to be typed no more."""

from datetime import datetime

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.lockout import client_address
from corpus.throttling import seconds_left
from operations.database_time import database_now

KEY = "unsent"
MOST_KEPT = 200_000  # characters
NOT_KEPT = {"csrfmiddlewaretoken", "password"}
# The forms in which somebody may have typed for long, by what they are sent to.
LONG_FORMS = {
    "annotation:work",
    "annotation:search",
    "annotation:report",
    "annotation:edit-claim",
    "annotation:edit-guidelines",
    "annotation:decide-report",
    "annotation:invite-class",
    "datasets:releases",
}
# What is sent to another address than the one by which the page of the form asks for it.
ASKED_FOR_BY = {"annotation:search": "annotation:work"}
SECONDS_KEPT = 3600  # for somebody who is signed out


def keep_unsent(request):
    """Keep what a page of work or another long form sent, for that page. Whether it was kept.

    Who is signed out has an hour, and shares a budget with whoever has the same address: nobody
    fills the database without an account.
    """
    fields = {name: values for name, values in request.POST.lists() if name not in NOT_KEPT}
    size = sum(len(value) for values in fields.values() for value in values)
    if not takes_long(request) or size > MOST_KEPT:
        return False
    if not request.user.is_authenticated:
        if seconds_left("unsent", client_address(request)):
            return False
        request.session.set_expiry(SECONDS_KEPT)
    at = database_now().isoformat()
    request.session[KEY] = {"path": path_of_page(request), "fields": fields, "at": at}
    return True


def takes_long(request):
    """Whether a request was sent by a form in which somebody may have typed for long."""
    match = request.resolver_match
    return match is not None and match.view_name in LONG_FORMS


def path_of_page(request):
    """The address under which the page asks for what was sent."""
    match = request.resolver_match
    page = ASKED_FOR_BY.get(match.view_name)
    return reverse(page, kwargs=match.kwargs) if page else request.path


def unsent_to(request, path, *, after=None):
    """The fields ({name: [values]}) that were sent to `path` in vain, later than `after`.

    They stay: whoever loads the page once more finds them there once more.
    """
    unsent = request.session.get(KEY)
    if not unsent or unsent["path"] != path:
        return None
    if after is not None and datetime.fromisoformat(unsent["at"]) <= after:
        return None
    return unsent["fields"]


def sent_in_vain(request, path, *, after=None):
    """The fields of a long form that are to be shown again; {} where nothing was sent in vain."""
    if request.method != "GET" or not (fields := unsent_to(request, path, after=after)):
        return {}
    tell_unsent(request)
    return fields


def tell_unsent(request):
    messages.info(request, _("You were signed out. What you had typed is here: send it again."))


def take_unsent(request):
    """What was sent here in vain, once: where it is shown only to be copied, or has been sent."""
    fields = unsent_to(request, request.path)
    if fields is not None:
        del request.session[KEY]
    return fields
