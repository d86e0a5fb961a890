"""Who is asking: through which proxy, and whether still signed in."""

from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils import timezone, translation

from annotation.unsent import keep_unsent
from config.senders import page_with_the_form

RENEWED = "renewed_on"


class TrustedProxyMiddleware:
    """Take address and scheme from a proxy's headers, only where that proxy was configured."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        forwarded_for = request.META.pop("HTTP_X_FORWARDED_FOR", "")
        forwarded_proto = request.META.pop("HTTP_X_FORWARDED_PROTO", "")
        if is_trusted_proxy(request.META.get("REMOTE_ADDR", "")):
            # The nearest hop writes last; what stands before it is the client's own word.
            request.META["REMOTE_ADDR"] = forwarded_for.rsplit(",", 1)[-1].strip() or "unknown"
            if forwarded_proto in {"http", "https"}:
                request.META["wsgi.url_scheme"] = forwarded_proto
        return self.get_response(request)


def is_trusted_proxy(address):
    try:
        return any(ip_address(address) in network for network in settings.TRUSTED_PROXIES)
    except ValueError:
        return False


class SignedInMiddleware(LoginRequiredMiddleware):
    """Sign-in is required by default; a signed-out fragment request gets 401, not a login form.

    A login page swapped into a fragment would take the place of what was typed. The page's
    dialog hears `signed-out`, signs in, and sends the request again. Without scripts, what a
    form sent waits in the session for the page that it was meant for.
    """

    def process_view(self, request, view_func, view_args, view_kwargs):
        refusal = super().process_view(request, view_func, view_args, view_kwargs)
        if refusal is None and request.user.is_authenticated:
            renew_session(request)
        return refusal

    def handle_no_permission(self, request, view_func):
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=401, headers={"HX-Trigger": "signed-out"})
        if request.method == "POST":
            keep_unsent(request)
            return redirect_to_login(page_with_the_form(request))
        return super().handle_no_permission(request, view_func)


def renew_session(request):
    """Once a day, give the session of somebody who is at work its full age again.

    At once where it is shorter: it was made for what they sent before they signed in.
    """
    session, today = request.session, timezone.now().date().isoformat()
    is_short = session.get_expiry_age() < settings.SESSION_COOKIE_AGE
    signed_in = request.user.last_login
    if is_short or session.get(RENEWED, signed_in and signed_in.date().isoformat()) != today:
        session[RENEWED] = today
        session.set_expiry(None)


class PlainAddressMiddleware:
    """Refuse an address with a NUL: no text of ours has one, and PostgreSQL cannot look for it.

    The API looks at each of its fields and says in which one the NUL is.
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        has_nul = "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
        if has_nul and not request.path_info.startswith("/api/"):
            raise BadRequest("The address has a NUL character.")
        return self.get_response(request)


class LanguageMiddleware:
    """The language that a person chose for their account goes before the browser's."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        if request.user.is_authenticated and request.user.language:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)
