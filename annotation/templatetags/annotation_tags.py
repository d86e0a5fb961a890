"""What pages of annotation share: progress in the header, tabs of a campaign, Markdown."""

from zoneinfo import ZoneInfo

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from annotation import progress
from annotation.forms.waves import WaveForm
from annotation.markdown import to_html
from annotation.models import Role, Task
from annotation.reasons import ending_in_words
from corpus.templatetags.corpus_tags import badge_of

register = template.Library()
# The tabs of a campaign: name, page (some are of higher apps), the lowest role, label.
TABS = [
    ("campaign", "annotation:campaign", Role.ANNOTATOR, _("Overview")),
    ("waves", "annotation:waves", Role.MANAGER, _("Waves")),
    ("people", "annotation:people", Role.MANAGER, _("People")),
    ("invitations", "annotation:invitations", Role.MANAGER, _("Invitations")),
    ("progress", "annotation:campaign-progress", Role.MANAGER, _("Progress")),
    ("guidelines", "annotation:campaign-guidelines", Role.ANNOTATOR, _("Guidelines")),
    ("reports", "annotation:reports", Role.CURATOR, _("Reports")),
    ("agreement", "agreement:dashboard", Role.CURATOR, _("Agreement")),
    ("conflicts", "agreement:conflicts", Role.CURATOR, _("Conflicts")),
    ("cues", "agreement:cues", Role.MANAGER, _("Cues")),
    ("imports", "datasets:imports", Role.MANAGER, _("Imports")),
    ("exports", "datasets:exports", Role.MANAGER, _("Exports")),
    ("releases", "datasets:releases", Role.MANAGER, _("Releases")),
    ("settings", "annotation:campaign-settings", Role.MANAGER, _("Settings")),
]
ABOUT = {
    Task.T0: _("Choose the paragraphs that claims will be written from."),
    Task.T1A: _("Write one to five claims that follow from a paragraph."),
    Task.T1B: _("Change the claims that you have written."),
    Task.T2: _("Say whether the texts support or refute a claim, and mark the evidence."),
}
EVENTS = {
    "made wave": _("made"),
    "changed wave": _("changed"),
    "opened wave": _("opened"),
    "closed wave": _("closed"),
    "cloned wave": _("cloned from another wave"),
    "added people": _("people added"),
    "changed participation": _("somebody's status or factor changed"),
}


@register.inclusion_tag("annotation/progress/_work_progress.html", takes_context=True)
def work_progress(context):
    """A person's progress against quota over all open waves, by one query."""
    user = getattr(context.get("request"), "user", None)
    if user is None or not user.is_authenticated:
        return {"quota": 0}
    done, quota = progress.total_of(progress.participations_of(user))
    return {"done": done, "quota": quota}


@register.inclusion_tag("components/date.html")
def moment_badge(moment, dated, corpus):
    """A moment in the page's zone; only its day where no more than that is known of `dated`.

    The day of a text is one of its corpus' zone, in which it began. A later one, such as the day
    that an import states for a claim, is one of the campaign's, and so of the page's.
    """
    is_of_text = dated is not None and dated.is_day and dated.published_at == moment
    zone = ZoneInfo(corpus.time_zone) if is_of_text else None
    return badge_of(timezone.localtime(moment, zone), is_day=dated is None or dated.is_day)


@register.inclusion_tag("annotation/campaigns/_tabs.html")
def campaign_tabs(campaign, user, current):
    """The pages of a campaign that are open to `user`; `current` is the name of this one."""
    rank = rank_of(user, campaign)
    tabs = [
        (name, reverse(view, args=[campaign.slug]), label)
        for name, view, lowest, label in TABS
        if rank >= lowest.rank
    ]
    return {"campaign": campaign, "tabs": tabs, "current": current}


@register.inclusion_tag("annotation/waves/_banner.html")
def sandbox_banner(wave):
    """A banner where nothing counts."""
    return {"wave": wave}


@register.filter
def markdown(text):
    """Guideline Markdown as HTML.

    The only text of a user that is marked as safe: `to_html` lets nothing through but a short
    list of elements, without raw HTML and pictures.
    """
    return SafeString(to_html(text))


def rank_of(user, campaign):
    """How high the role of `user` is in `campaign`; -1 for who is no member."""
    if user.is_superuser:
        return Role.MANAGER.rank
    membership = campaign.memberships.current().filter(user=user).first()
    return Role(membership.role).rank if membership else -1


@register.inclusion_tag("annotation/waves/_state.html")
def wave_state(wave):
    """Whether the wave is open, closed or waits for its opening."""
    now = timezone.now()
    is_over = wave.closes_at is not None and wave.closes_at <= now
    return {"is_open": wave.is_open(now), "is_over": is_over}


@register.simple_tag
def task_about(task):
    """What a task asks for, in a sentence."""
    return ABOUT[Task(task)]


@register.simple_tag
def event_text(event):
    """One line of a wave's history in words, with the settings that were changed."""
    text = str(EVENTS.get(event.verb, event.verb))
    after = event.data.get("after")
    names = sorted(after) if event.verb == "changed wave" and isinstance(after, dict) else []
    labels = [str(WaveForm.base_fields[n].label) for n in names if n in WaveForm.base_fields]
    return f"{text}: {', '.join(labels)}" if labels else text


@register.filter
def skip_reason(reason):
    """Why somebody skipped, or why their work ended, in words."""
    return ending_in_words(reason)
