"""Live checks while claims are written: hints as a fragment, nothing stored, nothing blocked."""

from django.http import Http404
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotation.models import Task
from annotation.views import t1a, t1b
from annotation.views.work import own_assignment

CHECKS = {Task.T1A: t1a.draw_checks, Task.T1B: t1b.draw_checks}


@require_POST
def check_claims(request, assignment_id):
    """POST, since what is typed belongs into no address and no log."""
    assignment = own_assignment(request, assignment_id)
    if assignment.task not in CHECKS:
        raise Http404
    with timezone.override(assignment.wave.campaign.time_zone):
        return CHECKS[assignment.task](request, assignment)
