"""T2: a claim is labelled with evidence sets against its knowledge scope."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_htmx.http import reswap

from annotation import answering, scope, searching
from annotation.grid import draw_grid
from annotation.models import Label
from annotation.sheets import Sheet, kept_fields, sheet_from_annotation, sheet_from_fields
from annotation.summaries import questions_about, summary_of
from annotation.views import writing
from annotation.views.ended import ended_page
from annotation.views.results import ask_and_go, draw_work, go, posted_number, tell_stored
from annotation.views.writing import (
    CLOSED_BY_PERSON,
    frame,
    guidelines_for,
    typed_last,
    uuid_or_new,
)

# What the button is called that Enter presses; a script says so where it was not the search's.
BY_ENTER = {"enter", "keep"}


def page(request, assignment):
    if assignment.outcome in CLOSED_BY_PERSON:
        return ended_page(request, assignment)
    if request.method == "GET":
        return show(request, assignment)
    sheet = sheet_from_fields(kept_fields(request.POST))
    if "open_article" in request.POST:
        return open_article(request, assignment, sheet)
    if request.POST.get("action") in {"save", "add_set", *BY_ENTER}:
        return store(request, assignment, sheet)
    return submit(request, assignment, sheet)


def show(request, assignment):
    """The form as it was sent in vain, drafted or submitted last, whichever is newest."""
    live = live_annotation(assignment)
    if "stored" not in request.GET:
        since = live.created_at if live else None
        if fields := typed_last(request, assignment, since=since):
            search = searching.typed_search(fields)
            return draw(request, assignment, sheet_from_fields(fields), live=live, search=search)
    sheet = sheet_from_annotation(live) if live else Sheet()
    return draw(request, assignment, sheet, live=live)


def live_annotation(assignment):
    """The caller's live answer to the assignment's item, with its evidence."""
    return (
        assignment.item.annotations.live()
        .filter(user=assignment.user)
        .prefetch_related("evidence_sets__items")
        .first()
    )


def store(request, assignment, sheet):
    """Keep the draft, with one more column where that was asked for.

    Who only pressed Enter in a field goes on writing there: nothing is drawn anew.
    """
    if request.POST.get("action") == "add_set":
        sheet.columns, sheet.active = sheet.drawn_columns + 1, sheet.drawn_columns
    if refusal := keep(request, assignment, sheet):
        return draw(request, assignment, sheet, errors=[refusal], live=live_annotation(assignment))
    if request.htmx and request.POST.get("action") in BY_ENTER:
        return tell_stored(reswap(HttpResponse(), "none"), assignment)
    if request.htmx:
        drawn = draw(request, assignment, sheet, live=live_annotation(assignment))
        return tell_stored(drawn, assignment)
    return go(request, "annotation:work", assignment.pk)


def keep(request, assignment, sheet):
    """Store the draft; the sentence that says why not, where a newer one stands, else None."""
    grown = {"columns": [str(sheet.columns)], "active": [str(sheet.active)]}
    return writing.keep(request, assignment, kept_fields(request.POST) | grown)


def open_article(request, assignment, sheet):
    """Open the other paragraphs of an article of the scope; what was ticked is kept."""
    if refusal := keep(request, assignment, sheet):
        return draw(request, assignment, sheet, errors=[refusal], live=live_annotation(assignment))
    try:
        opened = writing.open_asked_for(request, assignment)
    except ValidationError as limit:
        live = live_annotation(assignment)
        drawn = draw(request, assignment, sheet, errors=limit.messages, live=live)
        return tell_stored(drawn, assignment)
    if not request.htmx:
        return go(request, "annotation:work", assignment.pk, fragment=f"#article-{opened.key}")
    return draw_article(request, assignment, sheet, opened.key)


def draw_article(request, assignment, sheet, key):
    grid = draw_grid(scope.knowledge_scope(assignment), sheet)
    article = next(each for each in grid if each.entry.key == key)
    claim = assignment.item.instance.claim
    context = {"article": article, "assignment": assignment, "claim": claim}
    return tell_stored(render(request, "annotation/t2/_article.html", context), assignment)


def submit(request, assignment, sheet):
    """Store the answer, after asking once what should be asked."""
    live = live_annotation(assignment)
    if is_upon(live, request) and (errors := writing.behind(request, assignment)):
        return draw(request, assignment, sheet, errors=errors, live=live)
    questions = questions_about(sheet)
    if open_questions := {k: v for k, v in questions.items() if k not in sheet.asked}:
        return draw(request, assignment, sheet, questions=open_questions, live=live)
    try:
        annotation = answering.submit_annotation(
            assignment=assignment, answer=answer_on(sheet, request)
        )
    except ValidationError as error:
        return draw(request, assignment, sheet, errors=sentences_of(error), live=live)
    except answering.AnsweredElsewhere as elsewhere:
        return draw(request, assignment, sheet, elsewhere=elsewhere.existing, live=live)
    return after(request, assignment, annotation)


def is_upon(live, request):
    """Whether a form was drawn from the live answer; else the service shows both of them."""
    return live is None or live.pk == posted_number(request, "drawn_from")


def sentences_of(error):
    """What is wrong, each with the field that it is about where that is a text."""
    names = {"condition": _("It holds only if …"), "note": _("Note")}
    fields = error.message_dict if hasattr(error, "error_dict") else {"": error.messages}
    return [
        f"{names[field]}: {sentence}" if field in names else sentence
        for field, sentences in fields.items()
        for sentence in sentences
    ]


def answer_on(sheet, request):
    """The answer that a form holds; what does not belong to its verdict is left out."""
    is_verdict = sheet.label in {Label.SUPPORTS, Label.REFUTES}
    return answering.Answer(
        label=sheet.label,
        evidence_sets=sheet.evidence_sets,
        is_uncertain=sheet.is_uncertain and is_verdict,
        is_relevant=sheet.is_relevant and sheet.label == Label.NOT_ENOUGH_INFO,
        condition=sheet.condition if is_verdict else "",
        note=sheet.note,
        submission=uuid_or_new(request.POST.get("submission", "")),
        drawn_from=posted_number(request, "drawn_from"),
    )


def after(request, assignment, annotation):
    """Tell what was stored, then go to the next claim, or home."""
    messages.success(request, _("Stored: %s.") % summary_of(sheet_from_annotation(annotation)))
    if request.POST.get("action") == "next" and annotation.supersedes_id is None:
        return ask_and_go(request, wave=assignment.wave, task=assignment.task)
    return go(request, "annotation:my-work" if annotation.supersedes_id else "annotation:home")


def draw(
    request, assignment, sheet, *, errors=(), questions=None, elsewhere=None, live=None, search=None
):
    """The page, or the form alone for htmx."""
    known = scope.knowledge_scope(assignment)
    replaced = elsewhere or live
    words = searching.typed_search(dict(request.POST.lists()))
    context = {
        **frame(request, assignment),
        "claim": assignment.item.instance.claim,
        "sheet": sheet,
        "grid": draw_grid(known, sheet),
        "errors": list(errors),
        "questions": list((questions or {}).values()),
        "asked": " ".join(sorted(sheet.asked | set(questions or {}))),
        "summary": summary_of(sheet),
        "others": stored_answer(elsewhere),
        "drawn_from": replaced.pk if replaced else "",
        "search": (search or words) if searching.may_search(assignment) else None,
        "guidelines": guidelines_for(assignment, "T2"),
        "known": {article.key for article in known.articles},
    }
    return draw_work(request, "annotation/t2/page.html", "annotation/t2/_form.html", context)


def stored_answer(annotation):
    if annotation is None:
        return None
    return {"annotation": annotation, "summary": summary_of(sheet_from_annotation(annotation))}
