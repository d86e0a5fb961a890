"""T1b: a claim is mutated, by any of the wave's mutation types."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import scope, writing
from annotation.answering import AnsweredElsewhere
from annotation.forms.writing import MutationsForm
from annotation.hints import hints_on_mutations, telling_words_in
from annotation.models import Assignment, Task
from annotation.mutation_guides import ORIGINAL, Guide, guides_of
from annotation.my_work import with_leases, without_mutation
from annotation.reading import readings_of
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


@dataclass(frozen=True)
class Card:
    """One mutation type on the page: what it asks for, its field, what is pointed out.

    word: one that tends to give claims away, or ''.
    """

    guide: Guide
    field: object
    checks: list[str]
    word: str


@dataclass(frozen=True)
class Sibling:
    """A claim written at once with another, and how far its mutations are."""

    claim: object
    assignment: Assignment | None

    @property
    def state(self):
        outcome = self.assignment.outcome if self.assignment else None
        words = {OUTCOME.SUBMITTED: _("mutated"), OUTCOME.SKIPPED: _("skipped")}
        words[OUTCOME.REPORTED] = _("reported")
        return words.get(outcome, _("no mutation yet"))


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
        return draw_written(request, assignment, form_on(sent, assignment).texts)
    return draw(request, assignment, form_on(typed_last(request, assignment), assignment))


def form_on(fields, assignment):
    return MutationsForm(fields, guides=guides_of(assignment.wave), parent=assignment.claim)


def store(request, assignment):
    """Keep the draft, and open the article that was asked for."""
    form = form_on(kept_fields(request.POST), assignment)
    if refused := keep(request, assignment):
        return draw(request, assignment, form, [refused])
    if "open_article" in request.POST:
        try:
            return open_article(request, assignment, without_source=False)
        except ValidationError as limit:
            return tell_stored(draw(request, assignment, form, limit.messages), assignment)
    if request.htmx:
        return tell_stored(draw(request, assignment, form), assignment)
    return go(request, "annotation:work", assignment.pk)


def submit(request, assignment):
    form = form_on(kept_fields(request.POST), assignment)
    if errors := behind(request, assignment):
        return draw(request, assignment, form, errors)
    if assignment.outcome != OUTCOME.SUBMITTED and not form.judge():
        return draw(request, assignment, form)
    try:
        claims = writing.mutate_claim(
            assignment=assignment,
            texts=form.texts,
            submission=uuid_or_new(request.POST.get("submission", "")),
        )
    except ValidationError as error:
        form.refuse(error)
        return draw(request, assignment, form)
    except AnsweredElsewhere:
        return draw_written(request, assignment, form.texts)
    return after(request, assignment, claims)


def after(request, assignment, claims):
    stored = ngettext("Stored: one mutation.", "Stored: %(n)d mutations.", len(claims))
    messages.success(request, stored % {"n": len(claims)})
    if request.POST.get("action") == "stop":
        return go(request, "annotation:home")
    return go_on_writing(request, assignment.wave)


def draw(request, assignment, form, errors=()):
    """The page, or the form alone for htmx."""
    siblings = siblings_of(assignment)
    places = [sibling.claim.pk for sibling in siblings]
    context = frame(request, assignment) | {
        "claim": assignment.claim,
        "siblings": siblings,
        "place": places.index(assignment.claim_id) + 1,
        "cards": cards_of(form, assignment),
        "errors": [*errors, *form.non_field_errors()],
        "original": ORIGINAL,
        "readings": readings_of(scope.knowledge_scope(assignment)),
        "guidelines": guidelines_for(assignment, "T1b"),
        "without_mutation": others_without_mutation(assignment),
    }
    return draw_work(request, "annotation/t1b/page.html", "annotation/t1b/_form.html", context)


def siblings_of(assignment):
    """The claims written in the same form, in their order; the claim itself is among them."""
    claim = assignment.claim
    claims = [claim]
    if claim.written_in_id is not None:
        claims = list(claim.written_in.written.order_by("number"))
    given = assignment.user.assignments.filter(task=Task.T1B, claim__in=claims)
    given = {each.claim_id: each for each in given}
    return [Sibling(each, given.get(each.pk)) for each in claims]


def cards_of(form, assignment):
    hints = hints_on_mutations(form.texts, parent=assignment.claim)
    words = telling_words_in(form.texts, parent=assignment.claim)
    return [
        Card(guide, form[name], hints.get(name, []), words.get(name, ""))
        for guide in guides_of(assignment.wave)
        for name in [str(guide.mutation)]
    ]


def others_without_mutation(assignment):
    claims = without_mutation(assignment.user, assignment.wave)
    return list(claims.exclude(pk=assignment.claim_id))


def draw_checks(request, assignment):
    """The hints on what is typed just now, each for its own field."""
    form = form_on(kept_fields(request.POST), assignment)
    context = {"assignment": assignment, "cards": cards_of(form, assignment)}
    return render(request, "annotation/t1b/_all_checks.html", context)


def draw_written(request, assignment, typed):
    """What was written from the claim; what was typed in vain is shown to copy."""
    claims = list(with_leases(assignment.written.order_by("number")))
    stored = {claim.text for claim in claims}
    context = {
        "assignment": assignment,
        "claim": assignment.claim,
        "claims": claims,
        "in_vain": [text for text in typed.values() if text.strip() not in stored],
        "without_mutation": others_without_mutation(assignment),
    }
    page, part = "annotation/t1b/written.html", "annotation/t1b/_written.html"
    return draw_work(request, page, part, context)
