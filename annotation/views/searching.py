"""Search from the labelling form: the draft is stored, what is found may join the grid."""

from dataclasses import replace

from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap, retarget

from annotation import searching
from annotation.forms.searching import SearchInWorkForm
from annotation.grid import draw_grid
from annotation.scope import knowledge_scope
from annotation.sheets import kept_fields, sheet_from_fields
from annotation.views import t2
from annotation.views.ended import ended_page
from annotation.views.results import go, tell_stored
from annotation.views.work import own_assignment
from annotation.views.writing import CLOSED_BY_PERSON, count_as_read
from corpus.throttling import seconds_to_wait
from dictionaries.backends.base import IndexUnavailable


@require_http_methods(["GET", "POST"])
def search(request, assignment_id):
    """Search the corpus, or open an article that was found; the draft is kept either way.

    Without scripts the page stands at this address, and a browser may load it from here anew.
    """
    assignment = own_assignment(request, assignment_id)
    if request.method == "GET":
        return go(request, "annotation:work", assignment.pk)
    if assignment.outcome in CLOSED_BY_PERSON:
        return ended_page(request, assignment)
    if not searching.may_search(assignment):
        raise Http404
    with timezone.override(assignment.wave.campaign.time_zone):
        sheet = sheet_from_fields(kept_fields(request.POST))
        if only_keeps(request.POST):
            return t2.store(request, assignment, sheet)
        if refusal := t2.keep(request, assignment, sheet):
            live = t2.live_annotation(assignment)
            return t2.draw(request, assignment, sheet, errors=[refusal], live=live)
        if "open_found" in request.POST:
            return open_found(request, assignment, sheet)
        return draw(request, assignment, sheet, searched(request, assignment))


def only_keeps(data):
    """Whether Enter was pressed elsewhere than in the search: a script says so.

    Without it the words of the search tell: they are empty, or those whose hits are shown.
    """
    asked = searching.Search(data.get("search-text", ""), data.get("search-method", ""))
    is_new = bool(asked.text.strip()) and asked.asked != data.get("searched", "")
    return data.get("action") == "keep" or (data.get("action") == "enter" and not is_new)


def searched(request, assignment):
    """What the typed words find, or why nothing was searched."""
    form = SearchInWorkForm(request.POST)
    typed = {"text": form.typed("text"), "method": form.typed("method")}
    if not form.is_valid():
        problem = " ".join(error for errors in form.errors.values() for error in errors)
        return searching.Search(**typed, problem=problem)
    if seconds_to_wait(request.user, "search"):
        problem = _("You have searched very often; go on with what you have, or wait an hour.")
        return searching.Search(**typed, problem=problem)
    asked = form.asked()
    try:
        return searching.search_for(assignment=assignment, **asked)
    except IndexUnavailable:
        problem = _("The corpus cannot be searched now; a manager can build its index.")
        return searching.Search(**typed, problem=problem)


def draw(request, assignment, sheet, found):
    """The search alone for htmx, else the page with it."""
    if not request.htmx:
        live = t2.live_annotation(assignment)
        return t2.draw(request, assignment, sheet, live=live, search=found)
    known = {article.key for article in knowledge_scope(assignment).articles}
    context = {"assignment": assignment, "search": found, "known": known}
    return tell_stored(render(request, "annotation/t2/_search.html", context), assignment)


def open_found(request, assignment, sheet):
    """Add an article that was found to the grid."""
    try:
        found = searching.found_by(assignment=assignment, ticket=request.POST["open_found"])
    except ValidationError:
        raise Http404 from None
    key = f"{found.article_id}@{found.version}"
    try:
        count_as_read(assignment, found.article_id, found.version)
    except ValidationError as limit:
        return read_too_much(request, assignment, sheet, key=key, problem=" ".join(limit.messages))
    searching.open_found(assignment=assignment, found=found)
    if not request.htmx:
        return go(request, "annotation:work", assignment.pk, fragment=f"#article-{key}")
    grid = draw_grid(knowledge_scope(assignment), sheet)
    context = {
        "article": next(each for each in grid if each.entry.key == key),
        "assignment": assignment,
        "claim": assignment.item.instance.claim,
    }
    return tell_stored(render(request, "annotation/t2/_added.html", context), assignment)


def read_too_much(request, assignment, sheet, *, key, problem):
    """Say so beside the article that was to be added; without htmx, on the page."""
    if not request.htmx:
        words = searching.typed_search(dict(request.POST.lists()))
        return draw(request, assignment, sheet, replace(words, problem=problem))
    context = {"assignment": assignment, "key": key, "ticket": request.POST["open_found"]}
    drawn = render(request, "annotation/t2/_add_found.html", context | {"problem": problem})
    drawn = reswap(retarget(drawn, f'[id="found-{key}"]'), "outerHTML show:none")
    return tell_stored(drawn, assignment)
