"""The geometry of least squares: hat matrix, leverages and the rank of the columns."""

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.linalg import LinAlgWarning
from sklearn.utils.validation import check_array

from gramian.base.errors import DataError, caller_level
from gramian.base.rows.moments import Rows, Vector
from gramian.base.runtime.interruptible import interruptible
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.orthogonal import by_qr
from gramian.linear_model.least_squares.solution import EPS, Factor


def hat_matrix(
    X: npt.ArrayLike,
    *,
    fit_intercept: bool = True,
    sample_weight: npt.ArrayLike | None = None,
) -> Matrix:
    """Return the hat matrix H, which maps y to the fitted values H y.

    H = A (A'WA)^+ A'W, with A = (1, X) where there is an intercept. It projects onto the
    columns of A: H H = H, its trace is their rank, residuals are orthogonal to the columns.

    Parameters
    ----------
    X
        Training rows, (n, d).
    fit_intercept
        Whether A includes a column of ones.
    sample_weight
        Weights of the rows.

    Returns
    -------
    array
        (n, n).

    Examples
    --------
    >>> from gramian.linear_model import hat_matrix
    >>> hat_matrix([[0.0], [1.0], [2.0]]).round(3)
    array([[ 0.833,  0.333, -0.167],
           [ 0.333,  0.333,  0.333],
           [-0.167,  0.333,  0.833]])
    """
    table, weights, factor = _factor(X, fit_intercept, sample_weight)
    side = _coordinates(table, factor)
    H: Matrix = (side @ side.T) * weights
    return H


def leverages(
    X: npt.ArrayLike,
    Z: npt.ArrayLike | None = None,
    *,
    fit_intercept: bool = True,
    sample_weight: npt.ArrayLike | None = None,
) -> Vector:
    """Return the leverages of the training rows X, or of new rows Z for a fit to X.

    The leverage of a training row is its entry on the diagonal of `hat_matrix`, the influence of
    y_i on its own fitted value. At a new row z it is a'(A'WA)^+ a with a = (1, z): the variance of
    the value fitted there is that times the variance of the noise. X is always the training set:
    for new rows pass both, ``leverages(X, Z)``, or use `LinearRegression.leverages`. If there are
    no more rows than unknowns, the fit is exact, all leverages are 1, and a warning is issued.

    Parameters
    ----------
    X
        Training rows, (n, d).
    Z
        New rows, (m, d); None means the training rows themselves.
    fit_intercept
        Whether A includes a column of ones.
    sample_weight
        Weights of the training rows.

    Returns
    -------
    array
        (n,), each in [0, 1], summing to the rank; for new rows (m,), above 1 far from the data.

    Examples
    --------
    >>> from gramian.linear_model import leverages
    >>> leverages([[0.0], [1.0], [2.0]]).round(3)
    array([0.833, 0.333, 0.833])
    >>> leverages([[0.0], [1.0], [2.0]], [[1.0], [9.0]]).round(3)
    array([ 0.333, 32.333])
    """
    table, weights, factor = _factor(X, fit_intercept, sample_weight)
    if Z is not None:
        points = check_array(Z, dtype=np.float64, input_name="Z")
        if points.shape[1] != table.shape[1]:
            raise DataError(
                f"leverages: Z must have the {table.shape[1]} columns of X; got {points.shape[1]}. "
                "Pass the training rows first, then the new rows."
            )
        return np.asarray(np.square(_coordinates(points, factor)).sum(axis=1))
    if len(table) <= factor.inverse.shape[1] + fit_intercept:
        warnings.warn(
            f"leverages: all are 1, because {len(table)} training rows do not exceed the number of "
            "unknowns, so the fit is exact. For new rows pass the training rows first: "
            "leverages(X, Z).",
            LinAlgWarning,
            stacklevel=caller_level(),
        )
    values: Vector = np.square(_coordinates(table, factor)).sum(axis=1) * weights
    return values


