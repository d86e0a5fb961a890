"""An import from its first line to its last: read, begun or resumed, stored, complete."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from corpus.importing.cleaning import clean
from corpus.importing.ending import complete
from corpus.importing.locks import new_owner, running_message, sole_import, take_over
from corpus.importing.options import as_stored
from corpus.importing.prepared import Batch, sorted_batches
from corpus.importing.spool import Spool
from corpus.importing.storing import store_batch
from corpus.importing.survey import COUNTS, reason_against, survey_files
from corpus.importing.units import with_units
from corpus.importing.uploads import delete_upload
from corpus.models import Corpus, Import
from corpus.readers.dispatch import read_articles
from corpus.records import ReadOptions
from operations.database_time import database_now

CHUNK = 1 << 20


class NothingStored(ValidationError):
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
    upload: Import | None = None,
) -> Import:
    """Read the files, then store them; begun before and not ended, it goes on where it was.

    corpus: may be new and not saved; it is saved with the first row.
    upload: the import that keeps these files, where they were uploaded.
    Raises NothingStored where a line is bad or a cited article would change, without leave, and
    ValidationError where another import into the corpus is running.
    """
    fingerprint = fingerprint_of(paths, options)
    with sole_import(corpus):
        if run := unfinished_run(corpus, fingerprint):
            return stored(run, reread(run, paths, options), progress)
        with closing(Spool()) as spool:
            options = replace(options, now=database_now())
            report = survey_files(
                corpus=corpus, paths=paths, options=options, progress=progress, spool=spool
            )
            if reason := reason_against(
                report,
                skip_bad=skip_bad,
                accept_changes=accept_changes,
                is_upload=upload is not None,
            ):
                raise NothingStored(reason, report)
            run = upload or Import(corpus=corpus, created_by=by)
            run.files, run.options = [path.name for path in paths], as_stored(options)
            run.skip_bad, run.accept_changes = skip_bad, accept_changes
            run.fingerprint, run.report = fingerprint, report
            return stored(begin(run), spool, progress)


def fingerprint_of(paths: list[Path], options: ReadOptions) -> str:
    """A hash of the files' contents and of how they are read: equal means the same import."""
    digest = sha256(json.dumps(as_stored(options), sort_keys=True).encode())
    for path in paths:
        try:
            with open(path, "rb") as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
        except OSError:
            digest.update(b"unreadable")  # the first pass says so, in words
        digest.update(b"\0")
    return digest.hexdigest()


def unfinished_run(corpus: Corpus, fingerprint: str) -> Import | None:
    """The dead import of the same files, to be resumed; one of other files is cleaned up."""
    run = corpus.imports.unfinished().first() if corpus.pk else None
    if run is None:
        return None
    run = take_over(run)
    if run.fingerprint == fingerprint:
        return run
    clean(run)
    return None


def begin(run: Import) -> Import:
    """Make an import the one that is running, with its corpus if that is new."""
    run.owner = new_owner()
    run.state = Import.State.RUNNING
    run.counts = dict.fromkeys(COUNTS, 0)
    run.records_done = 0
    try:
        with transaction.atomic():
            if run.corpus.pk is None:
                run.corpus.save()
                run.corpus = run.corpus  # its key is known only now
            run.save()
            Import.objects.filter(pk=run.pk).update(heartbeat_at=Now())
    except IntegrityError:
        raise ValidationError(running_message(run.corpus)) from None
    run.refresh_from_db()
    return run


def reread(run: Import, paths: list[Path], options: ReadOptions) -> Iterator[Batch]:
    """What is not stored yet of an import that died, read once more."""
    options = replace(options, units=False, now=run.created_at)
    records = read_articles(paths, options)
    with closing(records):
        rest = islice(records, run.records_done, None)
        yield from sorted_batches(
            run.corpus, rest, read=run.records_done, is_cased=options.is_cased
        )


def stored(run: Import, batches: Iterable[Batch], progress: Callable | None) -> Import:
    """Write batch by batch, the place reached being part of each batch; then show it all."""
    total = sum(run.report[name] for name in (*COUNTS[:3], "bad"))
    for batch in with_units(batches):
        store_batch(run, batch)
        if progress:
            progress(batch.read, total, _("records stored"))
    refuse_other_texts(run)
    complete(run)
    delete_upload(run)
    return run


def refuse_other_texts(run: Import) -> None:
    """The files must not have changed between the two passes: only the first was vetted."""
    names = (*COUNTS[:3], "bad")
    if any(run.counts[name] != run.report[name] for name in names):
        clean(run)
        raise ValidationError(
            _("The files changed while they were being imported; nothing was kept. Try again.")
        )
