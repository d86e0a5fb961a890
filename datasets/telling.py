"""A job's progress, told from beside a snapshot.

Inside a snapshot the connection can only read, and what a job tells has to be written at once.
So a thread with a connection of its own tells it, once a second, and brings back what the
world answers: that somebody cancelled the job, or that the worker has to stop.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection

SECONDS = 1.0
TELL_EVERY = 500
T = TypeVar("T")


class Teller:
    """Keeps the newest progress for the thread; raises in the caller what the thread met."""

    def __init__(self, progress: Callable[..., None]):
        self.progress = progress
        self.newest: tuple = (0, 0, "")
        self.answer: BaseException | None = None
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.tell, name="progress", daemon=True)

    def __call__(self, done, total, message=""):
        self.newest = (done, total, message)
        if self.answer is not None:
            raise self.answer

    def tell(self):
        try:
            while not self.is_over.wait(SECONDS):
                self.progress(*self.newest)
        except BaseException as error:
            self.answer = error
        finally:
            connection.close()


@contextmanager
def told_beside(progress: Callable[..., None]) -> Iterator[Callable[..., None]]:
    """A progress that may be called inside a snapshot.

    Within a transaction there is no snapshot of its own, and the plain progress will do.
    """
    if connection.in_atomic_block:
        yield progress
        return
    teller = Teller(progress)
    teller.thread.start()
    try:
        yield teller
    finally:
        teller.is_over.set()
        teller.thread.join()


def told(
    records: Iterable[T], total: int, progress: Callable[..., None], message: str = ""
) -> Iterator[T]:
    """The records as they are, with the progress told now and then."""
    for done, record in enumerate(records):
        if done % TELL_EVERY == 0:
            progress(min(done, total), total, message)
        yield record
    progress(total, total, message)
