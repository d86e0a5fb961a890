"""What the pages of T1a and T1b have in common: drafts, articles opened, the way on."""

import json
import uuid

from django.http import Http404
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation import drafts, giving, scope
from annotation.markdown import section_of
from annotation.models import Assignment, Task
from annotation.reading import readings_of
from annotation.reasons import SKIP_REASONS
from annotation.sheets import kept_fields
from annotation.views.results import ask_and_go, go, posted_revision

OUTCOME = Assignment.Outcome
CLOSED_BY_PERSON = {OUTCOME.SKIPPED, OUTCOME.REPORTED}


def uuid_or_new(text):
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()


def frame(assignment):
    """What the form of every task needs beside its own fields."""
    draft = drafts.draft_of(assignment)
    return {
        "assignment": assignment,
        "submission": uuid.uuid4(),
        "revision": draft.revision if draft else 0,
        "draft": draft,
        "has_slot": assignment.outcome != OUTCOME.EXPIRED,
        "skip_reasons": SKIP_REASONS.items(),
    }


def guidelines_for(assignment, task):
    """The part on a task of the guidelines that the assignment was given with."""
    guideline = assignment.guideline
    return section_of(guideline.text, task) if guideline else ""


def asks_to_store(request):
    """Whether a form was sent to be kept as a draft, not to be submitted."""
    return "open_article" in request.POST or request.POST.get("action") == "save"


def keep(request, assignment, fields=None):
    """Store the draft; the sentence that says why not, where a newer one stands, else None."""
    try:
        drafts.save_draft(
            assignment=assignment,
            data=kept_fields(request.POST) if fields is None else fields,
            revision=posted_revision(request),
        )
    except drafts.NewerDraft:
        return _(
            "This work was changed in another tab or on another device. Nothing was replaced; "
            "what you see here is stored when you save or submit it again."
        )
    return None


def open_article(request, assignment, *, without_source):
    """Open the other paragraphs of an article of the scope; the draft is stored already."""
    wanted = request.POST["open_article"]
    known = scope.knowledge_scope(assignment)
    entry = known.article(int(wanted)) if wanted.isdecimal() and len(wanted) < 19 else None
    if entry is None:
        raise Http404
    scope.open_article(assignment=assignment, article=entry.article, version=entry.version)
    if not request.htmx:
        return go(request, "annotation:work", assignment.pk, fragment=f"#article-{wanted}")
    return draw_article(request, assignment, entry.article.pk, without_source=without_source)


def draw_article(request, assignment, article_id, *, without_source):
    readings = readings_of(scope.knowledge_scope(assignment), without_source=without_source)
    reading = next(each for each in readings if each.entry.article.pk == article_id)
    context = {"reading": reading, "assignment": assignment}
    response = render(request, "annotation/t1a/_article.html", context)
    revision = drafts.draft_of(assignment).revision
    response["HX-Trigger"] = json.dumps({"draft-stored": {"revision": revision}})
    return response


def go_on_writing(request, wave):
    """On to the next claim to mutate; where there is none, to the next source."""
    if wave.mutations:
        try:
            claim = giving.ask_for_work(user=request.user, wave=wave, task=Task.T1B)
            return go(request, "annotation:work", claim.pk)
        except giving.NoWork:
            pass  # asking for a source says why there is nothing to do, if that is so
    return ask_and_go(request, wave=wave, task=Task.T1A)
