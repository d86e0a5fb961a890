"""How far a command is, told on its terminal as a job tells it on its page."""

from tqdm import tqdm


class Bar:
    """A progress bar on standard error, only where somebody watches.

    Called as `bar(done, total, message)`; a total of 0 is not known yet.
    """

    def __init__(self, stderr, unit):
        self.bar = tqdm(unit=f" {unit}", disable=None, file=stderr._out, leave=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bar.close()

    def __call__(self, done, total, message=""):
        self.bar.total = total or None
        self.bar.n = done
        self.bar.refresh()
