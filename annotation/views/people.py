"""Members of a campaign and participants of a wave."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.models import User
from annotation import people as services
from annotation.forms.people import ParticipationForm, RoleForm
from annotation.models import Campaign, Membership, Participation, Role, Wave
from annotation.typed import typed_number

PER_PAGE = 50


@require_GET
@vary_on_headers("HX-Request")
def people(request, slug):
    """The members of a campaign, narrowed by ?q=."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    query = request.GET.get("q", "").strip()
    members = campaign.memberships.filter(named(query)).select_related("user")
    ordered = members.order_by("ended_at", "user__username")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    users = [member.user_id for member in page]
    managed = User.objects.managed_by(request.user).filter(pk__in=users)
    template = "annotation/people/_people.html" if request.htmx else "annotation/people/people.html"
    return render(
        request,
        template,
        {
            "campaign": campaign,
            "page": page,
            "query": query,
            "roles": Role.choices,
            "managed": set(managed.values_list("pk", flat=True)),
        },
    )


def named(query):
    return Q(user__username__icontains=query) | Q(user__name__icontains=query)


@require_POST
def set_role(request, slug, user_id):
    member = managed_member(request.user, slug, user_id)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles that are offered."))
        return redirect("annotation:people", slug)
    return done(
        request,
        member,
        services.set_role,
        _("The role is changed."),
        role=form.cleaned_data["role"],
    )


@require_POST
def end_membership(request, slug, user_id):
    member = managed_member(request.user, slug, user_id)
    return done(request, member, services.end_membership, _("The membership is ended."))


@require_POST
def restore_membership(request, slug, user_id):
    member = managed_member(request.user, slug, user_id)
    return done(request, member, services.restore_membership, _("The person is a member again."))


def managed_member(user, slug, user_id):
    campaigns = Campaign.objects.managed_by(user).filter(slug=slug)
    return get_object_or_404(Membership, campaign__in=campaigns, user_id=user_id)


def done(request, member, service, message, **values):
    try:
        service(membership=member, actor=request.user, **values)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, message)
    return redirect("annotation:people", member.campaign.slug)


@require_GET
@vary_on_headers("HX-Request")
def participants(request, wave_id):
    """Who works in a wave, with status and factor; and which members do not yet."""
    wave = get_object_or_404(waves_to_staff(request.user), pk=wave_id)
    query = request.GET.get("q", "").strip()
    there = wave.participations.filter(named(query)).select_related("user")
    page = Paginator(there.order_by("user__username"), PER_PAGE).get_page(request.GET.get("page"))
    part, whole = "_participants.html", "participants.html"
    return render(
        request,
        f"annotation/people/{part if request.htmx else whole}",
        {
            "campaign": wave.campaign,
            "wave": wave,
            "page": page,
            "query": query,
            "statuses": Participation.Status.choices,
            "others": members_outside(wave),
        },
    )


def members_outside(wave):
    """Members of the campaign who do not take part in the wave."""
    members = wave.campaign.memberships.current().filter(user__is_active=True)
    outside = members.exclude(user__participations__wave=wave)
    return outside.select_related("user").order_by("user__username")


def waves_to_staff(user):
    waves = Wave.objects.managed_by(user).filter(purpose=Wave.Purpose.NORMAL)
    return waves.select_related("campaign")


@require_POST
def add_participants(request, wave_id):
    wave = get_object_or_404(waves_to_staff(request.user), pk=wave_id)
    ids = [typed_number(value) for value in request.POST.getlist("user")]
    users = User.objects.filter(pk__in=ids, memberships__campaign=wave.campaign)
    added = services.add_participants(wave=wave, users=users, actor=request.user)
    if added:
        text = ngettext("%d person is added.", "%d people are added.", added)
        messages.success(request, text % added)
    else:
        messages.info(request, _("Nobody was added: tick the people to add first."))
    return redirect("annotation:participants", wave.pk)


@require_POST
def set_participation(request, wave_id, user_id):
    wave = get_object_or_404(waves_to_staff(request.user), pk=wave_id)
    user = get_object_or_404(User, memberships__campaign=wave.campaign, pk=user_id)
    form = ParticipationForm(request.POST)
    if form.is_valid():
        try:
            services.set_participation(
                wave=wave, user=user, actor=request.user, **form.cleaned_data
            )
            messages.success(request, _("%s is saved.") % user)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
    else:
        errors = [message for texts in form.errors.values() for message in texts]
        messages.error(request, f"{user}: {' '.join(errors)}")
    return redirect("annotation:participants", wave.pk)
