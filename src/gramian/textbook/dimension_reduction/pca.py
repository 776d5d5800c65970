r"""Derivations of PCA: three criteria with the same optimum, and components one by one.

For orthonormal directions v_1, ..., v_k and centred rows x_i, i = 1, ..., n, with covariance S,

    projected variance    sum_j v_j' S v_j, a sum of Rayleigh quotients          (maximal)
    projection error      1/n sum_i |x_i - sum_j (x_i . v_j) v_j|^2              (minimal)
    log-likelihood        of the Gaussian whose axes are the v_j and whose variance is the same in
                          all other directions                                   (maximal)

The first two add up to the variance, and the third decreases as the second increases: the leading
eigenvectors of S are optimal for all three (for the third, not uniquely if d - k = 1).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.linalg.checks import check_matrix
from gramian.linalg.symmetric import largest_entry_positive

_ENOUGH = 1e-14


class Criteria(NamedTuple):
    """Values of the three criteria for a set of directions.

    Attributes
    ----------
    projected_variance
        Variance of the projections, with 1/n.
    projection_error
        Mean squared distance of the rows from their projections.
    log_likelihood
        Mean log-likelihood per row of the Gaussian with these axes and fitted variances.
    """

    projected_variance: float
    projection_error: float
    log_likelihood: float


def projection_criteria(X: npt.ArrayLike, directions: npt.ArrayLike) -> Criteria:
    """Return the three criteria of PCA for orthonormal directions.

    Parameters
    ----------
    X
        Rows (n, d); their mean is subtracted.
    directions
        Orthonormal rows (k, d), k < d.

    Examples
    --------
    >>> X = [[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> best, other = projection_criteria(X, [[1, 0]]), projection_criteria(X, [[0, 1]])
    >>> best.projected_variance, best.projection_error, other.projected_variance
    (2.0, 0.5, 0.5)
    """
    owner = "projection_criteria"
    rows, V = check_matrix(owner, X, name="X"), check_matrix(owner, directions, name="directions")
    n, d = rows.shape
    k = len(V)
    if V.shape[1] != d or not 1 <= k < d or np.abs(V @ V.T - np.eye(k)).max() > 1e-8:
        raise DataError(
            f"{owner}: directions must be orthonormal rows of {d} numbers, fewer than {d}; got "
            f"shape {V.shape}. See gramian.textbook.linear_algebra.gram_schmidt."
        )
    centred = rows - rows.mean(axis=0)
    Z = centred @ V.T
    along: Floats = (Z * Z).mean(axis=0)
    error = float(((centred - Z @ V) ** 2).sum() / n)
    noise = error / (d - k)
    # Within the subspace the axes are those of the covariance of the projections.
    inside = np.linalg.eigvalsh(Z.T @ Z / n)
    with np.errstate(divide="ignore"):
        logs = np.log(np.maximum(inside, 0.0)).sum() + (d - k) * np.log(noise)
    return Criteria(float(along.sum()), error, float(-(d * np.log(2 * np.pi) + logs + d) / 2))


class Deflation(NamedTuple):
    """Components found one by one.

    Attributes
    ----------
    components
        Orthonormal rows (k, d).
    variances
        Variance along each component, with 1/(n - 1).
    iterations
        Power iterations for each component.
    """

    components: Floats
    variances: Floats
    iterations: list[int]


def deflation_pca(X: npt.ArrayLike, n_components: int, *, max_iter: int = 10_000) -> Deflation:
    """Find components one by one, each of largest variance and orthogonal to the previous ones.

    The Lagrangian of max v'Sv under |v| = 1 and v . v_j = 0 gives S v = l v. Each is found by the
    power method on the deflated covariance S - sum l_j v_j v_j'. `PCA` finds all at once and
    faster.

    Parameters
    ----------
    X
        Rows (n, d), at least two.
    n_components
        Number of components.
    max_iter
        Maximum number of power iterations for each component.

    Examples
    --------
    >>> found = deflation_pca([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]], 2)
    >>> np.abs(found.components).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    owner = "deflation_pca"
    rows = check_matrix(owner, X, name="X")
    n, d = rows.shape
    if n < 2 or not 1 <= n_components <= d:
        raise ParameterError(
            f"{owner}: X must have at least 2 rows and n_components must be between 1 and {d}; got "
            f"{n} rows and {n_components}."
        )
    centred = rows - rows.mean(axis=0)
    # The covariance squares the rows; scaling by a power of two is exact.
    unit = np.ldexp(1.0, int(np.frexp(np.abs(centred).max(initial=0.0))[1]) - 1)
    centred /= unit
    S = centred.T @ centred / (n - 1)
    V, values, steps = np.zeros((0, d)), [], []
    for _ in range(n_components):
        v, n_iter = _leading(S, V, max_iter)
        values.append(float(v @ S @ v))
        S = S - values[-1] * np.outer(v, v)
        V = np.vstack([V, largest_entry_positive(v[:, None])[:, 0]])
        steps.append(n_iter)
    return Deflation(V, np.array(values) * unit * unit, steps)


def _leading(S: Floats, previous: Floats, max_iter: int) -> tuple[Floats, int]:
    """Return the leading eigenvector orthogonal to the previous ones, by power iterations."""
    start = S @ np.ones(len(S)) + S[:, np.argmax(np.diag(S))]
    v = _orthogonal(start, previous)
    for step in range(1, max_iter + 1):
        next_vector = S @ v
        if np.linalg.norm(next_vector) <= _ENOUGH * np.abs(S).max(initial=0.0):
            return v, step  # no variance is left
        next_vector = _orthogonal(next_vector, previous)
        if np.linalg.norm(next_vector - v) <= _ENOUGH * len(v):
            return next_vector, step
        v = next_vector
    return v, max_iter


def _orthogonal(v: Floats, previous: Floats) -> Floats:
    """Return the unit vector orthogonal to the previous ones; an arbitrary one if it vanishes."""
    size = np.linalg.norm(v)
    for _ in range(2):
        v = v - previous.T @ (previous @ v)
    if np.linalg.norm(v) <= 1e-12 * size or size == 0.0:
        free = np.eye(len(v)) - previous.T @ previous
        v = free[:, np.argmax(np.diag(free))]
    return np.asarray(v / np.linalg.norm(v))
