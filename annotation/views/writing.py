"""What the pages of T1a and T1b have in common: drafts, articles opened, the way on."""

import re
import uuid
from math import ceil

from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import drafts, giving, scope
from annotation.markdown import section_of
from annotation.models import Assignment, Task
from annotation.reading import readings_of
from annotation.reasons import SKIP_REASONS
from annotation.sheets import kept_fields
from annotation.unsent import tell_unsent, unsent_to
from annotation.views.results import (
    ask_and_go,
    go,
    known_revision,
    posted_revision,
    tell_stored,
)
from corpus.throttling import seconds_to_wait

OUTCOME = Assignment.Outcome
CLOSED_BY_PERSON = {OUTCOME.SKIPPED, OUTCOME.REPORTED}
ARTICLE = re.compile(r"(\d{1,18})(?:@(\d{1,9}))?")


def uuid_or_new(text):
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()


def frame(request, assignment):
    """What the form of every task needs beside its own fields."""
    draft = drafts.draft_of(assignment)
    newer = newer_than_sent(request, assignment, posted_revision(request))
    report = unsent_to(request, reverse("annotation:report", args=[assignment.pk])) or {}
    return {
        "assignment": assignment,
        "submission": uuid.uuid4(),
        # Until its sender decides, a form that is behind stays so, and its script saves nothing.
        "revision": posted_revision(request) if newer else draft.revision if draft else 0,
        "replaces": newer.revision if newer else "",
        "draft": draft,
        "has_slot": assignment.outcome != OUTCOME.EXPIRED,
        "skip_reasons": SKIP_REASONS.items(),
        "report_reason": report.get("reason", [""])[0],
    }


def typed_last(request, assignment, *, since=None):
    """The fields that were typed last: sent in vain while signed out, or drafted; else {}.

    since: when the answer was stored; what is older than that is not asked for.
    """
    draft = drafts.draft_of(assignment)
    if draft and since and draft.saved_at <= since:
        draft = None
    unsent = unsent_to(request, request.path, after=draft.saved_at if draft else since)
    if unsent:
        tell_unsent(request)
    return unsent or (draft.data if draft else {})


def guidelines_for(assignment, task):
    """The part on a task of the guidelines that the assignment was given with."""
    guideline = assignment.guideline
    return section_of(guideline.text, task) if guideline else ""


def asks_to_store(request):
    """Whether a form was sent to be kept as a draft, not to be submitted."""
    return "open_article" in request.POST or request.POST.get("action") == "save"


def newer_than_sent(request, assignment, revision):
    """The draft that another tab or device saved since `revision`; None where none says more."""
    if request.method != "POST":
        return None
    data = kept_fields(request.POST)
    return drafts.newer_draft(assignment=assignment, data=data, revision=revision)


def behind(request, assignment):
    """What is said once before work is submitted over a newer draft; [] where there is none."""
    newer = newer_than_sent(request, assignment, known_revision(request))
    return [changed_elsewhere()] if newer else []


def changed_elsewhere():
    return _(
        "This work was changed in another tab or on another device. Nothing was replaced; "
        "what you see here is stored when you save or submit it again."
    )


def keep(request, assignment, fields=None):
    """Store the draft; the sentence that says why not, where a newer one stands, else None.

    A newer one is replaced by who was told of it and saves, not by who only looks on.
    """
    told = known_revision if request.POST.get("action") == "save" else posted_revision
    try:
        drafts.save_draft(
            assignment=assignment,
            data=kept_fields(request.POST) if fields is None else fields,
            revision=told(request),
        )
    except drafts.NewerDraft:
        return changed_elsewhere()
    return None


def open_article(request, assignment, *, without_source):
    """Open the other paragraphs of an article of the scope; the draft is stored already.

    Raises ValidationError where the caller has read too much.
    """
    opened = open_asked_for(request, assignment)
    if not request.htmx:
        return go(request, "annotation:work", assignment.pk, fragment=f"#article-{opened.key}")
    return draw_article(request, assignment, opened.key, without_source=without_source)


def open_asked_for(request, assignment):
    """Open the article of the scope that a button names: its id, or id@version.

    Raises ValidationError where the caller has read too much.
    """
    match = ARTICLE.fullmatch(request.POST["open_article"])
    if not match or not scope.may_open(assignment):
        raise Http404
    version = int(match[2]) if match[2] else None
    entry = scope.knowledge_scope(assignment).article(int(match[1]), version)
    if entry is None:
        raise Http404
    count_as_read(assignment, entry.article.pk, entry.version)
    scope.open_article(assignment=assignment, article=entry.article, version=entry.version)
    return entry


def count_as_read(assignment, article_id, version):
    """Count an article that is opened, once in an assignment; refuse it past the budget."""
    if assignment.opened.filter(article=article_id, version=version).exists():
        return
    if seconds := seconds_to_wait(assignment.user, "reading"):
        minutes = ceil(seconds / 60)
        raise ValidationError(
            ngettext(
                "You have opened very many texts in a short time. What you did here is kept; you "
                "can open more in a minute.",
                "You have opened very many texts in a short time. What you did here is kept; you "
                "can open more in %(n)d minutes.",
                minutes,
            )
            % {"n": minutes}
        )


def draw_article(request, assignment, key, *, without_source):
    readings = readings_of(scope.knowledge_scope(assignment), without_source=without_source)
    reading = next(each for each in readings if each.entry.key == key)
    context = {"reading": reading, "assignment": assignment}
    return tell_stored(render(request, "annotation/t1a/_article.html", context), assignment)


def go_on_writing(request, wave):
    """On to the next claim to mutate; where there is none, to the next source."""
    if wave.mutations:
        try:
            claim = giving.ask_for_work(user=request.user, wave=wave, task=Task.T1B)
            return go(request, "annotation:work", claim.pk)
        except giving.NoWork:
            pass  # asking for a source says why there is nothing to do, if that is so
    return ask_and_go(request, wave=wave, task=Task.T1A)
