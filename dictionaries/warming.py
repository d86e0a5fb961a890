"""Indexes are verified and brought into memory by a thread of the web processes.

A request that finds a version nobody warmed up works as well, and waits for the disk.
"""

import logging
from threading import Event, Thread

from dictionaries.bridge import backend

SECONDS_BETWEEN_LOOKS = 20.0

log = logging.getLogger(__name__)


def start_warming(stop: Event | None = None) -> Thread:
    """Warm up all indexes now, and each new version soon after it was made current."""
    thread = Thread(target=keep_warm, args=(stop or Event(),), name="warm indexes", daemon=True)
    thread.start()
    return thread


def keep_warm(stop: Event):
    """Until told to stop. What goes wrong must not end it: it is written down and tried again."""
    while True:
        try:
            backend().warm()
        except Exception:
            log.exception("Indexes could not be warmed up.")
        if stop.wait(SECONDS_BETWEEN_LOOKS):
            return
