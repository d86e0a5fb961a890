"""The quiet hint of T1b: words by which mutations give themselves away, as closed waves tell.

No label of an open wave has a part in it: the cues are those of waves that have closed, each by
itself, from figures that were made after it had.
"""

from django.db.models import F
from django.utils import timezone

from agreement import snapshots
from agreement.cue_figures import CueSettings
from agreement.cues.telling import added_cue, strong_cues
from agreement.figures import Scope
from agreement.models import FigureSnapshot
from agreement.snapshots import JOB, KIND
from annotation.hints import telling_words_in
from annotation.models import Campaign, Claim, Wave
from operations.models import Job

# Words as they are written anywhere in a claim, and none that rests on a handful of claims.
SETTINGS = CueSettings(tokens="words", order_by="productivity_low", min_count=10)


def hints_on(texts: dict[str, str], *, parent: Claim) -> dict[str, str]:
    """{mutation: the word or pair of words to point out}, of those texts that add one."""
    listed = telling_words_in(texts, parent=parent)
    cues = cues_of_closed_waves(parent.campaign)
    added = {name: added_cue(text, original=parent.text, cues=cues) for name, text in texts.items()}
    return {name: cue for name, cue in added.items() if cue} | listed


def closed_waves():
    """The waves of work that count and whose labels do not change any more."""
    rows = Wave.objects.counted().filter(purpose=Wave.Purpose.NORMAL)
    return rows.filter(closes_at__lte=timezone.now())


def made_after_closing():
    """The stored cues, as the hint takes them, of closed waves as they were left."""
    rows = FigureSnapshot.objects.filter(kind=KIND.CUES, wave__in=closed_waves())
    rows = rows.filter(computed_at__gte=F("wave__closes_at")).defer("details", "conflicts")
    return rows.select_related("campaign", "wave")


def is_for_hints(row: FigureSnapshot) -> bool:
    return row.key == snapshots.key_of(Scope(row.campaign, row.wave), SETTINGS)


def cues_of_closed_waves(campaign: Campaign) -> set[str]:
    rows = made_after_closing().filter(campaign=campaign)
    return {cue for row in rows if is_for_hints(row) for cue in strong_cues(row.figures)}


def ask_for_closed_waves() -> int:
    """Have the cues of each wave computed once it has closed; how many were asked for."""
    known = {row.wave_id for row in made_after_closing().defer("text") if is_for_hints(row)}
    asked = 0
    for wave in closed_waves().exclude(pk__in=known).select_related("campaign"):
        scope = Scope(wave.campaign, wave)
        if not was_tried(scope):
            snapshots.ask(kind=KIND.CUES, scope=scope, settings=SETTINGS)
            asked += 1
    return asked


def was_tried(scope: Scope) -> bool:
    """Whether a job is at it, or failed since the wave closed: it would fail again."""
    key = snapshots.job_key(KIND.CUES, scope, SETTINGS)
    jobs = Job.objects.filter(kind=JOB, key=key, created_at__gte=scope.wave.closes_at)
    return jobs.exists()
