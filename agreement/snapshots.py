"""Stored figures: which state of the data they show, when they are made anew, and by whom."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from agreement import tables
from agreement.cue_figures import CueSettings, cue_figures
from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.models import FigureSnapshot
from annotation.models import Annotation, Campaign, ClaimRevision
from operations.jobs import queue_job
from operations.models import Job

KIND = FigureSnapshot.Kind
SETTINGS = {KIND.AGREEMENT: AgreementSettings, KIND.CUES: CueSettings}
PAGES = {KIND.AGREEMENT: "agreement:dashboard", KIND.CUES: "agreement:cues"}
JOB = "figures"
# Figures of fewer labels are made while the page is drawn; of more by a job.
SMALL = 20_000
# Beside the slug of its campaign a key is part of a job's key, of 200 characters.
LONGEST_KEY = 120
# The sweep renews what somebody asked for within a month, each at most every ten minutes.
ASKED_WITHIN = timedelta(days=30)
REST = timedelta(minutes=10)

Settings = AgreementSettings | CueSettings


@dataclass(frozen=True)
class Shown:
    """What a page can show: figures, when they were made, whether the data has moved on since.

    figures: None where they have to be asked for; job: a live one that makes them anew.
    """

    figures: dict | None
    computed_at: datetime | None
    is_stale: bool
    job: Job | None


def data_version(campaign: Campaign) -> str:
    """The state of the rows that figures rest on; another text after each change of them.

    An edit of a label is a new row; what ends without one is counted; so are withdrawn claims.
    """
    labels = Annotation.objects.filter(item__wave__campaign=campaign)
    wordings = ClaimRevision.objects.filter(claim__campaign=campaign)
    newest = [rows.order_by("-pk").values_list("pk", flat=True).first() or 0
              for rows in (labels, wordings)]  # fmt: skip
    removed = labels.filter(end_reason=Annotation.EndReason.REMOVED).count()
    withdrawn = campaign.claims.filter(withdrawn_at__isnull=False).count()
    return "-".join(map(str, [*newest, removed, withdrawn]))


def key_of(scope: Scope, settings: Settings) -> str:
    """Scope and what differs from the default settings, as a text; long ones by their hash.

    A setting that comes with a new version leaves the keys of stored figures as they are.
    """
    wave = "all" if scope.wave is None else f"wave {scope.wave.pk}"
    default, chosen = asdict(type(settings)()), asdict(settings)
    parts = [f"{name}={value}" for name, value in chosen.items() if value != default[name]]
    text = ", ".join([wave, *parts])
    return text if len(text) <= LONGEST_KEY else sha256(text.encode()).hexdigest()


def stored(kind: str, scope: Scope, settings: Settings) -> FigureSnapshot | None:
    rows = FigureSnapshot.objects.filter(campaign=scope.campaign, kind=kind)
    return rows.filter(key=key_of(scope, settings)).first()


def shown(kind: str, scope: Scope, settings: Settings) -> Shown:
    """The stored figures where they are up to date or large; else they are made here and now."""
    kept = stored(kind, scope, settings)
    job = live_job(kind, scope, settings)
    if kept and kept.data_version == data_version(scope.campaign):
        return Shown(kept.figures, kept.computed_at, is_stale=False, job=job)
    if is_small(scope):
        return Shown(computed(kind, scope, settings, in_page=True), None, is_stale=False, job=job)
    if kept is None:
        return Shown(None, None, is_stale=True, job=job)
    return Shown(kept.figures, kept.computed_at, is_stale=True, job=job)


def is_small(scope: Scope) -> bool:
    return tables.counting(scope.campaign, scope.waves)[:SMALL].count() < SMALL


def computed(kind: str, scope: Scope, settings: Settings, *, in_page: bool = False) -> dict:
    if kind == KIND.AGREEMENT:
        return agreement_figures(scope, settings)
    return cue_figures(scope, settings, with_classifier=not in_page)


def store(kind: str, scope: Scope, settings: Settings) -> FigureSnapshot:
    """Compute the figures and keep them. The version is read first: newer rows make them stale."""
    version = data_version(scope.campaign)
    text = json.dumps(computed(kind, scope, settings), ensure_ascii=False)
    now = timezone.now()
    values = {"data_version": version, "text": text, "computed_at": now}
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
    """Ask for what is stale and was asked for lately; how many figures that were."""
    now = timezone.now()
    due = FigureSnapshot.objects.filter(
        asked_at__gte=now - ASKED_WITHIN, computed_at__lt=now - REST
    ).select_related("campaign", "wave")
    versions: dict[int, str] = {}
    asked = 0
    for row in due:
        if row.campaign_id not in versions:
            versions[row.campaign_id] = data_version(row.campaign)
        if row.data_version != versions[row.campaign_id]:
            settings = SETTINGS[row.kind](**row.settings)
            ask(kind=row.kind, scope=Scope(row.campaign, row.wave), settings=settings)
            asked += 1
    return asked
