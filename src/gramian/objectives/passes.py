"""Passes over the rows: sums of a loss and its derivatives over data.

With scores z_i = x_i . w + b and row weights omega_i:

    value      sum_i omega_i L(y_i, z_i)
    gradient   sum_i omega_i L'(y_i, z_i) (x_i, 1)
    Hessian    sum_i omega_i L''(y_i, z_i) (x_i, 1) (x_i, 1)'

`native_passes.passes` chooses the implementation; it is the only place that does.
"""

from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from gramian.base.types import Data, Floats, is_sparse
from gramian.objectives.loss import Loss


class Passes(Protocol):
    """The sums a linear problem needs; w has shape (d [+ 1],) or (d [+ 1], K)."""

    def value(self, y: Any, omega: Floats, w: Floats) -> float:
        """Return the value."""
        ...

    def gradient(self, y: Any, omega: Floats, w: Floats) -> tuple[float, Floats]:
        """Return value and gradient, the latter with the shape of w."""
        ...

    def hessian(self, y: Any, omega: Floats, w: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and Hessian, shape (w.size, w.size)."""
        ...

    def hessian_product(self, y: Any, omega: Floats, w: Floats, v: Floats) -> Floats:
        """Return the Hessian times v, with the shape of w."""
        ...


class NumPyPasses:
    """The passes in NumPy: the reference, also used for user-defined losses."""

    def __init__(self, loss: Loss, X: Data, intercept: bool) -> None:
        self.loss = loss
        self.X = X
        self.intercept = intercept

    def scores(self, w: Floats) -> Floats:
        """Return z = X w + b in float64; X keeps its own type in the product."""
        d = self.X.shape[1]
        z = np.asarray(self.X @ w[:d].astype(self.X.dtype, copy=False), dtype=float)
        return z + w[d] if self.intercept else z

    def adjoint(self, s: Floats) -> Floats:
        """Return sum_i s_i (x_i, 1), with the shape of w."""
        g = np.asarray(self.X.T @ s.astype(self.X.dtype, copy=False), dtype=float)
        return np.concatenate([g, s.sum(axis=0, keepdims=True)]) if self.intercept else g

    def value(self, y: Any, omega: Floats, w: Floats) -> float:
        """Return the value."""
        return float(omega @ _per_row(self.loss.value(y, self.scores(w))))

    def gradient(self, y: Any, omega: Floats, w: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        z = self.scores(w)
        slope = _times_rows(omega, self.loss.derivative(y, z))
        return float(omega @ _per_row(self.loss.value(y, z))), self.adjoint(slope)

    def hessian(self, y: Any, omega: Floats, w: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and Hessian."""
        J, g = self.gradient(y, omega, w)
        C = _times_rows(omega, self.loss.curvature(y, self.scores(w)))
        if w.ndim == 1:
            return J, g, self._gram(C)
        m, K = w.shape
        H = np.zeros((m, K, m, K))
        for j in range(K):
            for k in range(K):
                if C.ndim == 3:
                    H[:, j, :, k] = self._gram(C[:, j, k])
                elif j == k:
                    H[:, j, :, k] = self._gram(C[:, j])
        return J, g, H.reshape(w.size, w.size)

    def _gram(self, c: Floats) -> Floats:
        """Return sum_i c_i (x_i, 1) (x_i, 1)'."""
        X = self.X
        scaled = sp.diags_array(c) @ X if is_sparse(X) else c[:, None] * X
        inner = X.T @ scaled
        inner = inner.toarray() if is_sparse(inner) else np.asarray(inner, dtype=float)
        if not self.intercept:
            return np.asarray(inner, dtype=float)
        edge = np.asarray(X.T @ c, dtype=float)
        return np.block([[inner, edge[:, None]], [edge[None, :], np.full((1, 1), c.sum())]])

    def hessian_product(self, y: Any, omega: Floats, w: Floats, v: Floats) -> Floats:
        """Return the Hessian times v, without the Hessian."""
        q = self.scores(v.reshape(w.shape))
        C = self.loss.curvature(y, self.scores(w))
        along = np.einsum("njk,nk->nj", C, q) if C.ndim > q.ndim else C * q
        return self.adjoint(_times_rows(omega, along))


def _per_row(losses: Floats) -> Floats:
    """Add the outputs of a row: an elementwise loss of K outputs is the sum of K losses."""
    return losses.sum(axis=1) if losses.ndim == 2 else losses


def _times_rows(omega: Floats, values: Floats) -> Floats:
    return omega.reshape(-1, *[1] * (values.ndim - 1)) * values
