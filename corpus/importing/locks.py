"""One import at a time into a corpus, on one machine and on several."""

import fcntl
import socket
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from corpus.models import Corpus, Import

DEAD_AFTER = timedelta(minutes=2)


@contextmanager
def sole_import(corpus: Corpus):
    """Hold this machine's lock on imports into a corpus; the system frees it when we die."""
    folder = settings.DATA_DIR / "locks"
    folder.mkdir(exist_ok=True)
    with open(folder / f"import-{corpus.slug}", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValidationError(running_message(corpus)) from None
        yield


def running_message(corpus: Corpus) -> str:
    return _("Another import into %(corpus)s is running; wait until it is done.") % {
        "corpus": corpus.slug
    }


def new_owner() -> str:
    """A name for this attempt at an import: what it writes is refused once another has it."""
    return f"{socket.gethostname()}:{uuid4().hex}"


def take_over(run: Import) -> Import:
    """Make an unfinished import this process' own. Raises ValidationError where another lives.

    Call it under `sole_import`: what this machine began is dead then. What another machine began
    is dead once it has given no sign of life for DEAD_AFTER.
    """
    unfinished = Import.objects.filter(pk=run.pk, owner=run.owner, state=Import.State.RUNNING)
    if run.owner.rpartition(":")[0] != socket.gethostname():
        unfinished = unfinished.filter(heartbeat_at__lt=Now() - DEAD_AFTER)
    owner = new_owner()
    if not unfinished.update(owner=owner, heartbeat_at=Now()):
        raise ValidationError(running_message(run.corpus))
    run.refresh_from_db()
    return run
