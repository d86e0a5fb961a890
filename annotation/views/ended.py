"""The page of an assignment that its person skipped or reported."""

from annotation.sheets import kept_fields
from annotation.views.results import draw_work

CHOSEN = {"label", "columns", "active", "asked", "is_uncertain", "is_relevant", "accept"}


def ended_page(request, assignment):
    """What another tab typed meanwhile is shown to copy: it is stored nowhere."""
    context = {"assignment": assignment, "in_vain": typed_in(kept_fields(request.POST))}
    page, part = "annotation/work/ended.html", "annotation/work/_ended.html"
    return draw_work(request, page, part, context)


def typed_in(fields):
    """The texts of a form: what was chosen or ticked on it is not among them."""
    names = [name for name in fields if name not in CHOSEN and not name.startswith("set-")]
    return [text for name in names for text in fields[name] if text.strip()]