def _factor(
    X: npt.ArrayLike, fit_intercept: bool, sample_weight: npt.ArrayLike | None
) -> tuple[Matrix, Vector, Factor]:
    table = check_array(X, dtype=np.float64, order="C")
    n = len(table)
    weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    rows = Rows.of(table, np.zeros((n, 1)), weights)
    return table, weights, by_qr(rows, rows.summarise(), fit_intercept)[1]


def _coordinates(X: Matrix, factor: Factor) -> Matrix:
    """Return rows q_i with q_i'q_k = a_i'(A'WA)^+ a_k."""
    side = (X - factor.means) @ factor.inverse
    if not factor.fit_intercept:
        return side
    return np.column_stack([np.full(len(X), factor.weight**-0.5), side])


@dataclass(frozen=True)
class RankReport:
    """Whether least squares on the chosen columns has a unique solution, and if not, why.

    Attributes
    ----------
    n_rows, n_features
        The shape of X.
    rank
        Rank of the columns, centred where there is an intercept. When it is below
        `n_features`, the points lie on a common hyperplane.
    well_posed
        Whether there is exactly one minimiser: rank equal to `n_features`.
    constant
        Constant columns, which are redundant with an intercept.
    dependent
        For each redundant column, the columns and coefficients of its linear combination.
    """

    n_rows: int
    n_features: int
    rank: int
    well_posed: bool
    constant: list[int]
    dependent: dict[int, dict[int, float]]

    def __str__(self) -> str:
        if self.well_posed:
            return f"rank {self.rank} of {self.n_features}: one least-squares solution"
        reasons = [f"column {j} is constant" for j in self.constant]
        for j, parts in self.dependent.items():
            sum_of = " + ".join(f"{factor:.6g} * column {k}" for k, factor in parts.items())
            reasons.append(f"column {j} = {sum_of}, up to a constant")
        return (
            f"rank {self.rank} of {self.n_features} with {self.n_rows} rows: under-constrained, "
            f"infinitely many solutions ({'; '.join(reasons)})"
        )


def rank_report(X: npt.ArrayLike, *, fit_intercept: bool = True) -> RankReport:
    """Return whether the columns determine the coefficients, and which columns are redundant.

    Parameters
    ----------
    X
        Training rows, (n, d).
    fit_intercept
        Whether the model has an intercept, which makes constant columns redundant.

    Returns
    -------
    RankReport

    Examples
    --------
    >>> from gramian.linear_model import rank_report
    >>> print(rank_report([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]]))
    rank 1 of 2 with 3 rows: under-constrained, infinitely many solutions \
(column 1 = 2 * column 0, up to a constant)
    """
    table = check_array(X, dtype=np.float64)
    n, d = table.shape
    columns = table - table.mean(axis=0) if fit_intercept else table
    length = np.linalg.norm(columns, axis=0)
    varies = length > 32 * EPS * np.linalg.norm(table, axis=0)
    kept = np.flatnonzero(varies)
    scaled = columns[:, varies] / length[varies]
    _, R, order = interruptible(
        4 * scaled.size * min(n, d),
        lambda: scipy.linalg.qr(scaled, mode="economic", pivoting=True),
    )
    diagonal = np.abs(np.diag(R))
    rank = int(np.sum(diagonal > EPS * max(n, d) * diagonal.max(initial=0)))
    basis, rest = kept[order[:rank]], kept[order[rank:]]
    factors = scipy.linalg.solve_triangular(R[:rank, :rank], R[:rank, rank:])
    dependent = {
        int(j): {
            int(k): float(f * length[j] / length[k])
            for k, f in zip(basis, column, strict=True)
            if abs(f) > 1e-8
        }
        for j, column in zip(rest, factors.T, strict=True)
    }
    constant = [int(j) for j in np.flatnonzero(~varies)]
    return RankReport(n, d, rank, rank == d, constant, dict(sorted(dependent.items())))
