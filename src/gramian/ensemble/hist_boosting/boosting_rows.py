"""Checked rows with encoded targets and weights."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats, Matrix, Weights


class Rows(NamedTuple):
    """Rows with targets: encoded classes or numeric values."""

    X: Matrix
    y: Floats
    weights: Weights | None


def take_rows(rows: Rows, indices: npt.NDArray[Any]) -> Rows:
    """Return the rows with these indices."""
    weights = None if rows.weights is None else rows.weights[indices]
    return Rows(rows.X[indices], rows.y[indices], weights)


def drop_zero_weights(rows: Rows) -> Rows:
    """Drop rows of weight 0."""
    if rows.weights is None or rows.weights.all():
        return rows
    return take_rows(rows, np.flatnonzero(rows.weights))
