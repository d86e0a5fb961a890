"""How long the rest of a long work takes, by how fast it was lately."""

from collections import deque
from collections.abc import Callable
from time import monotonic

WINDOW = 120.0  # seconds: reading, counting words and encoding differ a hundredfold
LEAST = 5.0


class Pace:
    """Told of progress now and then, it knows the seconds that are left, or that it cannot say."""

    def __init__(self, clock: Callable[[], float] = monotonic):
        self._clock = clock
        self._told: deque[tuple[float, int]] = deque()

    def seconds_left(self, done: int, total: int) -> float | None:
        """None within the first seconds, and where nothing was done lately."""
        now = self._clock()
        while len(self._told) > 1 and now - self._told[0][0] > WINDOW:
            self._told.popleft()
        if not self._told or now - self._told[-1][0] >= 1 or done < self._told[-1][1]:
            self._told.append((now, done))
        since, at_first = self._told[0]
        if now - since < LEAST or done <= at_first:
            return None
        return (total - done) * (now - since) / (done - at_first)
