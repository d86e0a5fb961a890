"""Answers to what went wrong: pages for people, JSON for the API."""

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, ValidationError
from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.views import defaults
from rest_framework import exceptions
from rest_framework.views import exception_handler

from annotation.unsent import keep_unsent
from config.senders import page_with_the_form, sent_by_our_page

NO_SUCH_THING = "There is no such thing, or it is not open to you."


def bad_request(request, exception=None):
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent):
        return too_large(request)
    return json_answer(request, 400, "The request could not be understood.") or (
        defaults.bad_request(request, exception)
    )


def too_large(request):
    """More text or more ticks in one form than are read; no page of ours asks for so much."""
    text = "The request is larger than what is read at once; send it in smaller parts."
    return json_answer(request, 413, text) or render(request, "413.html", status=413)


def forbidden(request, exception=None):
    return json_answer(request, 403, "You may not do this.") or (
        defaults.permission_denied(request, exception)
    )


def not_found(request, exception=None):
    return json_answer(request, 404, NO_SUCH_THING) or (defaults.page_not_found(request, exception))


def server_error(request):
    return json_answer(request, 500, "Something went wrong on our side.") or (
        defaults.server_error(request)
    )


def csrf_failure(request, reason=""):
    """The page is older than the sign-in. `reason` is for developers.

    What a page of work sent is kept for it, and the page is drawn anew; else 403.html says what
    to do.
    """
    if request.user.is_authenticated and sent_by_our_page(request) and keep_unsent(request):
        return redirect(page_with_the_form(request))
    text = "The CSRF token is missing or out of date; load the page again, or use an API token."
    return json_answer(request, 403, text) or render(request, "403.html", status=403)


def json_answer(request, status, text):
    """What an API client is told; None for a page."""
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": text}, status=status)
    return None


def api_error(exception, context):
    """The answer to what a view of the API raised: `detail`, or sentences for each field."""
    if isinstance(exception, Http404):
        exception = exceptions.NotFound(NO_SUCH_THING)
    elif isinstance(exception, ValidationError):
        exception = exceptions.ValidationError(reasons_of(exception))
    response = exception_handler(exception, context)
    if response is not None and isinstance(response.data, list):
        response.data = {"detail": " ".join(map(str, response.data))}
    return response


def reasons_of(error):
    """What a service says against its arguments, as the API words it."""
    if hasattr(error, "error_dict"):
        return error.message_dict
    return {"detail": " ".join(error.messages)}
