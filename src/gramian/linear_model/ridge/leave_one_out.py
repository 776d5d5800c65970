"""Exact cross-validation of ridge regression, for all penalties from one decomposition.

Leave-one-out. With X'WX = Q L Q' (columns centred) and z_i = Q'(x_i - mean), the leverage of
row i at alpha is

    h_i = w_i (1/W + sum_j z_ij^2 / (l_j + alpha)),

and its residual when it is left out is e_i / (1 - h_i): one product with Q and two products for all
alphas give all rows. With fewer rows than columns the residual comes from the eigenvectors u of the
kernel XX', as sum_j u_ij (u_j'y) / (l_j + alpha) over sum_j u_ij^2 / (l_j + alpha), which does not
cancel for small alpha (Golub, Heath, Wahba 1979).

Folds. The Gram matrices of the folds are computed once. The training matrix of a fold is the sum of
the others (no subtraction, so no cancellation), and its eigenvectors give the coefficients for all
alphas.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.rows.native_table import native_table
from gramian.base.rows.parts import add
from gramian.base.runtime import blas, lapack
from gramian.base.types import Data, Matrix, Weights, is_sparse
from gramian.linear_model.least_squares.solution import EPS, moments


@dataclass(frozen=True)
class LeaveOneOutResult:
    """Leave-one-out errors for all alphas, and the models fitted to all rows."""

    errors: Matrix | None  # y - prediction, (n, m, alphas)
    squares: Matrix  # weighted sums of squared errors, (m, alphas)
    models: Matrix  # (alphas, m, d + 1)
    accurate: npt.NDArray[np.bool_]  # whether the model of each alpha is accurate to ten digits


def leave_one_out(
    X: Data,
    Y: Matrix,
    w: Weights | None,
    alphas: Vector,
    *,
    fit_intercept: bool,
    keep_errors: bool,
) -> LeaveOneOutResult:
    """Leave out each row, with its whole weight, for all alphas."""
    if X.shape[0] < X.shape[1]:
        return _leave_one_out_by_kernel(X, Y, w, alphas, fit_intercept, keep_errors)
    rows = Rows.of(X, Y, w)
    return leave_one_out_by_columns(
        rows, alphas, fit_intercept=fit_intercept, keep_errors=keep_errors
    )[0]


def leave_one_out_by_columns(
    rows: Rows, alphas: Vector, *, fit_intercept: bool, keep_errors: bool
) -> tuple[LeaveOneOutResult, int]:
    """Leave out each row, in two passes; return the errors and the number of rows."""
    d, m = rows.n_features, rows.n_targets
    summary = rows.summarise(shifted=fit_intercept)
    n = summary.n_rows
    gram, cross, _, means = moments(summary, fit_intercept)
    values, Q = lapack.eigh(gram)
    values = np.clip(values, 0, None)
    inverse = 1 / (values[:, None] + alphas)  # (d, alphas)
    weights = (Q.T @ cross)[:, :, None] * inverse[:, None, :]  # (d, m, alphas), in the basis Q
    centring = 1 / summary.weight if fit_intercept else 0.0
    errors = np.empty((n, m * len(alphas))) if keep_errors else None
    model = (means, np.ascontiguousarray(Q), weights.reshape(d, -1), inverse, centring)
    squares = rows.total(partial(_squared_errors, model, errors), add)
    coef = np.einsum("jd,dta->atj", Q, weights)
    out = LeaveOneOutResult(
        None if errors is None else errors.reshape(n, m, -1),
        squares,
        _with_intercepts(coef, means, fit_intercept),
        values[0] + alphas > 1e-6 * values[-1],
    )
    return out, n


def _squared_errors(model: tuple[Any, ...], errors: Matrix | None, rows: Rows) -> Matrix:
    """Sum squared errors by target and alpha; store each error in `errors`, if given."""
    squares = np.zeros((rows.n_targets, model[3].shape[1]))
    at = 0
    for X, Y, w in rows.dense_pieces():
        part = None if errors is None else errors[at : at + len(Y)]
        _native.leave_one_out(native_table(X), Y, w, model, squares, part)
        at += len(Y)
    return squares


def _leave_one_out_by_kernel(
    X: Data, Y: Matrix, w: Weights | None, alphas: Vector, fit_intercept: bool, keep_errors: bool
) -> LeaveOneOutResult:
    n, d = X.shape
    root, means, kernel, B = _kernel(X, Y, w, fit_intercept)
    if fit_intercept:  # the constant direction gets the largest eigenvalue, and is dropped
        constant = root / np.linalg.norm(root)
        kernel = kernel + (2 * np.trace(kernel) + 1) * np.outer(constant, constant)
    values, U = lapack.eigh(kernel)
    if fit_intercept:
        values, U = values[:-1], U[:, :-1]
    inverse = 1 / (np.clip(values, 0, None)[:, None] + alphas)
    dual = np.einsum("ij,jt,ja->ita", U, U.T @ B, inverse)  # (n, m, alphas)
    spread = np.square(U) @ inverse
    errors = dual / np.maximum(spread, np.finfo(float).tiny)[:, None, :]
    squares = np.square(errors).sum(axis=0)
    errors = errors / np.where(root > 0, root, 1)[:, None, None]
    coef = _adjoint(X, means[:d], root, dual.reshape(n, -1)).reshape(d, Y.shape[1], -1)
    models = _with_intercepts(coef.transpose(2, 1, 0), means, fit_intercept)
    return LeaveOneOutResult(
        errors if keep_errors else None, squares, models, np.ones(len(alphas), dtype=np.bool_)
    )


def ridge_models(
    X: Data, Y: Matrix, w: Weights | None, alphas: Vector, *, fit_intercept: bool
) -> Matrix:
    """Return the models of all alphas, (alphas, m, d + 1), from one decomposition."""
    n, d = X.shape
    if n >= d:
        return _from_summary(Rows.of(X, Y, w).summarise(), alphas, fit_intercept)
    root, means, kernel, B = _kernel(X, Y, w, fit_intercept)
    values, U = lapack.eigh(kernel)
    inverse = 1 / (np.clip(values, 0, None)[:, None] + alphas)
    dual = np.einsum("ij,jt,ja->ita", U, U.T @ B, inverse)
    coef = _adjoint(X, means[:d], root, dual.reshape(n, -1)).reshape(d, Y.shape[1], -1)
    return _with_intercepts(coef.transpose(2, 1, 0), means, fit_intercept)


def fold_models(
    X: Data,
    Y: Matrix,
    w: Weights | None,
    alphas: Vector,
    splits: Sequence[tuple[Matrix, Matrix]],
    *,
    fit_intercept: bool,
) -> list[Matrix]:
    """Return, for each (train, test) of rows, the models of all alphas fitted to train."""

    def part(rows: Matrix) -> tuple[Data, Matrix, Weights | None]:
        return X[rows], Y[rows], None if w is None else w[rows]

    shortest = min(len(train) for train, _ in splits)
    if shortest < X.shape[1] or not _is_partition(splits, len(Y)):
        return [
            ridge_models(*part(train), alphas, fit_intercept=fit_intercept) for train, _ in splits
        ]
    folds = [Rows.of(*part(test)).summarise() for _, test in splits]
    return [
        _from_summary(reduce(Summary.merge, folds[:k] + folds[k + 1 :]), alphas, fit_intercept)
        for k in range(len(folds))
    ]


def _is_partition(splits: Sequence[tuple[Matrix, Matrix]], n: int) -> bool:
    """Return whether each row is in exactly one test set, and in all other training sets."""
    tested = np.concatenate([test for _, test in splits])
    if tested.dtype == bool or len(tested) != n or len(np.unique(tested)) != n:
        return False
    return all(
        len(train) + len(test) == n == len(np.union1d(train, test)) for train, test in splits
    )


def _from_summary(summary: Summary, alphas: Vector, fit_intercept: bool) -> Matrix:
    gram, cross, _, means = moments(summary, fit_intercept)
    values, Q = lapack.eigh(gram)
    inverse = 1 / np.maximum(np.clip(values, 0, None)[:, None] + alphas, EPS * values[-1])
    coef = np.einsum("jd,dt,da->atj", Q, Q.T @ cross, inverse)
    return _with_intercepts(coef, means, fit_intercept)


def _with_intercepts(coef: Matrix, means: Vector, fit_intercept: bool) -> Matrix:
    """Append the intercepts to coefficients (alphas, m, d)."""
    d = coef.shape[2]
    bias = means[d:] - coef @ means[:d] if fit_intercept else np.zeros(coef.shape[:2])
    return np.concatenate([coef, bias[:, :, None]], axis=2)


def _kernel(
    X: Data, Y: Matrix, w: Weights | None, fit_intercept: bool
) -> tuple[Vector, Vector, Matrix, Matrix]:
    """Return the roots of the weights, the means of (X, Y), AA' and B of the weighted rows."""
    n, d = X.shape
    weights = np.ones(n) if w is None else w
    means = np.zeros(d + Y.shape[1])
    if fit_intercept:
        means = np.concatenate([X.T @ weights, Y.T @ weights]) / weights.sum()
    root = np.sqrt(weights)
    if is_sparse(X):
        rows = X.astype(np.float64)
        moved = rows @ means[:d]
        kernel = (rows @ rows.T).toarray() - moved[:, None] - moved + means[:d] @ means[:d]
    else:
        centred = X - means[:d]
        kernel = blas.product(centred, centred.T)
    B = (Y - means[d:]) * root[:, None]
    return root, means, kernel * np.outer(root, root), B


def _adjoint(X: Data, means: Vector, root: Vector, dual: Matrix) -> Matrix:
    """Return A' dual for A = diag(root) (X - means)."""
    scaled = dual * root[:, None]
    product: Matrix = X.T @ scaled - np.outer(means, scaled.sum(axis=0))
    return product
