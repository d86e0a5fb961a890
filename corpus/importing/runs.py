"""The life of an import: read, begun or resumed, complete, or cleaned up."""

import fcntl
import socket
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from corpus.importing.storing import apply_changes, store_batch
from corpus.importing.survey import BATCH, COUNTS, batches, survey_files
from corpus.models import Article, Corpus, Import, Paragraph
from corpus.readers.dispatch import read_articles
from corpus.records import ArticleRecord, ReadOptions
from operations.database_time import database_now
from operations.jobs import queue_job

DEAD_AFTER = timedelta(minutes=2)
CHUNK = 1 << 20


class NothingStored(Exception):
    """The files were read and not imported: `report` says why."""

    def __init__(self, reason: str, report: dict):
        super().__init__(reason)
        self.report = report


def import_files(
    *,
    corpus: Corpus,
    paths: list[Path],
    options: ReadOptions,
    skip_bad: bool = False,
    accept_changes: bool = False,
    by=None,
    progress: Callable | None = None,
) -> Import:
    """Read the files, then store them; begun before and not ended, it goes on where it was.

    Raises NothingStored where a line is bad or a cited article would change, without leave.
    """
    fingerprint = fingerprint_of(paths, options)
    with sole_import(corpus):
        run = unfinished_run(corpus, fingerprint)
        if run is None:
            report = survey_files(corpus=corpus, paths=paths, options=options, progress=progress)
            check_report(report, skip_bad=skip_bad, accept_changes=accept_changes)
            run = begin(corpus, paths, options, fingerprint, report, by)
        store_files(run, paths, options, progress)
        return complete(run)


def fingerprint_of(paths: list[Path], options: ReadOptions) -> str:
    """A hash of the files' contents and of how they are read: equal means the same import."""
    digest = sha256(repr(sorted(asdict(options).items(), key=str)).encode())
    for path in paths:
        try:
            with open(path, "rb") as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
        except OSError:
            digest.update(b"unreadable")  # the first pass says so, in words
        digest.update(b"\0")
    return digest.hexdigest()


@contextmanager
def sole_import(corpus: Corpus):
    """Hold this machine's lock on imports into a corpus; the system frees it when we die."""
    folder = settings.DATA_DIR / "locks"
    folder.mkdir(exist_ok=True)
    with open(folder / f"import-{corpus.pk}", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValidationError(running_message(corpus)) from None
        yield


def running_message(corpus: Corpus) -> str:
    return _("Another import into %(corpus)s is running; wait until it is done.") % {
        "corpus": corpus.slug
    }


def unfinished_run(corpus: Corpus, fingerprint: str) -> Import | None:
    """The dead import of the same files, to be resumed; one of other files is cleaned up."""
    run = corpus.imports.unfinished().first()
    if run is None:
        return None
    elsewhere = run.host != socket.gethostname()
    if elsewhere and run.heartbeat_at > database_now() - DEAD_AFTER:
        raise ValidationError(running_message(corpus))
    if run.fingerprint == fingerprint:
        return run
    clean(run)
    return None


def check_report(report: dict, *, skip_bad: bool, accept_changes: bool) -> None:
    if report["bad"] and not skip_bad:
        raise NothingStored(
            _("%(n)d bad lines; nothing was stored. Mend them, or import with --skip-bad.")
            % {"n": report["bad"]},
            report,
        )
    if report["cited"] and not accept_changes:
        raise NothingStored(
            _(
                "%(n)d articles that are cited would change; nothing was stored. Import with "
                "--accept-changes to give them a new version."
            )
            % {"n": len(report["cited"])},
            report,
        )


def begin(corpus, paths, options, fingerprint, report, by) -> Import:
    return Import.objects.create(
        corpus=corpus,
        files=[path.name for path in paths],
        options={name: str(value) for name, value in asdict(options).items() if value},
        fingerprint=fingerprint,
        report=report,
        counts=dict.fromkeys(COUNTS, 0) | {"bad": report["bad"]},
        host=socket.gethostname(),
        created_by=by,
    )


def store_files(run: Import, paths, options: ReadOptions, progress: Callable | None) -> None:
    """Write what is not written yet, batch by batch; the place reached is part of each batch."""
    Import.objects.filter(pk=run.pk).update(host=socket.gethostname())
    total = sum(run.report[f"articles_{kind}"] for kind in ("new", "same", "changed"))
    for number, batch in enumerate(batches(read_articles(paths, options)), start=1):
        read = (number - 1) * BATCH + len(batch)
        if read <= run.records_done:
            continue
        store_batch(run, [r for r in batch if isinstance(r, ArticleRecord)], read)
        if progress:
            progress(min(read, total), total, _("%(n)d records stored") % {"n": read})


@transaction.atomic
def complete(run: Import) -> Import:
    """Show what was imported, all at once; near-duplicates are marked by a job."""
    apply_changes(run)
    run.state = Import.State.COMPLETE
    run.ended_at = timezone.now()
    run.counts |= {"files": len(run.files), "near_duplicates": None}
    run.save()
    run.changes.all().delete()
    if run.counts["articles_new"] or run.counts["articles_changed"]:
        Corpus.objects.filter(pk=run.corpus_id).update(data_version=F("data_version") + 1)
        queue_job(
            kind="mark-near-duplicates",
            key=str(run.corpus_id),
            arguments={"corpus_id": run.corpus_id, "import_id": run.pk},
            by=run.created_by,
        )
    record_event(
        actor=run.created_by, verb="imported", subject=run.corpus, data={"counts": run.counts}
    )
    return run


@transaction.atomic
def clean(run: Import) -> None:
    """Take away what an import that died had stored; nobody ever saw it."""
    if run.state != Import.State.RUNNING:
        raise ValidationError(_("Only an import that did not end can be cleaned up."))
    changed = run.changes.values("article")
    Paragraph.objects.filter(article__in=changed, version__gt=F("article__version")).delete()
    run.changes.all().delete()
    Paragraph.objects.filter(article__added_by=run).delete()
    run.articles.update(duplicate_of=None, duplicate_kind=Article.DuplicateKind.NONE)
    run.articles.all().delete()
    run.state = Import.State.CLEANED
    run.ended_at = timezone.now()
    run.save(update_fields=["state", "ended_at"])
