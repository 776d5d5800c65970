"""The best threshold on each of several columns at once, for trees that are grown in Python.

Sorting every column and summing along it gives the branches of all thresholds; a threshold lies
halfway between two different neighbours and leaves at least `least` weight on either side.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.trees.impurity import Impurity

Floats: TypeAlias = npt.NDArray[np.float64]

# A gain must beat the best so far by this share of the impurity: rounding decides nothing.
_SLACK = 1e-9


class Split(NamedTuple):
    """Rows with column <= threshold go to the first child."""

    gain: float
    column: int
    threshold: float


def best_class_split(Z: Floats, mass: Floats, impurity: Impurity, least: float) -> Split | None:
    """Return the split that lowers an impurity most; `mass` is (n, n_classes), a weight per row."""
    total = mass.sum(axis=0)
    whole = float(impurity(total))
    weight = total.sum()
    best: Split | None = None
    for j in range(Z.shape[1]):
        order = np.argsort(Z[:, j], kind="stable")
        z, left = Z[order, j], np.cumsum(mass[order], axis=0)[:-1]
        at = _allowed(z, left.sum(axis=1), weight, least)
        if len(at) == 0:
            continue
        below, above = left[at], np.maximum(total - left[at], 0.0)
        parts = below.sum(axis=1) * impurity(below) + above.sum(axis=1) * impurity(above)
        gains = whole - parts / weight
        best = _better(best, gains, j, z, at, whole)
    return best


def best_number_split(
    Z: Floats, y: Floats, w: Floats, least: float, *, deviation: bool = False
) -> Split | None:
    """Return the split that lowers the variance of y most, or with `deviation` its root."""
    weight = w.sum()
    center = w @ y / weight
    first, second = w * (y - center), w * (y - center) ** 2
    spread = np.sqrt if deviation else np.positive
    whole = float(spread(second.sum() / weight))
    best: Split | None = None
    for j in range(Z.shape[1]):
        order = np.argsort(Z[:, j], kind="stable")
        z = Z[order, j]
        left, s1, s2 = (np.cumsum(v[order])[:-1] for v in (w, first, second))
        at = _allowed(z, left, weight, least)
        if len(at) == 0:
            continue
        left, s1, s2 = left[at], s1[at], s2[at]
        right, r1, r2 = weight - left, first.sum() - s1, second.sum() - s2
        low = np.maximum(s2 / left - (s1 / left) ** 2, 0)
        high = np.maximum(r2 / right - (r1 / right) ** 2, 0)
        gains = whole - (left * spread(low) + right * spread(high)) / weight
        best = _better(best, gains, j, z, at, whole)
    return best


def _allowed(z: Floats, left: Floats, weight: float, least: float) -> npt.NDArray[np.intp]:
    """Places i such that a threshold may lie between z[i] and z[i + 1]."""
    floor = max(least, np.finfo(float).tiny) * (1 - 1e-12)
    return np.flatnonzero((z[:-1] < z[1:]) & (left >= floor) & (weight - left >= floor))


def _better(
    best: Split | None,
    gains: Floats,
    column: int,
    z: Floats,
    at: npt.NDArray[np.intp],
    whole: float,
) -> Split | None:
    top = int(np.argmax(gains >= gains.max() - _SLACK * whole))  # the lowest of equal ones
    enough = _SLACK * whole if best is None else best.gain + _SLACK * whole
    if gains[top] <= enough:
        return best
    low, high = z[at[top]], z[at[top] + 1]
    middle = low + (high - low) / 2
    return Split(float(gains[top]), column, float(middle if middle < high else low))
