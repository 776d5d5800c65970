"""Dissimilarities of rows, computed or precomputed."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.base.rows.distances import distance_matrix
from gramian.base.types import Data, Matrix
from gramian.linalg.checks import asymmetry
from gramian.neighbors.structures.pairwise_search import measure_rows


def check_given(model: Estimator, table: Matrix) -> None:
    """Raise unless a precomputed table is a matrix of dissimilarities."""
    owner = type(model).__name__
    if table.shape[0] != table.shape[1]:
        raise DataError(
            f"{owner}: metric='precomputed' needs a square matrix of distances; got shape "
            f"{table.shape}."
        )
    least = float(table.min(initial=0.0))
    largest = max(float(table.max(initial=0.0)), -least)
    apart, i, j = asymmetry(table)
    if apart > 1e-8 * largest:
        raise DataError(
            f"{owner}: distances must be symmetric; got {table[i, j]:g} at ({i}, {j}) and "
            f"{table[j, i]:g} at ({j}, {i}). Pass (D + D.T) / 2."
        )
    if least < 0:
        raise DataError(
            f"{owner}: distances must not be negative; got {least:.3g}. If these are "
            "similarities s, pass sqrt(2 (max - s))."
        )
    own = float(np.abs(np.diag(table)).max(initial=0.0))
    if own > 1e-8 * largest:
        raise DataError(
            f"{owner}: the distance of a row from itself must be 0; got {own:g} on the diagonal. "
            "Pass distances, not similarities."
        )


def measure(
    model: Estimator, X: Data, Y: Data | None, metric: Any, metric_params: dict[str, Any] | None
) -> Matrix:
    """Return the dissimilarities of the rows of X and Y, float64."""
    if metric in ("euclidean", "l2") and not metric_params and not sp.issparse(X):
        rows = np.ascontiguousarray(X, dtype=np.float64)
        others = rows if Y is None else np.ascontiguousarray(Y, dtype=np.float64)
        out = distance_matrix(rows, others)
        if Y is None:
            np.maximum(out, out.T, out=out)
            np.fill_diagonal(out, 0.0)
        return out
    found = measure_rows(type(model).__name__, X, Y, metric, metric_params)
    return np.asarray(found, dtype=np.float64)
