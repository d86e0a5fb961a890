"""The page of an assignment that its person skipped or reported."""

from annotation.sheets import NOT_KEPT
from annotation.unsent import take_unsent
from annotation.views.results import draw_work

CHOSEN = {"label", "columns", "active", "asked", "is_uncertain", "is_relevant", "accept"}


def ended_page(request, assignment):
    """What was typed meanwhile, in another tab or signed out, is shown to copy: it is in vain."""
    sent = dict(request.POST.lists()) or take_unsent(request) or {}
    context = {"assignment": assignment, "in_vain": typed_in(sent)}
    page, part = "annotation/work/ended.html", "annotation/work/_ended.html"
    return draw_work(request, page, part, context)


def typed_in(fields):
    """The texts of a form: what was chosen or ticked on it is not among them."""
    left_out = CHOSEN | NOT_KEPT
    names = [name for name in sorted(fields) if name not in left_out]
    texts = [text for name in names if not name.startswith("set-") for text in fields[name]]
    return [text for text in texts if text.strip()]
