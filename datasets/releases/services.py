"""Releases that people ask for: queued, made by a job, cancelled, checked."""

import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.models import Campaign
from datasets.folders import is_nobodys, is_old
from datasets.models import Release
from datasets.models.releases import RELEASES, folder_of
from datasets.releases.make import CONTENTS, VERSION, build_release
from datasets.releases.options import ReleaseOptions, checked_release
from datasets.telling import told_beside
from datasets.untold import untold
from operations.jobs import cancel_job, queue_job
from operations.models import Job

JOB = "release"
SHOWN_FOR = timedelta(days=7)


@transaction.atomic
def start_release(*, campaign: Campaign, name: str, options: ReleaseOptions, by: User) -> Job:
    """Queue a release. Raises ValidationError where the options do not fit or it is there."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    chosen = checked_release(campaign, name, options).as_settings()
    refuse_taken(campaign, name)
    arguments = {
        "campaign_id": campaign.pk, "name": name, "options": chosen, "key": uuid4().hex,
        "by_id": by.pk,
    }  # fmt: skip
    key = f"{campaign.slug} {name.lower()}"
    job = queue_job(kind=JOB, key=key, arguments=arguments, by=by)
    if job.arguments["key"] != arguments["key"]:
        told = {"name": name}
        raise ValidationError(_("A release “%(name)s” is being made already.") % told)
    record_event(actor=by, verb="started release", subject=campaign, data={"seed": options.seed})
    return job


def refuse_taken(campaign: Campaign, name: str) -> None:
    if Release.objects.called(campaign, name).exists():
        message = _("There is a release “%(name)s” already, and releases never change.")
        raise ValidationError(message % {"name": name})


def run_release(
    *,
    campaign: Campaign,
    name: str,
    options: ReleaseOptions,
    key: str,
    by: User | None = None,
    progress: Callable[..., None] = untold,
) -> Release:
    """Write the files, then the row; run again after a crash with the same key, it ends the same.

    Raises ValidationError where the options do not fit or the name is taken.
    """
    if done := Release.objects.filter(key=UUID(key)).first():
        return done
    refuse_taken(campaign, name)
    folder = folder_of(key)
    contents = read_contents(folder)
    if contents is None:
        with told_beside(progress) as tell:
            contents = build_release(
                folder, campaign=campaign, name=name, options=options, progress=tell
            )
    return store_release(campaign, folder, contents, options, by)


@transaction.atomic
def store_release(
    campaign: Campaign, folder: Path, contents: dict, options: ReleaseOptions, by: User | None
) -> Release:
    """The row of a release whose files are there."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    refuse_taken(campaign, contents["name"])
    settled = {name: contents["settings"][name] for name in ("formats", "waves")}
    release = Release.objects.create(
        campaign=campaign,
        key=UUID(folder.name),
        name=contents["name"],
        options=options.as_settings() | settled,
        contents=contents,
        sha256=sha256((folder / CONTENTS).read_bytes()).hexdigest(),
        created_by=by,
    )
    record_event(actor=by, verb="made release", subject=release, data={"sha256": release.sha256})
    return release


def read_contents(folder: Path) -> dict | None:
    """The contents of a release whose files are all there; None where there is none."""
    try:
        return json.loads((folder / CONTENTS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def cancel_release(*, job: Job, by: User) -> bool:
    """End the job of a release that is not made; what it wrote so far goes. False if it ended."""
    asked = job.is_live
    if asked:
        cancel_job(job=job)
        campaign = Campaign.objects.get(pk=job.arguments["campaign_id"])
        record_event(actor=by, verb="cancelled release", subject=campaign)
    return asked


def changed_files(
    *, release: Release, progress: Callable[..., None] = untold
) -> dict[str, list[str]]:
    """Files that come out otherwise from today's data, and files that are not as they were.

    {rebuilt: names, kept: names}, both empty where the data has not changed and nobody touched
    the folder. Only the second is looked at where another version made the release.
    Raises ValidationError where the release's options fit no more.
    """
    kept = differing(release.folder, release.hashes)
    if not can_be_rebuilt(release):
        return {"rebuilt": [], "kept": kept}
    again = folder_of(f".check-{uuid4().hex}")
    try:
        build_release(
            again,
            campaign=release.campaign,
            name=release.name,
            options=ReleaseOptions.of(release.options),
            progress=progress,
        )
        rebuilt = differing(again, release.hashes)
    finally:
        shutil.rmtree(again, ignore_errors=True)
    return {"rebuilt": rebuilt, "kept": kept}


def can_be_rebuilt(release: Release) -> bool:
    """Whether the same data makes the same files now: not if another version made them."""
    return release.contents["release"] == VERSION


def differing(folder: Path, hashes: dict[str, str]) -> list[str]:
    """The files that are missing, new, or not of these hashes, by name."""
    found = {
        str(path.relative_to(folder)): hash_of(path) for path in folder.rglob("*") if path.is_file()
    }
    return sorted(
        name for name in found.keys() | hashes.keys() if found.get(name) != hashes.get(name)
    )


def hash_of(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def unfinished_jobs_of(campaign: Campaign) -> QuerySet[Job]:
    """The jobs that make a campaign's releases, or did not end as asked this week, newest first."""
    of_campaign = Job.objects.filter(kind=JOB, arguments__campaign_id=campaign.pk)
    recent = Q(state__in=Job.LIVE) | Q(ended_at__gte=timezone.now() - SHOWN_FOR)
    return of_campaign.filter(recent).exclude(state=Job.State.DONE, cancel_asked=False)


def sweep_releases() -> None:
    """Delete folders that no release and no job has: of jobs that died for good."""
    parent = settings.DATA_DIR / RELEASES
    folders = [path for path in parent.iterdir() if is_old(path)] if parent.is_dir() else []
    if not folders:
        return
    wanted = {key.hex for key in Release.objects.values_list("key", flat=True)}
    live = Job.objects.live().filter(kind=JOB).values_list("arguments", flat=True)
    wanted.update(arguments["key"] for arguments in live)
    for path in folders:
        if path.name not in wanted and is_nobodys(path):
            shutil.rmtree(path, ignore_errors=True)
