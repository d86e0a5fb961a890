"""The thread that keeps indexes warm."""

import logging
from threading import Event

from dictionaries import warming
from dictionaries.warming import start_warming


class Backend:
    def __init__(self, stop, *, fails=0):
        self.calls, self._stop, self._fails = 0, stop, fails

    def warm(self):
        self.calls += 1
        if self.calls > self._fails:
            self._stop.set()
        else:
            raise OSError("the disk is away")


def run(monkeypatch, **options):
    stop = Event()
    backend = Backend(stop, **options)
    monkeypatch.setattr(warming, "backend", lambda: backend)
    monkeypatch.setattr(warming, "SECONDS_BETWEEN_LOOKS", 0.001)
    start_warming(stop).join(timeout=20)
    return backend.calls


def test_it_warms_at_once(monkeypatch):
    assert run(monkeypatch) == 1


def test_a_failure_is_written_down_and_tried_again(monkeypatch, caplog):
    with caplog.at_level(logging.ERROR):
        assert run(monkeypatch, fails=2) == 3

    assert len(caplog.records) == 2
