"""Wilson's interval, by hand and as published."""

import numpy as np
import pytest

from agreement.measures import wilson


def test_the_interval_is_as_published():
    # Newcombe, "Two-sided confidence intervals" (1998), table I.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_arrays_have_the_bounds_of_their_numbers():
    low, high = wilson(np.array([2, 0, 20]), np.array([2, 10, 20]))

    # Of 2 in 2 it is 1 / (1 + 1.96^2 / 2).
    assert low == pytest.approx([0.34238, 0, 0.83887], abs=1e-5)
    assert high == pytest.approx([1, 0.27754, 1], abs=1e-5)
