"""How sure a share is."""

from typing import Any

import numpy as np

Z = 1.96  # of 95 %


def wilson(part: Any, n: Any) -> tuple[Any, Any]:
    """The lower and upper bound of part / n at 95 %, each in 0 to 1.

    part, n: numbers or arrays of a shape; n is above 0.
    Source: Wilson, "Probable inference, the law of succession" (1927).
    """
    value = part / n
    centre = value + Z**2 / (2 * n)
    margin = Z * np.sqrt(value * (1 - value) / n + Z**2 / (4 * n**2))
    whole = 1 + Z**2 / n
    return np.maximum((centre - margin) / whole, 0.0), np.minimum((centre + margin) / whole, 1.0)
