"""Waves of a campaign: the list, one wave, and what managers do with it."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, OuterRef, Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import Event
from annotation import waves as services
from annotation.forms.waves import GROUPS, CloneForm, WaveForm
from annotation.models import Assignment, Campaign, Participation, Wave
from annotation.views.counts import count_of

EVENTS_SHOWN = 30


@require_GET
def waves(request, slug):
    """All rounds of a campaign, newest first."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    people = Participation.objects.filter(wave=OuterRef("pk")).exclude(
        status=Participation.Status.LEFT
    )
    return render(
        request,
        "annotation/waves/waves.html",
        {
            "campaign": campaign,
            "waves": campaign.waves.annotate(people=count_of(people)).select_related("guideline"),
            "now": timezone.now(),
        },
    )


@require_GET
def wave(request, wave_id):
    """One wave: its dates, settings, people and history."""
    wave = get_object_or_404(to_run(request.user), pk=wave_id)
    events = Event.objects.filter(subject=f"wave:{wave.pk}").select_related("actor")
    work = wave.assignments.aggregate(
        people=Count("user", distinct=True),
        given=Count("pk"),
        **{
            f"in_{task}": Count("pk", filter=submitted(task)) for task in ["T0", "T1a", "T1b", "T2"]
        },
    )
    return render(
        request,
        "annotation/waves/wave.html",
        {
            "campaign": wave.campaign,
            "wave": wave,
            "settings": facts_of(wave),
            "people": wave.participations.exclude(status=Participation.Status.LEFT).count(),
            "work": work,
            "events": events[:EVENTS_SHOWN],
            "is_open": wave.is_open(timezone.now()),
        },
    )


def facts_of(wave):
    """The settings of a wave as (label, value) texts, in the form's words."""
    form = WaveForm(campaign=wave.campaign, wave=wave)
    names = [name for _title, fields in GROUPS[1:] for name in fields]
    return [
        (form.fields[name].label, shown(form.fields[name], form.initial[name])) for name in names
    ]


def shown(field, value):
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    choices = dict(getattr(field, "choices", []))
    values = value if isinstance(value, list) else [value]
    return ", ".join(str(choices.get(one, one)) for one in values) or _("none")


def submitted(task):
    return Q(task=task, outcome=Assignment.Outcome.SUBMITTED)


@require_http_methods(["GET", "POST"])
def new_wave(request, slug):
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    with timezone.override(campaign.time_zone):
        form = WaveForm(request.POST or None, campaign=campaign)
        if request.method == "POST" and form.is_valid():
            made = saved(
                form,
                services.create_wave,
                campaign=campaign,
                actor=request.user,
                **form.values(),
            )
            if made:
                messages.success(request, _("The wave is there. Now let people take part in it."))
                return redirect("annotation:participants", made.pk)
        context = {"campaign": campaign, "form": form}
        return render(request, "annotation/waves/new_wave.html", context)


@require_http_methods(["GET", "POST"])
def edit_wave(request, wave_id):
    """Dates are typed and shown in the campaign's zone."""
    wave = get_object_or_404(to_run(request.user), pk=wave_id)
    with timezone.override(wave.campaign.time_zone):
        form = WaveForm(request.POST or None, campaign=wave.campaign, wave=wave)
        if request.method == "POST" and form.is_valid():
            changes = form.changes()
            if saved(form, services.edit_wave, wave=wave, actor=request.user, **changes):
                messages.success(request, _("The wave is saved."))
                return redirect("annotation:wave", wave.pk)
        context = {"campaign": wave.campaign, "wave": wave, "form": form}
        return render(request, "annotation/waves/edit_wave.html", context)


@require_POST
def open_wave(request, wave_id):
    return moved(request, wave_id, services.open_wave, _("The wave is open: work is given out."))


@require_POST
def close_wave(request, wave_id):
    return moved(request, wave_id, services.close_wave, _("The wave is closed."))


@require_http_methods(["GET", "POST"])
def clone_wave(request, wave_id):
    """The same settings under another name."""
    wave = get_object_or_404(to_run(request.user), pk=wave_id)
    form = CloneForm(request.POST or None, initial={"name": _("%s, again") % wave.name})
    if request.method == "POST" and form.is_valid():
        clone = saved(form, services.clone_wave, wave=wave, actor=request.user, **form.cleaned_data)
        if clone:
            messages.success(request, _("The wave is cloned. Look at its settings and open it."))
            return redirect("annotation:wave", clone.pk)
    context = {"campaign": wave.campaign, "wave": wave, "form": form}
    return render(request, "annotation/waves/clone_wave.html", context)


def to_run(user):
    """Waves that `user` manages and that are worked in: an import's wave stays as it is."""
    waves = Wave.objects.managed_by(user).filter(purpose=Wave.Purpose.NORMAL)
    return waves.select_related("campaign", "guideline")


def saved(form, service, **values):
    """What the service made; None where it refused, with its reasons on the form."""
    try:
        return service(**values)
    except ValidationError as error:
        form.add_error(None, error)
        return None


def moved(request, wave_id, service, done):
    wave = get_object_or_404(to_run(request.user), pk=wave_id)
    try:
        service(wave=wave, actor=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, done)
    return redirect("annotation:wave", wave.pk)
