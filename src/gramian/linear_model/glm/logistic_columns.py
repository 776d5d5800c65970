"""Logistic models of many columns of 0 and 1, fitted in step to one sparse table.

For column l, with p_il = s(x_i . w_l + b_l), Newton's method solves

    (X' D_l X + I / C) s_l = -gradient_l,    D_l = diag(omega_i p_il (1 - p_il)),

by conjugate gradients that stop early. The columns of a block take their steps together, so that
one product with X serves all of them and its indices are read once. The bias is eliminated from the
system (its Schur complement), which frequent columns of X would make ill-conditioned; the length of
a step and the bias are then minimised together, two unknowns per column and no product with X.
Steps are taken in single precision until the gradient is small; then it is checked, and where
needed made smaller, in double.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian.base.runtime.threads import get_num_threads, one_blas_thread
from gramian.base.types import CSR, Data, Floats, Matrix, Table, Weights, is_sparse
from gramian.linear_model.glm.solver_choice import AUTOMATIC, SPARSE
from gramian.objectives.entropy import logistic_losses

_TOGETHER = 4  # columns from which models take their steps together
_BLOCK = 40  # columns that are fitted in step
_CELLS = 1 << 22  # of a block, rows x columns, if that is more than 8 columns
_EARLY = 0.5  # conjugate gradients stop at this part of the gradient
_SINGLE = 1e-4  # single precision stops at this part of the first gradient
_LARGEST = 1e6  # absolute value in X up to which single precision is used
_PROGRESS = 0.25  # a search ends when less than this part of its decrease is still to be had,
_TRIES = 3  # or after so many points, if one was better

Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


class _Found(NamedTuple):
    """The state of each column."""

    W: Matrix  # (d, columns)
    b: Matrix  # (columns,)
    norms: Matrix  # of the gradient
    first: Matrix  # the same at the start
    value: Floats
    steps: npt.NDArray[np.int32]


def fit_each_column(
    model: Any, X: Table, Y: npt.NDArray[Any], sample_weight: npt.ArrayLike | None
) -> list[Any]:
    """Return a fitted copy of a logistic regression for each column of Y."""
    if Y.shape[1] >= _TOGETHER and _has_codes(Y) and can_fit_columns(model, X):
        weights = None if sample_weight is None else np.asarray(sample_weight)
        return fit_logistic_columns(model, X, Y, weights)
    with one_blas_thread(), ThreadPoolExecutor(get_num_threads()) as pool:
        return list(pool.map(lambda y: clone(model).fit(X, y, sample_weight), Y.T))


def _has_codes(Y: npt.NDArray[Any]) -> bool:
    """Whether every column holds 0s and 1s, and both of them."""
    two = Y.dtype.kind in "biu" and bool((Y.min(axis=0) == 0).all() and (Y.max(axis=0) == 1).all())
    return two and len(Y) > 0


def can_fit_columns(model: Any, table: Data) -> bool:
    """Return whether `fit_logistic_columns` finds what `model.fit` would."""
    watched = hasattr(model, "_skl_callbacks") or hasattr(model, "_parent_callback_ctx")
    return bool(
        is_sparse(table)
        and table.shape[1] > SPARSE
        and model.solver in AUTOMATIC
        and np.isfinite(model.C)
        and model.l1_ratio == 0
        and model.class_weight is None
        and not watched
    )


def fit_logistic_columns(
    model: Any, table: Data, Y: npt.NDArray[Any], weights: Weights | None = None
) -> list[Any]:
    """Return a fitted copy of `model` for each column of Y, each with 0s and 1s.

    A column whose gradient does not reach the tolerance, because of rounding or of `max_iter`, is
    fitted by itself.
    """
    n = table.shape[0]
    omega = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    block = max(8, min(_BLOCK, _CELLS // n))
    parts = [Y[:, at : at + block] for at in range(0, Y.shape[1], block)]
    X = table.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        machines = [_Columns(X, omega, 1 / model.C, model.fit_intercept)]
        if np.abs(X.data).max(initial=0.0) <= _LARGEST:
            single = table.astype(np.float32, copy=False)
            machines.insert(0, _Columns(single, omega, 1 / model.C, model.fit_intercept))
    with ThreadPoolExecutor(get_num_threads()) as pool:
        found = list(pool.map(lambda part: _fit_block(model, machines, part, omega), parts))
    prior = (omega @ Y) / omega.sum()
    goal = model.tol * float(omega.sum())
    models = []
    for column, (block_found, j) in enumerate((f, j) for f in found for j in range(len(f.b))):
        if block_found.norms[j] <= goal:
            models.append(_fitted(model, table, block_found, j, prior[column]))
        else:
            models.append(clone(model).fit(table, Y[:, column], sample_weight=weights))
    return models


def _fitted(model: Any, table: Data, found: _Found, j: int, prior: float) -> Any:
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
    model: Any, machines: "list[_Columns]", Y: npt.NDArray[Any], omega: Floats
) -> _Found:
    """Fit some columns: in single precision where there is such a machine, then in double."""
    total = float(omega.sum())
    prior = (omega @ Y) / total
    b = np.log(prior / (1 - prior)) if model.fit_intercept else np.zeros(Y.shape[1])
    W = np.zeros((machines[0].X.shape[1], Y.shape[1]))
    taken = np.zeros(Y.shape[1], dtype=np.int32)
    with np.errstate(all="ignore"):
        for machine in machines:
            part = _SINGLE if machine.dtype == np.float32 else 0.0
            found = machine.minimise(Y, W, b, model.tol * total, part, model.max_iter)
            if np.isfinite(found.norms).all():
                W, b, taken = found.W.astype(float), found.b.astype(float), taken + found.steps
    return found._replace(steps=taken)


class _Columns:
    """Newton's method for several columns in the precision of X."""

    def __init__(self, X: Data, omega: Floats, strength: float, intercept: bool) -> None:
        self.X, self.T = X, X.T
        self.dtype = X.dtype
        self.omega = omega.astype(X.dtype)[:, None]
        self.strength = X.dtype.type(strength)
        self.intercept = intercept
        share = omega / omega.sum()
        rows: CSR = X
        mean, square = share @ X, share @ rows.power(2)
        self.spread = (square - mean**2 if intercept else square).astype(X.dtype)[:, None]

    def minimise(
        self, Y: npt.NDArray[Any], W: Matrix, b: Matrix, goal: float, part: float, most: int
    ) -> _Found:
        """Take steps until each gradient is at most the goal, or a part of the first."""
        Y, W, b = (each.astype(self.dtype) for each in (Y, W, b))
        norms, first, value = np.zeros((3, len(b)))
        found = _Found(W.copy(), b.copy(), norms, first, value, np.zeros(len(b), np.int32))
        Z = self.X @ W + b
        live = np.arange(len(b))
        for step in range(most + 1):
            P, losses = self._evaluate(Z, Y)
            R = self.omega * (P - Y)
            G, bias = self.T @ R + self.strength * W, R.sum(axis=0) * self.intercept
            norms, value = np.sqrt(_dots(G, G) + bias**2), losses + self._penalty(_dots(W, W))
            if step == 0:
                found.first[:] = norms
                goals = np.maximum(goal, part * norms)
                gained = np.ones(len(b), dtype=bool)
            else:
                fell = found.value[live] - value > self._rounding(value)
                gained = fell | (norms < 0.9 * found.norms[live])
            found.W[:, live], found.b[live], found.norms[live] = W, b, norms
            found.value[live], found.steps[live] = value, step
            on = gained & (norms > goals[live])
            if step == most or not on.any():
                break
            live, value = live[on], value[on]
            Z, Y, W, b, G, P, bias = (_some(on, each) for each in (Z, Y, W, b, G, P, bias))
            D = self.omega * P * (1 - P)
            S, shift, ahead = self._direction(G, bias, D, goal)
            along = (_dots(W, W), _dots(W, S), _dots(S, S))
            length, extra, Z = self._search(Z, ahead, Y, value, along)
            W, b = W + length * S, b + length * shift + extra
        return found

    def _evaluate(self, Z: Matrix, Y: Matrix) -> tuple[Matrix, Floats]:
        """Return the probabilities, and the logistic losses summed over rows."""
        P, losses = logistic_losses(Y, Z)
        return P, (self.omega * losses).sum(axis=0, dtype=float)

    def _penalty(self, squares: Any) -> Floats:
        return np.asarray(0.5 * float(self.strength) * squares, dtype=float)

    def _rounding(self, value: Floats) -> Floats:
        """Return a difference of values that may be due to rounding."""
        return 4 * float(np.finfo(self.dtype).eps) * value

    def _direction(
        self, G: Matrix, bias: Matrix, D: Matrix, goal: float
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Return Newton's step for the weights and the biases, and by how much scores change."""
        total = np.maximum(D.sum(axis=0), np.finfo(self.dtype).tiny)
        mean = (self.T @ D) / total if self.intercept else np.zeros_like(G)
        scale = self.strength + total * self.spread
        S, ahead = np.zeros_like(G), np.zeros_like(D)
        r = mean * bias - G
        z = r / scale
        V, rz = z, _dots(r, z)
        goals = np.maximum(_EARLY * np.sqrt(_dots(r, r)), 0.3 * goal)
        for _ in range(len(G)):
            Q = self.X @ V - _dots(mean, V)
            H = self.T @ (D * Q) + self.strength * V
            a = _ratio(rz, _dots(V, H))
            S, ahead, r = S + a * V, ahead + a * Q, r - a * H
            if (np.sqrt(_dots(r, r)) <= goals).all() or not a.any():
                break
            z = r / scale
            before, rz = rz, _dots(r, z)
            V = z + _ratio(rz, before) * V
        least = bias / total
        return S, -least - _dots(mean, S), ahead - least

    def _search(
        self, Z: Matrix, ahead: Matrix, Y: Matrix, value: Floats, along: tuple[Matrix, ...]
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Minimise over the length of the step and the bias; return both, and the scores there."""
        ww, ws, ss = along
        t, c = np.zeros((2, len(value)), dtype=self.dtype)
        dt, dc = np.ones_like(t), np.zeros_like(c)
        rounding = self._rounding(value)
        best = value + rounding
        for trial in range(1, 12):
            tried, bias = t + dt, c + dc
            there = Z + tried * ahead + bias
            P, losses = self._evaluate(there, Y)
            cost = losses + self._penalty(ww + 2 * tried * ws + tried**2 * ss)
            better = cost < best
            best, t, c = (np.where(better, *pair) for pair in ((cost, best), (tried, t), (bias, c)))
            R, D = self.omega * (P - Y), self.omega * P * (1 - P)
            slope = _dots(R, ahead) + self.strength * (ws + tried * ss)
            DA = D * ahead
            steeper, both = _dots(DA, ahead) + self.strength * ss, DA.sum(axis=0)
            pull, bend = (R.sum(axis=0), D.sum(axis=0)) if self.intercept else (0 * c, 0 * c + 1)
            both = both * self.intercept
            det = steeper * bend - both**2
            far = det > 1e-6 * steeper * bend
            next_t = -np.where(far, _ratio(bend * slope - both * pull, det), _ratio(slope, steeper))
            next_c = -np.where(far, _ratio(steeper * pull - both * slope, det), 0)
            left = -(slope * next_t + pull * next_c) / 2
            done = better & (left <= np.maximum(_PROGRESS * (value - best), rounding))
            if done.all() or (trial >= _TRIES and (t > 0).all()):
                break
            dt = np.where(better, next_t * ~done, dt / 4).astype(self.dtype)
            dc = np.where(better, next_c * ~done, dc / 4).astype(self.dtype)
        return t, c, Z + t * ahead + c


def _dots(A: Matrix, B: Matrix) -> Matrix:
    """Return the inner products of the columns."""
    return np.asarray(np.einsum("ij,ij->j", A, B))


def _ratio(a: Matrix, b: Matrix) -> Matrix:
    """Return a / b, 0 where b is not positive."""
    return np.divide(a, b, out=np.zeros_like(b), where=b > 0)


def _some(on: Flags, values: Matrix) -> Matrix:
    """Return some columns, rows still side by side in memory."""
    return values.compress(on, axis=-1)
