"""Pages for what went wrong; the API answers the same in JSON."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _


def bad_request(request, exception=None):
    return answer(request, status=400, text=_("The request could not be understood."))


def forbidden(request, exception=None):
    return answer(request, status=403, text=_("You may not do this."))


def not_found(request, exception=None):
    return answer(request, status=404, text=_("There is no such page, or it is not open to you."))


def csrf_failure(request, reason=""):
    """The page is older than the sign-in: a new copy of it has a valid token."""
    text = _("This page is out of date. Go back, load it again, and send what you typed once more.")
    return answer(request, status=403, text=text)


def server_error(request):
    """Drawn without the database and without the page's frame: either may be what broke."""
    if is_api(request):
        return JsonResponse({"detail": "Something broke on our side."}, status=500)
    return HttpResponse(render_to_string("errors/500.html"), status=500)


def answer(request, *, status, text):
    if is_api(request):
        return JsonResponse({"detail": text}, status=status)
    return render(request, "errors/error.html", {"status": status, "text": text}, status=status)


def is_api(request):
    return request.path.startswith("/api/")
