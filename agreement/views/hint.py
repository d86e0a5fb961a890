"""The quiet hint beside the mutations that somebody is typing."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from agreement.hints import hints_on
from annotation.forms.writing import MutationsForm
from annotation.models import Assignment, Task
from annotation.mutation_guides import guides_of
from annotation.sheets import kept_fields


@require_POST
def hint(request, assignment_id):
    """Words that tend to give claims away, each beside its field. Nothing is stored or blocked.

    POST, since what is typed belongs into no address and no log.
    """
    mine = Assignment.objects.of(request.user).filter(task=Task.T1B)
    rows = mine.select_related("wave", "claim__campaign")
    assignment = get_object_or_404(rows, pk=assignment_id)
    guides = guides_of(assignment.wave)
    form = MutationsForm(kept_fields(request.POST), guides=guides, parent=assignment.claim)
    words = hints_on(form.texts, parent=assignment.claim)
    slots = [(guide.mutation, words.get(str(guide.mutation), "")) for guide in guides]
    return render(request, "agreement/_hint.html", {"slots": slots})
