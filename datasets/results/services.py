"""Results that people ask for: baselines by a job, predictions while they wait."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.models import Campaign
from corpus.importing.uploads import safe_name, write_files
from corpus.texts import one_line
from corpus.typed import seen_text
from datasets.kept import refuse_large
from datasets.models import Release, ReleaseResult
from datasets.options import BIGGEST_SEED
from datasets.releases.facts import rounded
from datasets.releases.services import hash_of
from datasets.results.claims import claim_of, lines_of
from datasets.results.measuring import Measured, measured, scored
from datasets.results.predictions import MOST_BYTES, predictions_for
from datasets.untold import untold
from dictionaries.backends.base import IndexUnavailable
from dictionaries.bridge import backend
from operations.jobs import cancel_job, queue_job
from operations.models import Job

JOB = "baselines"
OUR_NAMES = "baselines-"
SHOWN_FOR = timedelta(days=7)
LONGEST_NAME = 60
CLAIMS_AT_ONCE = 20_000  # a few seconds


@transaction.atomic
def start_baselines(*, release: Release, seed: int, by: User) -> Job:
    """Queue the baselines of a release.

    Raises ValidationError where they are there or being measured, or there is no index.
    """
    Campaign.objects.select_for_update().get(pk=release.campaign_id)
    refuse_seed(seed)
    if jobs_of(release).live().exists():
        raise ValidationError(_("The baselines of this release are being measured already."))
    name = baselines_name(seed, index_version(release))
    if release.results.called(name).exists():
        raise ValidationError(
            _("There are baselines of seed %(seed)d on this index already; they would be the same.")
            % {"seed": seed}
        )
    arguments = {"release_id": release.pk, "seed": seed, "by_id": by.pk}
    job = queue_job(kind=JOB, key=key_of(release), arguments=arguments, by=by)
    record_event(actor=by, verb="started baselines", subject=release, data={"seed": seed})
    return job


def refuse_seed(seed: int) -> None:
    if not 0 <= seed <= BIGGEST_SEED:
        told = {"seed": seed, "most": BIGGEST_SEED}
        raise ValidationError(_("The seed is %(seed)s; use one from 0 to %(most)s.") % told)


def index_version(release: Release) -> str:
    """The index that is asked; '' without a corpus. Raises ValidationError where there is none."""
    corpus = release.campaign.corpus
    try:
        return backend().open(corpus.slug).version if corpus else ""
    except IndexUnavailable as unavailable:
        raise ValidationError(str(unavailable)) from unavailable


def baselines_name(seed: int, version: str) -> str:
    return f"{OUR_NAMES}{seed}" + (f"-{version}" if version else "")


def run_baselines(
    *,
    release: Release,
    seed: int,
    by: User | None = None,
    job: Job | None = None,
    progress: Callable[..., None] = untold,
) -> ReleaseResult:
    """Measure, then write the row; what is there already is given back.

    Raises ValidationError where that is not possible; nothing is then stored.
    """
    refuse_seed(seed)
    name = baselines_name(seed, index_version(release))
    if done := release.results.called(name).first():
        return done
    try:
        found = measured(release, seed=seed, progress=progress)
    except IndexUnavailable as unavailable:
        raise ValidationError(str(unavailable)) from unavailable
    # The index may have been built anew in between: the name is that of the one that was asked.
    name = baselines_name(seed, found.settings["index_version"])
    return store_baselines(release, name, seed, found, by=by, job=job)


@transaction.atomic
def store_baselines(
    release: Release, name: str, seed: int, found: Measured, *, by: User | None, job: Job | None
) -> ReleaseResult:
    Campaign.objects.select_for_update().get(pk=release.campaign_id)
    if done := release.results.called(name).first():
        return done
    result = ReleaseResult.objects.create(
        release=release,
        kind=ReleaseResult.Kind.BASELINES,
        name=name,
        seed=seed,
        settings=found.settings,
        figures=found.figures,
        confusions=found.confusions,
        job=job,
        created_by=by,
    )
    record_event(actor=by, verb="measured baselines", subject=release, data={"seed": seed})
    return result


def cancel_baselines(*, release: Release, by: User) -> bool:
    """End the job that measures a release; nothing of it is stored. False where none does."""
    job = jobs_of(release).live().first()
    if job:
        cancel_job(job=job)
        record_event(actor=by, verb="cancelled baselines", subject=release)
    return job is not None


def key_of(release: Release) -> str:
    return f"release {release.pk}"


def jobs_of(release: Release) -> QuerySet[Job]:
    """The jobs that measure a release, newest first."""
    return Job.objects.filter(kind=JOB, key=key_of(release))


def shown_job_of(release: Release) -> Job | None:
    """The job that measures a release, or the last one if it did not end as asked this week."""
    recent = Q(state__in=Job.LIVE) | Q(ended_at__gte=timezone.now() - SHOWN_FOR)
    last = jobs_of(release).filter(recent).first()
    return last if last and (last.state != Job.State.DONE or last.cancel_asked) else None


def store_predictions(
    *, release: Release, name: str, split: str, file, by: User | None, at_once: bool = True
) -> ReleaseResult:
    """Score a file of predictions (name, chunks) for a split, and keep its figures.

    at_once: while somebody waits, so that large splits and files are refused. Raises
    ValidationError for those, where the name is taken, and for the first mistake of the file;
    nothing is then stored. The file itself is not kept.
    """
    name = one_line(seen_text(name))
    refuse_name(release, name)
    if split not in release.contents["labels"]:
        told = {"name": split, "known": ", ".join(sorted(release.contents["labels"]))}
        raise ValidationError(_("There is no split “%(name)s”; there are: %(known)s.") % told)
    if at_once:
        refuse_slow(release, split)
    lines = list(lines_of(release, split))
    claims = [claim_of(line, {}) for line in lines if line["label"]]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "predictions" / safe_name(file.name)
        write_files(path.parent, {path.name: file})
        sha256 = hash_of(path)
        if at_once:
            refuse_large([path], MOST_BYTES)
        told = predictions_for(path, [line["id"] for line in lines])
    figures, confusion = scored(claims, told)
    counts = {"n_claims": len(claims), "undecided": len(lines) - len(claims)}
    return store(
        release,
        name=name,
        settings={"split": split, "file": path.name},
        figures=rounded(counts | figures),
        confusions={"predictions": confusion},
        sha256=sha256,
        by=by,
    )


def refuse_slow(release: Release, split: str) -> None:
    n = sum(release.contents["labels"][split].values())
    if n > CLAIMS_AT_ONCE:
        told = {"n": n, "most": CLAIMS_AT_ONCE}
        raise ValidationError(
            _(
                "The split has %(n)d claims, and predictions for more than %(most)d are scored by "
                "the command only: manage.py baselines CAMPAIGN RELEASE --predictions FILE."
            )
            % told
        )


@transaction.atomic
def store(release: Release, *, by: User | None, **fields) -> ReleaseResult:
    Campaign.objects.select_for_update().get(pk=release.campaign_id)
    refuse_name(release, fields["name"])
    kind = ReleaseResult.Kind.PREDICTIONS
    result = ReleaseResult.objects.create(release=release, kind=kind, created_by=by, **fields)
    data = {"sha256": result.sha256}
    record_event(actor=by, verb="stored predictions", subject=release, data=data)
    return result


def refuse_name(release: Release, name: str) -> None:
    if not name or len(name) > LONGEST_NAME:
        raise ValidationError(_("A name has 1 to %(most)d characters.") % {"most": LONGEST_NAME})
    if name.casefold().startswith(OUR_NAMES):
        told = {"prefix": OUR_NAMES}
        message = _(
            "Names that begin with “%(prefix)s” are those of baselines; choose another one."
        )
        raise ValidationError(message % told)
    if release.results.called(name).exists():
        message = _("There is a result “%(name)s” already; choose another name.")
        raise ValidationError(message % {"name": name})


@transaction.atomic
def remove_predictions(*, result: ReleaseResult, by: User) -> None:
    """Take a model's result away. Raises ValidationError for baselines, which stay."""
    if not result.is_predictions:
        raise ValidationError(_("Baselines stay with their release."))
    release, data = result.release, {"sha256": result.sha256}
    result.delete()
    record_event(actor=by, verb="removed predictions", subject=release, data=data)
