"""Help: the guides in docs/, for everybody who is signed in."""

from django.http import Http404
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from config.guides import read_guide, title_of

# For whom, and the guides by the names of their files, each with what it is about.
GROUPS = [
    (
        _("For everybody"),
        {
            "annotators-guide": _("The pages on which claims are written and labelled; keys."),
            "managers-guide": _("From a corpus to a wave, what to watch, how the data leaves."),
            "glossary": _("What the words mean."),
            "methods": _("Every figure and rule: how it is computed, and its source."),
        },
    ),
    (
        _("For those who use the data"),
        {
            "formats": _("The files of each format, and what becomes of them."),
            "releases": _("What a release holds, and how to make the same one again."),
            "scoring": _("What a file of predictions is worth, by the rules of each task."),
            "localisation": _("How pages and claims follow, and how translations are judged."),
            "retrieval-evaluation": _("The figures by dataset and by way of searching."),
            "api": _("Reading, importing and exporting by a program."),
        },
    ),
    (
        _("For those who run or change this site"),
        {
            "operators-guide": _("Installing, every day, upgrading, people."),
            "performance": _("How large an index is, and how fast it answers."),
            "benchmarks": _("How speed is measured."),
            "design-system": _("How pages look, and what they are made of."),
        },
    ),
]
NAMES = [name for _group, guides in GROUPS for name in guides]


@require_GET
def guides(request):
    groups = [
        (label, [(name, title_of(name), about) for name, about in group.items()])
        for label, group in GROUPS
    ]
    return render(request, "help/guides.html", {"groups": groups})


@require_GET
def guide(request, name):
    """One guide. Only the names of the list ever become the name of a file."""
    if name not in NAMES:
        raise Http404
    drawn = read_guide(name, NAMES)
    # Safe: the text is this project's own, and cleaned as guidelines are.
    return render(request, "help/guide.html", {"guide": drawn, "html": SafeString(drawn.html)})
