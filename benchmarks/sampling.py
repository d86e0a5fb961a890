"""The most that a quantity came to while something else ran."""

import threading
from collections.abc import Callable

EVERY = 0.005


class Sampled:
    """Asks for a number every few milliseconds, from a thread of its own; `most` is the largest."""

    def __init__(self, number: Callable[[], float]):
        self._number = number
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.most = number()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _watch(self):
        while not self._over.wait(EVERY):
            self.most = max(self.most, self._number())
