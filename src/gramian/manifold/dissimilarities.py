"""Dissimilarities of rows, measured or given."""

from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances

from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Matrix


def check_given(model: Estimator, table: Matrix) -> None:
    """Raise unless a given table is a matrix of dissimilarities."""
    owner = type(model).__name__
    if table.shape[0] != table.shape[1]:
        raise DataError(
            f"{owner}: metric='precomputed' takes a square matrix of distances; got shape "
            f"{table.shape}."
        )
    largest = float(np.abs(table).max(initial=0.0))
    if float(np.abs(table - table.T).max(initial=0.0)) > 1e-8 * largest:
        raise DataError(
            f"{owner}: distances must be symmetric; give (D + D.T) / 2, or the mean of both ways."
        )
    if (table < 0).any():
        raise DataError(
            f"{owner}: distances must not be negative; got {table.min():.3g}. If these are "
            "similarities s, give sqrt(2 (max - s))."
        )
    if (np.abs(np.diag(table)) > 1e-8 * largest).any():
        raise DataError(f"{owner}: the distance of a row from itself must be 0.")


def measure(X: Data, Y: Data | None, metric: Any, metric_params: dict[str, Any] | None) -> Matrix:
    """Return the dissimilarities of the rows of X and Y, float64."""
    found = pairwise_distances(X, Y, metric=metric, **(metric_params or {}))
    return np.asarray(found, dtype=np.float64)
