"""How much one person may read in a while: a proprietary corpus must not be copied out."""

import time
from functools import wraps
from math import ceil

from django.core.cache import cache
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

# What is counted: at most so many pages, in so many seconds. "unsent" are forms of the signed-out,
# by address: a class shares one.
BUDGETS = {"reading": (300, 3600), "search": (240, 3600), "unsent": (100, 3600)}


def throttled(kind):
    """Count a view's answers for each person; past the budget they learn when to go on."""

    def decorator(view):
        @wraps(view)
        def counted(request, *args, **kwargs):
            if seconds := seconds_to_wait(request.user, kind):
                return wait(request, seconds)
            return view(request, *args, **kwargs)

        return counted

    return decorator


def seconds_to_wait(user, kind):
    """0, and one more page counted; else how long until this person may read on."""
    return seconds_left(kind, user.pk)


def seconds_left(kind, who):
    """0, and one more counted; else how long until the budget of `who` is full again."""
    most, length = BUDGETS[kind]
    window, passed = divmod(time.time(), length)
    key = f"throttle:{kind}:{who}:{int(window)}"
    if cache.add(key, 1, length):
        return 0
    try:
        count = cache.incr(key)
    except ValueError:  # it ran out between the two calls
        return 0
    return 0 if count <= most else ceil(length - passed)


def wait(request, seconds):
    """A page that says when to go on; in place of a fragment, the whole page is asked for."""
    if request.htmx:
        return HttpResponseClientRefresh()
    response = render(request, "corpus/wait.html", {"minutes": ceil(seconds / 60)}, status=429)
    response["Retry-After"] = str(seconds)
    return response
