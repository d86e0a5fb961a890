"""Settings that a manager tried on a corpus become those of a wave."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation import waves as services
from annotation.forms.tried import SaveSettingsForm
from annotation.models import Assignment, Campaign, Wave
from corpus.models import Corpus
from dictionaries.forms import SettingsForm


@require_http_methods(["GET", "POST"])
def save_settings(request, slug):
    """Choose a wave on this corpus whose dictionaries are made with the settings from now on."""
    corpus = get_object_or_404(Corpus.objects.managed_by(request.user), slug=slug)
    sent = request.POST if request.method == "POST" else request.GET
    settings = SettingsForm(sent, corpus=corpus)
    waves = waves_on(corpus, request.user)
    form = SaveSettingsForm(sent if request.method == "POST" else None, waves=waves)
    if request.method == "POST" and settings.is_valid() and form.is_valid():
        wave = form.cleaned_data["wave"]
        if stored(request, form, wave, settings.cleaned_data):
            return redirect("annotation:wave", wave.pk)
    return render(
        request,
        "annotation/waves/save_settings.html",
        {"corpus": corpus, "form": form, "settings": settings, "waves": waves},
    )


def waves_on(corpus, user):
    """The waves that `user` manages on a corpus; whether work rests on each is noted on it."""
    campaigns = Campaign.objects.managed_by(user).filter(corpus=corpus)
    waves = Wave.objects.filter(campaign__in=campaigns, purpose=Wave.Purpose.NORMAL)
    worked = Exists(Assignment.objects.filter(wave=OuterRef("pk")))
    return (
        waves.annotate(worked=worked).select_related("campaign").order_by("campaign__name", "-pk")
    )


def stored(request, form, wave, values):
    """Whether the settings were stored; else the form says why not."""
    try:
        services.edit_wave(
            wave=wave, actor=request.user, dictionary_settings=values, seed=values["seed"]
        )
    except ValidationError as error:
        form.add_error("wave", list(dict.fromkeys(error.messages)))
        return False
    messages.success(request, _("Stored: dictionaries of this wave are made with these settings."))
    return True
