from dictionaries.pace import Pace


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def told(*reports, total=1_000):
    """What a pace says after reports of (seconds passed, done)."""
    clock = Clock()
    pace = Pace(clock)
    said = None
    for seconds, done in reports:
        clock.now = 100.0 + seconds
        said = pace.seconds_left(done, total)
    return said


def test_the_rest_takes_as_long_as_so_much_took():
    assert told((0, 0), (10, 100)) == 90


def test_nothing_is_said_at_first():
    assert told((0, 0)) is None
    assert told((0, 0), (2, 900)) is None


def test_what_was_fast_long_ago_does_not_count():
    assert told((0, 0), (1, 500), (130, 510), (150, 520)) == 480 * 20 / 10


def test_nothing_is_said_where_nothing_was_done_lately():
    assert told((0, 500), (60, 500)) is None


def test_the_end_is_no_time_away():
    assert told((0, 0), (10, 1_000)) == 0
