"""Answers to what went wrong: pages for people, JSON for the API."""

from django.core.exceptions import ValidationError
from django.http import Http404, JsonResponse
from django.shortcuts import render
from django.views import defaults
from rest_framework import exceptions
from rest_framework.views import exception_handler

NO_SUCH_THING = "There is no such thing, or it is not open to you."


def bad_request(request, exception=None):
    return json_answer(request, 400, "The request could not be understood.") or (
        defaults.bad_request(request, exception)
    )


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
    """The page is older than the sign-in: 403.html says what to do. `reason` is for developers."""
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
