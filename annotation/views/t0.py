"""T0: sources are preselected from an article, by curators and managers."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import writing
from annotation.answering import AnsweredElsewhere
from annotation.models import Campaign, Preselection
from annotation.sheets import kept_fields
from annotation.typed import typed_number
from annotation.views.ended import ended_page
from annotation.views.results import ask_and_go, draw_work, go, tell_stored
from annotation.views.writing import (
    CLOSED_BY_PERSON,
    OUTCOME,
    behind,
    frame,
    guidelines_for,
    keep,
    typed_last,
)
from corpus.models import Paragraph

KEYS = 9


@dataclass(frozen=True)
class SourceRow:
    """A paragraph to accept or not. A table can be no source, so it has no number."""

    paragraph: Paragraph
    number: int | None
    is_suggested: bool
    is_ticked: bool

    @property
    def key(self):
        return f"Digit{self.number}" if self.number and self.number <= KEYS else ""


def page(request, assignment):
    """Only for who curates the campaign now: sources are chosen for everybody."""
    campaigns = Campaign.objects.curated_by(request.user)
    if not campaigns.filter(pk=assignment.wave.campaign_id).exists():
        raise Http404
    if assignment.outcome in CLOSED_BY_PERSON:
        return ended_page(request, assignment)
    if request.method == "GET":
        return show(request, assignment)
    if assignment.outcome != OUTCOME.SUBMITTED and request.POST.get("action") == "save":
        return store(request, assignment)
    return submit(request, assignment)


def show(request, assignment):
    """The form as it was sent in vain or drafted; the choice, where it was submitted."""
    if assignment.outcome == OUTCOME.SUBMITTED:
        return draw_done(request, assignment)
    return draw(request, assignment, ticked_in(typed_last(request, assignment)))


def ticked_in(fields):
    """The ids of the paragraphs that are ticked on a form."""
    numbers = (typed_number(str(value)) for value in fields.get("accept", []))
    return {number for number in numbers if number is not None}


def store(request, assignment):
    ticked = ticked_in(kept_fields(request.POST))
    if refused := keep(request, assignment):
        return draw(request, assignment, ticked, [refused])
    if request.htmx:
        return tell_stored(draw(request, assignment, ticked), assignment)
    return go(request, "annotation:work", assignment.pk)


def submit(request, assignment):
    """Store the choice: what is ticked is accepted, the rest is rejected."""
    ticked = ticked_in(kept_fields(request.POST))
    if errors := behind(request, assignment):
        return draw(request, assignment, ticked, errors)
    rejects_all = request.POST.get("action") == "reject"
    if wrong := contradiction(ticked, rejects_all=rejects_all):
        return draw(request, assignment, ticked, [wrong])
    paragraphs = list(paragraphs_of(assignment))
    accepted = [paragraph for paragraph in paragraphs if paragraph.pk in ticked]
    rejected = [paragraph for paragraph in paragraphs if paragraph.pk not in ticked]
    if len(accepted) < len(ticked):
        changed = _("This article was changed meanwhile. Look at it again, then tick and submit.")
        return draw(request, assignment, ticked, [changed])
    try:
        writing.preselect(assignment=assignment, accepted=accepted, rejected=rejected)
    except ValidationError as error:
        return draw(request, assignment, ticked, error.messages)
    except AnsweredElsewhere as elsewhere:
        if ticked != accepted_in(elsewhere.existing):
            return draw_done(request, assignment, is_in_vain=True)
    return after(request, assignment, len(accepted))


def contradiction(ticked, *, rejects_all):
    """What is asked for before anything is stored, where the button does not fit the ticks."""
    if rejects_all and ticked:
        return ngettext(
            "One paragraph is ticked. Untick it to reject all, or accept what is ticked.",
            "%(n)d paragraphs are ticked. Untick them to reject all, or accept what is ticked.",
            len(ticked),
        ) % {"n": len(ticked)}
    if not rejects_all and not ticked:
        return _("No paragraph is ticked. Tick one or more, or reject all of them.")
    return ""


def paragraphs_of(assignment):
    """What can be judged: the paragraphs of the article as it is now, without its title."""
    article = assignment.article
    return article.paragraphs.filter(version=article.version, rank__gt=0).order_by("rank")


def accepted_in(preselections):
    return {
        each.paragraph_id for each in preselections if each.state != Preselection.State.REJECTED
    }


def after(request, assignment, n):
    stored = ngettext("Accepted: one source.", "Accepted: %(n)d sources.", n) % {"n": n}
    messages.success(request, stored if n else _("Rejected: all paragraphs."))
    if request.POST.get("action") == "stop":
        return go(request, "annotation:home")
    return ask_and_go(request, wave=assignment.wave, task=assignment.task)


def draw(request, assignment, ticked, errors=()):
    """The page, or the form alone for htmx."""
    rows = rows_of(assignment, ticked)
    context = frame(request, assignment) | {
        "article": assignment.article,
        "dated": rows[0].paragraph if rows else None,
        "rows": rows,
        "counts": Preselection.objects.accepted()
        .shared_with(assignment.wave)
        .current()
        .use_counts(),
        "guidelines": guidelines_for(assignment, "T0"),
        "errors": list(errors),
    }
    return draw_work(request, "annotation/t0/page.html", "annotation/t0/_form.html", context)


def rows_of(assignment, ticked):
    """The paragraphs in order; only those that can be a source are numbered."""
    rows, number = [], 0
    for paragraph in paragraphs_of(assignment):
        is_table = paragraph.kind == Paragraph.Kind.TABLE
        number += not is_table
        rows.append(
            SourceRow(
                paragraph=paragraph,
                number=None if is_table else number,
                is_suggested=paragraph.pk == assignment.suggested_id,
                is_ticked=paragraph.pk in ticked,
            )
        )
    return rows


def draw_done(request, assignment, *, is_in_vain=False):
    """What was accepted; it stands, since writers may be at it."""
    accepted = accepted_in(writing.preselected_in(assignment))
    context = {
        "assignment": assignment,
        "article": assignment.article,
        "accepted": [row for row in paragraphs_of(assignment) if row.pk in accepted],
        "is_in_vain": is_in_vain,
    }
    return draw_work(request, "annotation/t0/done.html", "annotation/t0/_done.html", context)
