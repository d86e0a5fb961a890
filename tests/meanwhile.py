"""What other processes do while this one is in the middle of something."""

from concurrent.futures import ThreadPoolExecutor

from django.core.files.base import ContentFile
from django.db import connection

from accounts.events import record_event


def beside(work):
    """Do something over a connection of its own, as another process would."""

    def connected():
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(connected).result()


def somebody_saves():
    record_event(actor=None, verb="labelled", subject="probe:1")


class SlowFile(ContentFile):
    """A file during whose copying something happens."""

    def __init__(self, content, name, happens=somebody_saves):
        super().__init__(content, name)
        self.happens = happens

    def chunks(self, chunk_size=None):
        beside(self.happens)
        yield from super().chunks(chunk_size)
