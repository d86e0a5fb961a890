"""Which page sent a form, by what the browser says; only an address of ours is believed."""

from urllib.parse import urlsplit


def sent_by_our_page(request):
    """Whether the browser names a page of this site as the one that sent the request."""
    sender = request.headers.get("Origin") or request.headers.get("Referer", "")
    return urlsplit(sender)[:2] == (request.scheme, request.get_host())


def page_with_the_form(request):
    """Where a form stood that was sent: what it was sent to may take no other request."""
    sender = urlsplit(request.headers.get("Referer", ""))
    if sender.netloc != request.get_host():
        return "/"
    return sender._replace(scheme="", netloc="", fragment="").geturl() or "/"
