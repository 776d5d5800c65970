"""Statistics of a few values that are robust to rounding errors."""

import numpy as np

from gramian.base.types import Floats

# Relative error of a subtraction followed by a mean.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)


def round_off_ties(values: Floats, scale: float) -> Floats:
    """Make values equal if they differ only by rounding errors of numbers as large as `scale`.

    Magnitudes closer together than the rounding error become the smallest of them, and magnitudes
    that close to 0 become 0; signs are kept.
    """
    order = np.argsort(np.abs(values))
    sizes = np.abs(values)[order]
    starts = np.diff(sizes, prepend=0.0) > _ROUNDING * scale
    result = np.empty_like(values)
    result[order] = np.r_[0.0, sizes[starts]][np.cumsum(starts)]
    return result * np.sign(values)


def standard_deviation(values: Floats) -> float:
    """Return the standard deviation (divisor N - 1), or 0 if it is only rounding error."""
    found = float(values.std(ddof=1))
    return found if found > _ROUNDING * float(np.abs(values).max()) else 0.0


def difference(first: float, second: float) -> float:
    """Return first - second, or 0 if it is only rounding error."""
    apart = float(first - second)
    return apart if abs(apart) > _ROUNDING * max(abs(first), abs(second)) else 0.0


def ratio(numerator: float, denominator: float) -> float:
    """Return numerator / denominator, where 0 / 0 is 0 and c / 0 is infinite."""
    if denominator > 0:
        return numerator / denominator
    return 0.0 if numerator == 0 else float(np.copysign(np.inf, numerator))
