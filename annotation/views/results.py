"""Where a person goes after an action on a work page, with or without htmx."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget, trigger_client_event

from annotation import drafts, giving
from annotation.reasons import why_no_work
from annotation.typed import typed_number


def go(request, name, *arguments, fragment=""):
    """Redirect the browser; htmx is told to load the page as a whole."""
    url = reverse(name, args=arguments) + fragment
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def draw_work(request, page, part, context):
    """A page of work; for htmx the part that takes the form's place, whichever button asked."""
    if not request.htmx:
        return render(request, page, context)
    response = render(request, part, context)
    return reswap(retarget(response, "#work"), "outerHTML show:none")


def tell_stored(response, assignment):
    """Let the page know that the server keeps what it sent, so that its own copy is done with.

    Where another tab submitted in between, the server keeps no draft any more, and nothing is said.
    """
    draft = drafts.draft_of(assignment)
    if draft is None:
        return response
    return trigger_client_event(response, "draft-stored", {"revision": draft.revision})


def ask_and_go(request, *, wave, task):
    """Give the caller the next piece of work and go there, or home with the reason.

    Where the guidelines have changed since, what is new is read first.
    """
    try:
        assignment = giving.ask_for_work(user=request.user, wave=wave, task=task)
    except giving.NoWork as none:
        if none.reason == "guidelines":
            return go(request, "annotation:acknowledge", wave.pk)
        messages.info(request, why_no_work(none, wave))
        return go(request, "annotation:home")
    return go(request, "annotation:work", assignment.pk)


def posted_number(request, name):
    """A number that a form sent; None where it sent none, or what no column could hold."""
    return typed_number(request.POST.get(name, ""))


def posted_revision(request):
    """The revision of the draft that a form was drawn from; 0 where it says none."""
    return posted_number(request, "revision") or 0


def known_revision(request):
    """The newest draft that the sender of a form was told of: it may be replaced now."""
    return max(posted_revision(request), posted_number(request, "replaces") or 0)
