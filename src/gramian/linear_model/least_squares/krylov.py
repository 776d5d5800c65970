"""Least squares for sparse X with very many columns, using only products with X."""

import warnings

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, lsqr
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, caller_level
from gramian.base.rows.moments import Rows, Vector
from gramian.base.types import Data, Matrix
from gramian.linear_model.least_squares.solution import Factor, Solution

_MAX_GRAM_COLUMNS = 5000  # LSQR is used for sparse X with more columns
_OUT_OF_ITERATIONS = 7  # LSQR's stop code
_MAX_DENSE_VALUES = 10_000_000  # maximum size of sparse X made dense for an SVD


def by_lsqr(rows: Rows, fit_intercept: bool, tol: float, owner: str) -> Solution:
    """Return the least-norm solution by LSQR, for sparse X with very many columns."""
    X, Y, w = stack_rows(rows)
    weights = np.ones(len(Y)) if w is None else w
    total: float = weights.sum()
    means, target_means = np.zeros(rows.n_features), np.zeros(rows.n_targets)
    if fit_intercept:
        means, target_means = X.T @ weights / total, Y.T @ weights / total
    root = np.sqrt(weights)
    centred = LinearOperator(
        X.shape,
        matvec=lambda v: root * (X @ v.ravel() - means @ v.ravel()),
        rmatvec=lambda u: X.T @ (root * u.ravel()) - means * (root @ u.ravel()),
        dtype=np.float64,
    )
    right = (Y - target_means) * root[:, None]
    found = [lsqr(centred, target, atol=tol, btol=tol) for target in right.T]
    if any(reason == _OUT_OF_ITERATIONS for _, reason, *_ in found):
        warnings.warn(
            f"{owner}: LSQR did not reach tol={tol:g} in {2 * X.shape[1]} iterations; raise tol, "
            "scale the columns of X, or use Ridge.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
    coef = np.array([each[0] for each in found])
    model = Factor(np.zeros((0, 0)), means, 1.0, fit_intercept).model(coef, target_means)
    residuals = Y - X @ model[:, :-1].T - model[:, -1]
    return Solution(
        model[:, :-1], model[:, -1], weights @ np.square(residuals), float(total), len(Y),
        None, None, np.nan, "lsqr", None,
    )  # fmt: skip


def stack_rows(rows: Rows) -> tuple[Data, Matrix, Vector | None]:
    """Return all rows together."""
    if rows.distributed:
        raise DataError(
            f"sparse X with {rows.n_features} columns needs all rows on one worker, but the chunks "
            "are on several; drop columns, or fit in memory."
        )
    chunks = list(rows.chunks())
    if len(chunks) == 1:
        X, Y, row_weights = chunks[0]
        return sp.csr_array(X) if sp.issparse(X) else X, Y, row_weights
    tables = [c[0] for c in chunks]
    X = sp.csr_array(sp.vstack(tables)) if sp.issparse(tables[0]) else np.vstack(tables)
    weights = [np.ones(len(y)) if w is None else w for _, y, w in chunks]
    return (
        X,
        np.vstack([c[1] for c in chunks]),
        None if all(c[2] is None for c in chunks) else np.concatenate(weights),
    )


def too_wide(X: sp.csr_array) -> bool:
    """Return whether sparse rows have too many columns for a Gram matrix and an SVD."""
    rows, columns = X.shape
    return bool(
        columns > _MAX_GRAM_COLUMNS and (rows > columns or rows * columns > _MAX_DENSE_VALUES)
    )
