"""Affinity matrices of rows, for spectral clustering and embedding."""

from typing import TYPE_CHECKING, Any, overload
from warnings import warn

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import pairwise_kernels

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.inputs.gate import check_rows, check_size
from gramian.base.rows.distances import distance_matrix
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Data, Floats
from gramian.graph.graph import check_weight_values
from gramian.neighbors import NearestNeighbors

if TYPE_CHECKING:
    from gramian.base.kinds import Estimator


def neighbor_affinity(
    estimator: "Estimator", X: Data, n_neighbors: int, *, precomputed: bool, n_jobs: int | None
) -> sp.csr_array:
    """Return (C + C^T) / 2, where C joins each row with its nearest neighbours, itself included."""
    check_rows(estimator, X.shape[0], n_neighbors, "n_neighbors")
    if precomputed:
        search = NearestNeighbors(n_neighbors=n_neighbors, metric="precomputed", n_jobs=n_jobs)
        joined = search.fit(X).kneighbors_graph(X, n_neighbors)
        return symmetric_part(sp.csr_array(joined))
    check_size(estimator, "X", X)
    n, others = X.shape[0], n_neighbors - 1
    nearest = np.arange(n)[:, None]
    if others:
        search = NearestNeighbors(n_neighbors=others, n_jobs=n_jobs).fit(X)
        nearest = np.hstack([nearest, search.kneighbors(None, others, return_distance=False)])
    places = np.sort(nearest.astype(np.int32), axis=1)
    offsets = np.arange(0, n * n_neighbors + 1, n_neighbors, dtype=np.int32)
    return symmetric_part(
        sp.csr_array((np.ones(n * n_neighbors), places.ravel(), offsets), shape=(n, n))
    )


def kernel_affinity(X: Data, kernel: Any, parameters: dict[str, Any], n_jobs: int | None) -> Any:
    """Return the matrix of a kernel's values, by name or function."""
    if kernel == "rbf" and not sp.issparse(X):
        with threads_for(n_jobs):
            squares = distance_matrix(X, X)
        gamma = parameters.get("gamma")
        gamma = 1 / X.shape[1] if gamma is None else gamma
        np.multiply(squares, squares, out=squares)
        squares *= -gamma
        np.exp(squares, out=squares)
        np.maximum(squares, squares.T, out=squares)
        return squares
    try:
        return pairwise_kernels(X, metric=kernel, filter_params=True, **parameters)
    except (TypeError, ValueError) as error:
        reason = str(error).strip().rstrip(".")
        if callable(kernel):
            reason = "the function must return a number for two rows"
        raise ParameterError(
            f"SpectralClustering: affinity={kernel!r} cannot be computed: {reason}. Choose another "
            "affinity, or suitable data."
        ) from error


def checked_affinity(estimator: "Estimator", weights: Any) -> Any:
    """Check the weights of a Laplacian; replace an asymmetric matrix with its symmetric part."""
    owner, name = type(estimator).__name__, "the affinity matrix"
    if weights.shape[0] != weights.shape[1]:
        raise DataError(
            f"{owner}: {name} must be square, with a row and a column per sample; got shape "
            f"{weights.shape}."
        )
    values = weights.data if sp.issparse(weights) else weights
    check_weight_values(owner, name, values)
    difference = weights - weights.T
    largest = np.abs(difference.data if sp.issparse(difference) else difference).max(initial=0.0)
    if largest > 1e-8 * values.max(initial=0.0):
        warn(
            f"{owner}: {name} is not symmetric (two entries differ by {largest:.3g}); its "
            "symmetric part, (A + A.T) / 2, is used.",
            UserWarning,
            stacklevel=caller_level(),
        )
    return symmetric_part(weights) if largest > 0 else weights


@overload
def symmetric_part(matrix: sp.csr_array) -> sp.csr_array: ...


@overload
def symmetric_part(matrix: Floats) -> Floats: ...


def symmetric_part(matrix: sp.csr_array | Floats) -> sp.csr_array | Floats:
    """Return (A + A^T) / 2."""
    if not sp.issparse(matrix):
        return (matrix + matrix.T) / 2
    half = sp.csr_array(matrix + matrix.T)
    half.data *= 0.5
    half.sort_indices()
    return half
