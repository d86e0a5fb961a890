"""The first page: what can I do now, and what waits for me."""

from django.db.models import Exists, OuterRef, Q
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation import progress
from annotation.models import Assignment, Campaign, Participation, Report, Task, Wave
from annotation.my_work import without_mutation
from annotation.views.counts import count_of


@require_GET
def home(request):
    user = request.user
    participations = list(progress.participations_of(user))
    curated = list(waves_to_curate(user))
    mine = Assignment.objects.of(user)
    assignments = {(one.wave_id, one.task): one for one in mine.open()}
    return render(
        request,
        "annotation/home/home.html",
        {
            "cards": cards_of(participations, curated, assignments),
            "waiting": waiting_of(user),
            "unfinished": mine.unfinished().count(),
            "without_mutation": without_mutation(user).count(),
            "campaigns": campaigns_run_by(user),
            "is_member": user.memberships.current().exists(),
        },
    )


def waves_to_curate(user):
    """Open waves whose sources `user` may preselect."""
    return (
        Wave.objects.open_at(timezone.now())
        .curated_by(user)
        .filter(campaign__corpus__isnull=False)
        .select_related("campaign")
        .order_by("closes_at", "pk")
    )


def cards_of(participations, curated, assignments):
    """One card for each wave that is open to the person, with its tasks in their order."""
    cards = {}
    for wave in curated:
        cards[wave.pk] = {"wave": wave, "tasks": [progress.Share(Task.T0, 0, None)]}
    for participation in participations:
        wave = participation.wave
        card = cards.setdefault(wave.pk, {"wave": wave, "tasks": []})
        card["tasks"] += [s for s in progress.shares_of(participation) if is_done_in(wave, s.task)]
    for card in cards.values():
        card["tasks"] = [
            {"share": share, "assignment": assignments.get((card["wave"].pk, share.task))}
            for share in card["tasks"]
        ]
    return list(cards.values())


def is_done_in(wave, task):
    """Whether the wave has this task: claims are written where written claims are labelled."""
    if task == Task.T1A:
        return wave.campaign.corpus_id is not None and wave.pool != [Wave.Pool.IMPORTED]
    if task == Task.T1B:
        return is_done_in(wave, Task.T1A) and bool(wave.mutations)
    return True


def waiting_of(user):
    """Where `user` takes part and cannot work just now: not open yet, paused, in training."""
    now = timezone.now()
    is_to_open = Q(wave__opens_at=None) | Q(wave__opens_at__gt=now)
    is_over = Q(wave__closes_at__lte=now)
    return (
        Participation.objects.filter(
            user=user,
            wave__campaign__in=Campaign.objects.filter(
                memberships__user=user, memberships__ended_at=None
            ),
        )
        .exclude(status=Participation.Status.LEFT)
        .filter(is_to_open | ~Q(status=Participation.Status.APPROVED))
        .exclude(is_over)
        .select_related("wave__campaign")
        .order_by("wave__opens_at", "wave_id")
    )


def campaigns_run_by(user):
    """The campaigns that `user` manages, with what asks for attention."""
    waves = Wave.objects.open_at(timezone.now()).filter(campaign=OuterRef("pk"))
    return (
        Campaign.objects.managed_by(user)
        .annotate(is_at_work=Exists(waves), reports=count_of(open_reports()))
        .order_by("name", "pk")
    )


def open_reports():
    return Report.objects.open().filter(claim__campaign=OuterRef("pk"))
