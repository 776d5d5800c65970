"""Checked rows with targets."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats, Matrix, Weights


class Rows(NamedTuple):
    """Rows with targets: encoded classes or numeric values."""

    X: Matrix
    y: Floats
    weights: Weights | None


def taken(rows: Rows, places: npt.NDArray[Any]) -> Rows:
    """Return the rows of the given indices."""
    weights = None if rows.weights is None else rows.weights[places]
    return Rows(rows.X[places], rows.y[places], weights)


def counting(rows: Rows) -> Rows:
    """Drop the rows of weight 0."""
    if rows.weights is None or rows.weights.all():
        return rows
    return taken(rows, np.flatnonzero(rows.weights))
