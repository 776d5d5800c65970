"""Logistic models of many columns of 0s and 1s, fitted together to one sparse table.

For column l, with p_il = s(x_i . w_l + b_l), Newton's method solves

    (X' D_l X + I / C) s_l = -gradient_l,    D_l = diag(omega_i p_il (1 - p_il)),

by conjugate gradients that stop early. The columns of a block take their steps together, so that
one product with X is shared by all, and its indices are read once. The bias is eliminated from the
system (its Schur complement), because frequent columns of X would make the system ill-conditioned.
The cost is then minimised over the step length and the bias: two unknowns per column, and no
product with X. Steps use single precision until the gradient is small; further steps, if needed,
use double.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import clone

from gramian.base.runtime.threads import get_num_threads, one_blas_thread
from gramian.base.types import Data, Floats, Mask, Matrix, Table, Weights, is_sparse
from gramian.linear_model.glm.solver_choice import AUTO_SOLVERS, MAX_SPARSE_GRAM_COLUMNS
from gramian.objectives.entropy import logistic_losses

if TYPE_CHECKING:
    from gramian.linear_model.glm.logistic_regression import LogisticRegression

_MIN_COLUMNS = 4  # columns from which the models are fitted together
_BLOCK_COLUMNS = 40  # columns of a block, which are fitted together
_BLOCK_ENTRIES = 1 << 22  # maximum rows x columns of a block of more than 8 columns
_CG_TOL = 0.5  # conjugate gradients stop at this fraction of the gradient
_SINGLE_TOL = 1e-4  # single precision stops at this fraction of the first gradient
_MAX_SINGLE_VALUE = 1e6  # largest absolute value in X for single precision
_SEARCH_TOL = 0.25  # a search ends when the expected further decrease is below this fraction,
_SEARCH_TRIALS = 3  # or after this many points, if one was better

Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


class _ColumnStates(NamedTuple):
    """The state of each column."""

    W: Matrix  # (d, columns)
    b: Matrix  # (columns,)
    norms: Matrix  # of the gradients
    first: Matrix  # norms at the start
    value: Floats
    steps: npt.NDArray[np.int32]


def fit_each_column(
    model: "LogisticRegression", X: Table, Y: npt.NDArray[Any], sample_weight: npt.ArrayLike | None
) -> "list[LogisticRegression]":
    """Return a fitted copy of a logistic regression for each column of Y."""
    if Y.shape[1] >= _MIN_COLUMNS and _is_binary(Y) and can_fit_columns(model, X):
        weights = None if sample_weight is None else np.asarray(sample_weight)
        return fit_logistic_columns(model, X, Y, weights)
    with one_blas_thread(), ThreadPoolExecutor(get_num_threads()) as pool:
        return list(pool.map(lambda y: clone(model).fit(X, y, sample_weight), Y.T))


def _is_binary(Y: npt.NDArray[Any]) -> bool:
    """Return whether every column contains both 0 and 1, and no other value."""
    two = Y.dtype.kind in "biu" and bool((Y.min(axis=0) == 0).all() and (Y.max(axis=0) == 1).all())
    return two and len(Y) > 0


def can_fit_columns(model: "LogisticRegression", table: Data) -> bool:
    """Return whether `fit_logistic_columns` gives the same models as `model.fit`."""
    watched = hasattr(model, "_skl_callbacks") or hasattr(model, "_parent_callback_ctx")
    return bool(
        is_sparse(table)
        and table.shape[1] > MAX_SPARSE_GRAM_COLUMNS
        and model.solver in AUTO_SOLVERS
        and np.isfinite(model.C)
        and model.l1_ratio == 0
        and model.class_weight is None
        and not watched
    )


def fit_logistic_columns(
    model: "LogisticRegression", table: Data, Y: npt.NDArray[Any], weights: Weights | None = None
) -> "list[LogisticRegression]":
    """Return a fitted copy of `model` for each column of Y, each with 0s and 1s.

    A column whose gradient does not reach the tolerance, because of rounding or `max_iter`, is
    fitted separately.
    """
    n = table.shape[0]
    omega = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    block = max(8, min(_BLOCK_COLUMNS, _BLOCK_ENTRIES // n))
    parts = [Y[:, at : at + block] for at in range(0, Y.shape[1], block)]
    X = table.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        solvers = [_ColumnNewton(X, omega, 1 / model.C, model.fit_intercept)]
        if np.abs(X.data).max(initial=0.0) <= _MAX_SINGLE_VALUE:
            single = table.astype(np.float32, copy=False)
            solvers.insert(0, _ColumnNewton(single, omega, 1 / model.C, model.fit_intercept))
    with ThreadPoolExecutor(get_num_threads()) as pool:
        found = list(pool.map(lambda part: _fit_block(model, solvers, part, omega), parts))
    prior: Floats = (omega @ Y) / omega.sum()
    goal: float = model.tol * float(omega.sum())
    models = []
    for column, (block_found, j) in enumerate((f, j) for f in found for j in range(len(f.b))):
        if block_found.norms[j] <= goal:
            models.append(_fitted(model, table, block_found, j, prior[column]))
        else:
            models.append(clone(model).fit(table, Y[:, column], sample_weight=weights))
    return models


def _fitted(
    model: "LogisticRegression", table: Data, found: _ColumnStates, j: int, prior: float
) -> "LogisticRegression":
    """Return a copy of the model with the attributes of a fit."""
    copy = clone(model)
    copy.n_features_in_ = table.shape[1]
    copy.classes_ = np.arange(2)
    copy.coef_ = np.ascontiguousarray(found.W[:, j : j + 1].T).astype(table.dtype)
    copy.intercept_ = found.b[j : j + 1].astype(table.dtype)
    copy.class_prior_ = np.array([1 - prior, prior])
    copy.objective_ = float(found.value[j])
    copy.n_iter_ = found.steps[j : j + 1].copy()
    copy.solver_, copy.separable_ = "Newton", False
    return copy


def _fit_block(
    model: "LogisticRegression", solvers: "list[_ColumnNewton]", Y: npt.NDArray[Any], omega: Floats
) -> _ColumnStates:
    """Fit the given columns in single precision if X allows it, then in double precision."""
    total = float(omega.sum())
    prior: Floats = (omega @ Y) / total
    b = np.log(prior / (1 - prior)) if model.fit_intercept else np.zeros(Y.shape[1])
    W = np.zeros((solvers[0].X.shape[1], Y.shape[1]))
    n_steps = np.zeros(Y.shape[1], dtype=np.int32)
    with np.errstate(all="ignore"):
        for solver in solvers:
            part = _SINGLE_TOL if solver.dtype == np.float32 else 0.0
            found = solver.minimise(Y, W, b, model.tol * total, part, model.max_iter)
            if np.isfinite(found.norms).all():
                W, b, n_steps = found.W.astype(float), found.b.astype(float), n_steps + found.steps
    return found._replace(steps=n_steps)


class _ColumnNewton:
    """Newton's method for several columns in the precision of X."""

    def __init__(self, X: Data, omega: Floats, strength: float, intercept: bool) -> None:
        self.X, self.T = X, X.T
        self.dtype = X.dtype
        self.omega = omega.astype(X.dtype)[:, None]
        self.strength: np.floating[Any] = X.dtype.type(strength)
        self.intercept = intercept
        normalised = omega / omega.sum()
        mean, square = normalised @ X, normalised @ sp.csr_array(X).power(2)
        self.spread: Matrix = (square - mean**2 if intercept else square).astype(X.dtype)[:, None]

    def minimise(
        self, Y: npt.NDArray[Any], W: Matrix, b: Matrix, goal: float, part: float, max_iter: int
    ) -> _ColumnStates:
        """Take steps until gradient norms are at most `goal`, or `part` times their first value."""
        Y, W, b = (each.astype(self.dtype) for each in (Y, W, b))
        norms, first, value = np.zeros((3, len(b)))
        found = _ColumnStates(W.copy(), b.copy(), norms, first, value, np.zeros(len(b), np.int32))
        Z: Matrix = self.X @ W + b
        G: Matrix
        active = np.arange(len(b))
        for step in range(max_iter + 1):
            P, losses = self._evaluate(Z, Y)
            R = self.omega * (P - Y)
            G, bias = self.T @ R + self.strength * W, R.sum(axis=0) * self.intercept
            norms, value = np.sqrt(_dots(G, G) + bias**2), losses + self._penalty(_dots(W, W))
            if step == 0:
                found.first[:] = norms
                goals = np.maximum(goal, part * norms)
                gained = np.ones(len(b), dtype=bool)
            else:
                fell = found.value[active] - value > self._rounding(value)
                gained = fell | (norms < 0.9 * found.norms[active])
            found.W[:, active], found.b[active], found.norms[active] = W, b, norms
            found.value[active], found.steps[active] = value, step
            unfinished = gained & (norms > goals[active])
            if step == max_iter or not unfinished.any():
                break
            active, value = active[unfinished], value[unfinished]
            Z, Y, W, b, G, P, bias = (
                _select(unfinished, each) for each in (Z, Y, W, b, G, P, bias)
            )
            D = self.omega * P * (1 - P)
            S, shift, score_step = self._direction(G, bias, D, goal)
            along = (_dots(W, W), _dots(W, S), _dots(S, S))
            length, extra, Z = self._search(Z, score_step, Y, value, along)
            W, b = W + length * S, b + length * shift + extra
        return found

    def _evaluate(self, Z: Matrix, Y: Matrix) -> tuple[Matrix, Floats]:
        """Return the probabilities, and the logistic losses summed over rows."""
        P, losses = logistic_losses(Y, Z)
        return P, (self.omega * losses).sum(axis=0, dtype=float)

    def _penalty(self, squares: Matrix) -> Floats:
        return np.asarray(0.5 * float(self.strength) * squares, dtype=float)

    def _rounding(self, value: Floats) -> Floats:
        """Return the largest difference of values that may be due to rounding."""
        return 4 * float(np.finfo(self.dtype).eps) * value

    def _direction(
        self, G: Matrix, bias: Matrix, D: Matrix, goal: float
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Return the Newton step of the weights and of the biases, and the change of the scores."""
        total: Matrix = np.maximum(D.sum(axis=0), np.finfo(self.dtype).tiny)
        mean = (self.T @ D) / total if self.intercept else np.zeros_like(G)
        scale: Matrix = self.strength + total * self.spread
        S, score_step = np.zeros_like(G), np.zeros_like(D)
        r = mean * bias - G
        z: Matrix = r / scale
        V, rz = z, _dots(r, z)
        goals = np.maximum(_CG_TOL * np.sqrt(_dots(r, r)), 0.3 * goal)
        for _ in range(len(G)):
            Q: Matrix = self.X @ V - _dots(mean, V)
            H: Matrix = self.T @ (D * Q) + self.strength * V
            a = _safe_ratio(rz, _dots(V, H))
            S, score_step, r = S + a * V, score_step + a * Q, r - a * H
            if (np.sqrt(_dots(r, r)) <= goals).all() or not a.any():
                break
            z = r / scale
            before, rz = rz, _dots(r, z)
            V = z + _safe_ratio(rz, before) * V
        least = bias / total
        return S, -least - _dots(mean, S), score_step - least

    def _search(
        self, Z: Matrix, score_step: Matrix, Y: Matrix, value: Floats, along: tuple[Matrix, ...]
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Minimise over the step length and the bias; return both, and the scores there."""
        ww, ws, ss = along
        t: Matrix = np.zeros(len(value), dtype=self.dtype)
        c: Matrix = np.zeros(len(value), dtype=self.dtype)
        dt: Matrix = np.ones_like(t)
        dc: Matrix = np.zeros_like(c)
        rounding = self._rounding(value)
        best = value + rounding
        for trial in range(1, 12):
            tried, bias = t + dt, c + dc
            trial_scores = Z + tried * score_step + bias
            P, losses = self._evaluate(trial_scores, Y)
            cost = losses + self._penalty(ww + 2 * tried * ws + tried**2 * ss)
            better = cost < best
            best, t, c = (np.where(better, *pair) for pair in ((cost, best), (tried, t), (bias, c)))
            R, D = self.omega * (P - Y), self.omega * P * (1 - P)
            slope: Matrix = _dots(R, score_step) + self.strength * (ws + tried * ss)
            DA = D * score_step
            curvature: Matrix = _dots(DA, score_step) + self.strength * ss
            mixed = DA.sum(axis=0)
            bias_slope, bias_curvature = 0 * c, 0 * c + 1
            if self.intercept:
                bias_slope, bias_curvature = R.sum(axis=0), D.sum(axis=0)
            mixed = mixed * self.intercept
            det = curvature * bias_curvature - mixed**2
            invertible: Mask = det > 1e-6 * curvature * bias_curvature
            joint_t = _safe_ratio(bias_curvature * slope - mixed * bias_slope, det)
            joint_c = _safe_ratio(curvature * bias_slope - mixed * slope, det)
            next_t = -np.where(invertible, joint_t, _safe_ratio(slope, curvature))
            next_c = -np.where(invertible, joint_c, 0)
            remaining: Matrix = -(slope * next_t + bias_slope * next_c) / 2
            done: Mask = better & (remaining <= np.maximum(_SEARCH_TOL * (value - best), rounding))
            if done.all() or (trial >= _SEARCH_TRIALS and (t > 0).all()):
                break
            dt = np.where(better, next_t * ~done, dt / 4).astype(self.dtype)
            dc = np.where(better, next_c * ~done, dc / 4).astype(self.dtype)
        return t, c, Z + t * score_step + c


def _dots(A: Matrix, B: Matrix) -> Matrix:
    """Return the inner products of the columns."""
    return np.asarray(np.einsum("ij,ij->j", A, B))


def _safe_ratio(a: Matrix, b: Matrix) -> Matrix:
    """Return a / b, 0 where b is not positive."""
    return np.divide(a, b, out=np.zeros_like(b), where=b > 0)


def _select(columns: Flags, values: Matrix) -> Matrix:
    """Return the selected columns, in the memory order of the rows."""
    return values.compress(columns, axis=-1)
