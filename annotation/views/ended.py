"""The page of an assignment that its person skipped or reported."""

from django.shortcuts import render


def ended_page(request, assignment):
    return render(request, "annotation/work/ended.html", {"assignment": assignment})
