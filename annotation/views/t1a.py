"""T1a: claims are extracted from a source."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import render
from django.utils.translation import ngettext

from annotation import scope, writing
from annotation.answering import AnsweredElsewhere
from annotation.forms.writing import ClaimsForm
from annotation.hints import hints_on_claims
from annotation.my_work import with_leases
from annotation.reading import entity_hints, readings_of
from annotation.sheets import kept_fields
from annotation.unsent import take_unsent
from annotation.views.ended import ended_page
from annotation.views.results import draw_work, go, tell_stored
from annotation.views.writing import (
    CLOSED_BY_PERSON,
    OUTCOME,
    asks_to_store,
    behind,
    frame,
    go_on_writing,
    guidelines_for,
    keep,
    open_article,
    typed_last,
    uuid_or_new,
)


def page(request, assignment):
    if assignment.outcome in CLOSED_BY_PERSON:
        return ended_page(request, assignment)
    if request.method == "GET":
        return show(request, assignment)
    if assignment.outcome != OUTCOME.SUBMITTED and asks_to_store(request):
        return store(request, assignment)
    return submit(request, assignment)


def show(request, assignment):
    """The form as it was sent in vain or drafted; what was written, where it was submitted."""
    if assignment.outcome == OUTCOME.SUBMITTED:
        sent = take_unsent(request) or {}
        return draw_written(request, assignment, claims_on(sent, assignment).claims)
    return draw(request, assignment, claims_on(typed_last(request, assignment), assignment))


def claims_on(fields, assignment):
    return ClaimsForm(fields, language=assignment.preselection.paragraph.article.language)


def store(request, assignment):
    """Keep the draft, and open the article that was asked for."""
    form = claims_on(kept_fields(request.POST), assignment)
    if refused := keep(request, assignment):
        return draw(request, assignment, form, [refused])
    if "open_article" in request.POST:
        try:
            return open_article(request, assignment, without_source=True)
        except ValidationError as limit:
            return tell_stored(draw(request, assignment, form, limit.messages), assignment)
    if request.htmx:
        return tell_stored(draw(request, assignment, form), assignment)
    return go(request, "annotation:work", assignment.pk)


def submit(request, assignment):
    form = claims_on(kept_fields(request.POST), assignment)
    if errors := behind(request, assignment):
        return draw(request, assignment, form, errors)
    try:
        claims = writing.extract_claims(
            assignment=assignment,
            texts=[text for _name, text in form.claims],
            submission=uuid_or_new(request.POST.get("submission", "")),
        )
    except ValidationError as error:
        form.refuse_claims(error)
        return draw(request, assignment, form)
    except AnsweredElsewhere:
        return draw_written(request, assignment, form.claims)
    return after(request, assignment, claims)


def after(request, assignment, claims):
    stored = ngettext("Stored: one claim.", "Stored: %(n)d claims.", len(claims))
    messages.success(request, stored % {"n": len(claims)})
    if request.POST.get("action") == "stop":
        return go(request, "annotation:home")
    return go_on_writing(request, assignment.wave)


def draw(request, assignment, form, errors=()):
    """The page, or the form alone for htmx."""
    paragraph = assignment.preselection.paragraph
    known = scope.knowledge_scope(assignment)
    context = frame(request, assignment) | {
        "form": form,
        "errors": [*errors, *form.non_field_errors()],
        "checks": checks_of(form, assignment),
        "paragraph": paragraph,
        "article": paragraph.article,
        "heading": known.articles[0].title,
        "hints": entity_hints(paragraph, paragraph.article.language),
        "readings": readings_of(known, without_source=True),
        "guidelines": guidelines_for(assignment, "T1a"),
    }
    return draw_work(request, "annotation/t1a/page.html", "annotation/t1a/_form.html", context)


def checks_of(form, assignment):
    campaign = assignment.wave.campaign
    language = assignment.preselection.paragraph.article.language
    return hints_on_claims(form.numbered, campaign=campaign, language=language)


def draw_checks(request, assignment):
    """The hints on what is typed just now."""
    form = claims_on(kept_fields(request.POST), assignment)
    context = {"assignment": assignment, "checks": checks_of(form, assignment)}
    return render(request, "annotation/t1a/_checks.html", context)


def draw_written(request, assignment, typed=()):
    """What was written from the source; what was typed in vain is shown to copy."""
    claims = list(with_leases(assignment.written.order_by("number")))
    stored = {claim.text for claim in claims}
    context = {
        "assignment": assignment,
        "paragraph": assignment.preselection.paragraph,
        "article": assignment.preselection.paragraph.article,
        "claims": claims,
        "in_vain": [text for _name, text in typed if text.strip() not in stored],
    }
    page, part = "annotation/t1a/written.html", "annotation/t1a/_written.html"
    return draw_work(request, page, part, context)
