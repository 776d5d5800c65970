"""Dissimilarities of rows, measured or given."""

from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances

from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Matrix

_TILE = 256


def check_given(model: Estimator, table: Matrix) -> None:
    """Raise unless a given table is a matrix of dissimilarities."""
    owner = type(model).__name__
    if table.shape[0] != table.shape[1]:
        raise DataError(
            f"{owner}: metric='precomputed' takes a square matrix of distances; got shape "
            f"{table.shape}."
        )
    least = float(table.min(initial=0.0))
    largest = max(float(table.max(initial=0.0)), -least)
    if _asymmetry(table) > 1e-8 * largest:
        raise DataError(
            f"{owner}: distances must be symmetric; give (D + D.T) / 2, or the mean of both ways."
        )
    if least < 0:
        raise DataError(
            f"{owner}: distances must not be negative; got {least:.3g}. If these are "
            "similarities s, give sqrt(2 (max - s))."
        )
    if (np.abs(np.diag(table)) > 1e-8 * largest).any():
        raise DataError(f"{owner}: the distance of a row from itself must be 0.")


def _asymmetry(table: Matrix) -> float:
    """Return the largest difference of d_rs and d_sr, tile by tile: both stay in cache."""
    most = 0.0
    for i in range(0, len(table), _TILE):
        for j in range(0, i + 1, _TILE):
            here, there = table[i : i + _TILE, j : j + _TILE], table[j : j + _TILE, i : i + _TILE]
            most = max(most, float(np.abs(here - there.T).max()))
    return most


def measure(X: Data, Y: Data | None, metric: Any, metric_params: dict[str, Any] | None) -> Matrix:
    """Return the dissimilarities of the rows of X and Y, float64."""
    found = pairwise_distances(X, Y, metric=metric, **(metric_params or {}))
    return np.asarray(found, dtype=np.float64)
