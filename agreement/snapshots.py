"""Stored figures: which state of the data they show, when they are made anew, and by whom."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, Sum
from django.utils import timezone

from accounts.models import User
from agreement import tables
from agreement.cue_figures import CueSettings, cue_figures
from agreement.figures import AgreementSettings, Scope
from agreement.models import FigureSnapshot
from agreement.stored_texts import from_columns, put_together, texts_of
from annotation.models import Annotation, Assignment, Campaign, ClaimRevision, Task, WaveItem
from operations.jobs import queue_job
from operations.models import Job

KIND = FigureSnapshot.Kind
TEXTS = ("text", "details", "conflicts")
SETTINGS = {KIND.AGREEMENT: AgreementSettings, KIND.CUES: CueSettings}
PAGES = {KIND.AGREEMENT: "agreement:dashboard", KIND.CUES: "agreement:cues"}
JOB = "figures"
# Cues and conflicts of fewer instances are made while the page is drawn; all else by a job.
SMALL = 7_000
# Beside the slug of its campaign a key is part of a job's key, of 200 characters.
LONGEST_KEY = 120
# The sweep renews a campaign's usual figures, and what somebody asked for within a month, each at
# most every ten minutes. Who only looks changes no row: a button asks.
ASKED_WITHIN = timedelta(days=30)
REST = timedelta(minutes=10)

Settings = AgreementSettings | CueSettings


@dataclass(frozen=True)
class Shown:
    """What a page can show: figures, when they were made, whether the data has moved on since.

    figures: None where they have to be asked for; is_stale: as the sweep, once a minute, found
    it; job: a live one that makes them anew.
    """

    figures: dict | None
    computed_at: datetime | None
    is_stale: bool
    job: Job | None


def data_version(campaign: Campaign) -> str:
    """The state of the rows that figures rest on; another text after each change of them.

    An edit of a label is a new row; what ends without one is counted; so are withdrawn claims,
    skips and the time that work took. It is linear in the labels: for the sweep and for jobs.
    """
    removed = Q(end_reason=Annotation.EndReason.REMOVED)
    # A largest key and not the first row from the end: that one may lie behind all of another
    # campaign's.
    labels = Annotation.objects.filter(item__wave__campaign=campaign).aggregate(
        newest=Max("pk", default=0), removed=Count("pk", filter=removed)
    )
    wordings = ClaimRevision.objects.filter(claim__campaign=campaign).aggregate(
        newest=Max("pk", default=0)
    )
    withdrawn = campaign.claims.filter(withdrawn_at__isnull=False).count()
    work = Assignment.objects.filter(wave__campaign=campaign, task=Task.T2).aggregate(
        skips=Count("pk", filter=Q(outcome=Assignment.Outcome.SKIPPED)),
        seconds=Sum("active_seconds", default=0, filter=Q(outcome=Assignment.Outcome.SUBMITTED)),
    )
    parts = [labels["newest"], wordings["newest"], labels["removed"], withdrawn, work["skips"],
             work["seconds"], campaign.time_zone]  # fmt: skip
    return "-".join(map(str, parts))


def key_of(scope: Scope, settings: Settings) -> str:
    """Scope and what differs from the default settings, as a text; long ones by their hash.

    A setting that comes with a new version leaves the keys of stored figures as they are.
    """
    wave = "all" if scope.wave is None else f"wave {scope.wave.pk}"
    default, chosen = asdict(type(settings)()), asdict(settings)
    parts = [f"{name}={value}" for name, value in chosen.items() if value != default[name]]
    text = ", ".join([wave, *parts])
    return text if len(text) <= LONGEST_KEY else sha256(text.encode()).hexdigest()


def stored(kind: str, scope: Scope, settings: Settings, *text: str) -> FigureSnapshot | None:
    """The row of these figures; of its texts only the one of this name is read at once."""
    unread = set(TEXTS) - set(text or ("text",))
    rows = FigureSnapshot.objects.filter(campaign=scope.campaign, kind=kind).defer(*unread)
    return rows.filter(key=key_of(scope, settings)).first()


def shown(kind: str, scope: Scope, settings: Settings, *, whole: bool = False) -> Shown:
    """The stored figures and whether the sweep found them stale; cues of few labels come anew.

    For the other figures nothing is counted or computed here, however many labels there are.
    whole: with the details that no page draws.
    """
    kept = stored(kind, scope, settings)
    job = live_job(kind, scope, settings)
    if is_made_in_page(kind, scope):
        return made_in_page(kept, scope, settings, job)
    if kept is None:
        return Shown(None, None, is_stale=True, job=job)
    figures = put_together(kept) if whole else kept.figures
    return Shown(figures, kept.computed_at, is_stale=kept.found_stale_at is not None, job=job)


def stored_labels(scope: Scope) -> dict[int, str] | None:
    """{instance id: label} that the newest stored cues rest on, in order; None without them."""
    rows = FigureSnapshot.objects.filter(
        campaign=scope.campaign, wave=scope.wave, kind=KIND.CUES
    ).exclude(details="")
    details = rows.order_by("-computed_at").values_list("details", flat=True).first()
    return details and from_columns(details)


def is_there(kind: str, scope: Scope, settings: Settings) -> bool:
    """Whether a page has something to show without asking for it."""
    return is_made_in_page(kind, scope) or stored(kind, scope, settings) is not None


def is_made_in_page(kind: str, scope: Scope) -> bool:
    """Whether figures are always there: cues, where there are few labels."""
    return kind == KIND.CUES and has_few_labels(scope)


def has_few_labels(scope: Scope) -> bool:
    """Whether there are so few instances that a page may read all their labels.

    Instances, since an index has them by wave; it counts no further.
    """
    waves = tables.waves_of(scope.campaign, scope.waves)
    return WaveItem.objects.filter(wave__in=waves)[:SMALL].count() < SMALL


def made_in_page(kept, scope, settings, job) -> Shown:
    """The cues as they were kept, while nothing changed; else of now, without the classifier."""
    if kept and kept.data_version == data_version(scope.campaign):
        return Shown(kept.figures, kept.computed_at, is_stale=False, job=job)
    figures = cue_figures(scope, settings, with_classifier=False)
    return Shown(figures, None, is_stale=False, job=job)


def store(kind: str, scope: Scope, settings: Settings) -> FigureSnapshot:
    """Compute the figures and keep them, with version and time of the start: newer rows are not
    in them.
    """
    version, now = data_version(scope.campaign), timezone.now()
    values = texts_of(kind, scope, settings)
    values |= {"data_version": version, "computed_at": now, "found_stale_at": None}
    with transaction.atomic():
        row, _ = FigureSnapshot.objects.update_or_create(
            campaign=scope.campaign,
            kind=kind,
            key=key_of(scope, settings),
            defaults=values,
            create_defaults=values
            | {"wave": scope.wave, "settings": asdict(settings), "asked_at": now},
        )
    return row


def ask(*, kind: str, scope: Scope, settings: Settings, by: User | None = None) -> Job:
    """Have the figures made anew by a job; the one that is at it already, if there is one."""
    kept = stored(kind, scope, settings)
    if kept and by:
        FigureSnapshot.objects.filter(pk=kept.pk).update(asked_at=timezone.now())
    arguments = {
        "kind": kind,
        "campaign": scope.campaign.pk,
        "wave": scope.wave and scope.wave.pk,
        "settings": asdict(settings),
    }
    return queue_job(kind=JOB, key=job_key(kind, scope, settings), arguments=arguments, by=by)


def job_key(kind: str, scope: Scope, settings: Settings) -> str:
    return f"{scope.campaign.slug}: {kind}, {key_of(scope, settings)}"


def live_job(kind: str, scope: Scope, settings: Settings) -> Job | None:
    return Job.objects.live().filter(kind=JOB, key=job_key(kind, scope, settings)).first()


def renew_stale() -> int:
    """Mark what went stale, and ask anew, after a rest, for what is wanted.

    The figures of a campaign under the usual settings are asked for as soon as it has labels.
    Returns how many figures were asked for.
    """
    now = timezone.now()
    rows = FigureSnapshot.objects.defer(*TEXTS).select_related("campaign", "wave")
    stale = old_ones(rows)
    unmarked = [row.pk for row in stale if row.found_stale_at is None]
    FigureSnapshot.objects.filter(pk__in=unmarked).update(found_stale_at=now)
    wanted = [row for row in stale if row.asked_at >= now - ASKED_WITHIN or is_usual(row)]
    resting = resting_keys()
    asked = 0
    for row in wanted:
        scope, settings = Scope(row.campaign, row.wave), SETTINGS[row.kind](**row.settings)
        if row.computed_at < now - REST and job_key(row.kind, scope, settings) not in resting:
            ask(kind=row.kind, scope=scope, settings=settings)
            asked += 1
    return asked + first_figures()


def is_usual(row: FigureSnapshot) -> bool:
    """Whether these are the figures that the dashboard of a campaign opens with."""
    usual = key_of(Scope(row.campaign), AgreementSettings())
    return row.kind == KIND.AGREEMENT and row.key == usual


def resting_keys() -> set[str]:
    """What failed or was cancelled within the hour: for people, until the sweep tries again."""
    return set(Job.objects.resting().filter(kind=JOB).values_list("key", flat=True))


def old_ones(rows: Iterable[FigureSnapshot]) -> list[FigureSnapshot]:
    """Those whose data has moved on; a campaign's version is read once, and not for known ones."""
    version_of = cache(data_version)
    return [
        row
        for row in rows
        if row.found_stale_at is not None or row.data_version != version_of(row.campaign)
    ]


def first_figures() -> int:
    """Ask for the usual figures of each campaign that has labels, none yet, and no job for them."""
    settings = AgreementSettings()
    counted = Annotation.objects.filter(
        item__wave__campaign=OuterRef("pk"), item__wave__is_sandbox=False
    )
    rows = Campaign.objects.exclude(figure_snapshots__kind=KIND.AGREEMENT)
    resting = resting_keys()
    asked = 0
    for campaign in rows.filter(Exists(counted)):
        scope = Scope(campaign)
        is_resting = job_key(KIND.AGREEMENT, scope, settings) in resting
        if not is_resting and live_job(KIND.AGREEMENT, scope, settings) is None:
            ask(kind=KIND.AGREEMENT, scope=scope, settings=settings)
            asked += 1
    return asked
