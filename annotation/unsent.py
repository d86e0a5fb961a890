"""What a browser sent in vain, signed out or refused: kept in its session to be typed no more."""

from datetime import datetime

from operations.database_time import database_now

KEY = "unsent"
MOST_KEPT = 200_000  # characters
NOT_KEPT = {"csrfmiddlewaretoken", "password"}


def keep_unsent(request):
    """Keep what a page of work sent; only that page gets it back. Whether it was kept."""
    fields = {name: values for name, values in request.POST.lists() if name not in NOT_KEPT}
    size = sum(len(value) for values in fields.values() for value in values)
    is_kept = request.path.startswith("/assignments/") and size <= MOST_KEPT
    if is_kept:
        at = database_now().isoformat()
        request.session[KEY] = {"path": request.path, "fields": fields, "at": at}
    return is_kept


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


def take_unsent(request):
    """What was sent to this page in vain, once: where it is shown only to be copied."""
    fields = unsent_to(request, request.path)
    if fields is not None:
        del request.session[KEY]
    return fields
