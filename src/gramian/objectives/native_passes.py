"""Passes over the rows of a linear problem: by the compiled core if possible, else by NumPy.

The core reads X once for value, gradient and Hessian. `passes` is the only place that chooses.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import softmax

from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, is_sparse
from gramian.objectives.entropy import Logistic, Softmax
from gramian.objectives.log_link import Poisson
from gramian.objectives.loss import Loss
from gramian.objectives.margin import SquaredHinge
from gramian.objectives.passes import NumPyPasses, Passes
from gramian.objectives.regression import SquaredError
from gramian.objectives.sigmoid_loss import SigmoidLoss

_OUTER_VALUES = 1 << 21  # numbers in a block of outer products, 16 MB
_WIDE = 2000  # columns above which products with sparse rows use their transpose too


def passes(loss: Loss, X: Data, intercept: bool) -> Passes:
    """Return the passes over the rows of X for this loss."""
    policy = policy_of(loss) if is_native(X) else None
    if policy is None:
        return NumPyPasses(loss, X, intercept)
    if policy == "softmax":
        return NativeSoftmaxPasses(X, intercept)
    return NativePasses(loss, X, intercept, policy)


def single_passes(loss: Loss, X: Data, intercept: bool) -> Passes | None:
    """Return passes in single precision, None if they are not available or not faster."""
    if policy_of(loss) != "softmax" or not is_native(X) or is_sparse(X):
        return None
    return NativeSoftmaxPasses(X, intercept, single=True)


def policy_of(loss: Loss) -> str | None:
    """Return the native policy that computes exactly this loss, or None.

    A subclass may be another loss, so the type must match exactly.
    """
    if type(loss) is SigmoidLoss:
        return "squared_sigmoid" if policy_of(loss.loss) == "squared" else None
    if type(loss) is SquaredError:
        return "squared"
    named: dict[type[Loss], str] = {
        Logistic: "logistic",
        Poisson: "poisson",
        Softmax: "softmax",
        SquaredHinge: "squared_hinge",
    }
    return named.get(type(loss))


def is_native(X: Data) -> bool:
    """Return whether the core can read X without a copy."""
    if X.dtype not in (np.float32, np.float64):
        return False
    if is_sparse(X):
        return bool(X.format == "csr" and X.indices.dtype == X.indptr.dtype)
    return bool(X.flags.c_contiguous)


class NativePasses(NumPyPasses):
    """Passes for one output; NumPy handles several outputs of an elementwise loss."""

    def __init__(self, loss: Loss, X: Data, intercept: bool, policy: str) -> None:
        super().__init__(loss, X, intercept)
        self.policy = policy
        self._curvature: Floats = np.empty(0)  # omega L'' at the point of the last Hessian product,
        self._point: Floats = np.empty(0)  # which is kept here
        self._transpose: Data | None = None

    def value(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> float:
        """Return the value."""
        return self.gradient(y, omega, w)[0]

    def gradient(self, y: Any, omega: Floats, w: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        if w.ndim > 1:
            return super().gradient(y, omega, w)
        g = np.empty_like(w)
        return _call("loss_gradient", self.X, (self.policy,), y, omega, w, g), g

    def hessian(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and Hessian; the core's is a sum of squares, so h >= 0."""
        if w.ndim > 1 or not self.loss.convex:
            return super().hessian(y, omega, w)
        g, H = np.empty_like(w), np.empty((len(w), len(w)))
        return _call("loss_newton", self.X, (self.policy,), y, omega, w, g, H), g, H

    def hessian_product(self, y: Any, omega: Floats, w: Floats, v: Floats) -> Floats:
        """Return the Hessian times v: the gradient at v of the squared loss with weights L''."""
        if w.ndim > 1:
            return super().hessian_product(y, omega, w, v)
        product = np.empty_like(w)
        if not np.array_equal(w, self._point):
            self._curvature, self._point = np.empty(len(y)), w.copy()
            _call("loss_gradient", self.X, (self.policy,), y, omega, w, product, self._curvature)
        if is_sparse(self.X) and self.X.shape[1] > _WIDE:
            return self._wide_product(v)
        zeros = np.zeros(len(y))
        _call("loss_gradient", self.X, ("squared",), zeros, self._curvature, v, product)
        return product

    def _wide_product(self, v: Floats) -> Floats:
        """Return X' (h o X v) from X and its transpose, both read by rows.

        With many columns every thread's own sum of rows would be longer than the rows themselves.
        """
        if self._transpose is None:
            self._transpose = sp.csr_array(self.X.T)
        along, d = np.empty(self.X.shape[0]), self.X.shape[1]
        _call_margins(self.X, v, along)
        along *= self._curvature
        product = np.empty_like(v)
        _call_margins(self._transpose, along, product[:d])
        if self.intercept:
            product[d] = along.sum()
        return product


class NativeSoftmaxPasses:
    """Passes for the softmax of K outputs; w has shape (d [+ 1], K).

    `single`: value and gradient in single precision, accurate to about six digits; dense X only.
    """

    def __init__(self, X: Data, intercept: bool, *, single: bool = False) -> None:
        self.X = X
        self.intercept = intercept
        self._gradient_pass = "softmax_gradient_single" if single else "softmax_gradient"

    def value(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> float:
        """Return the value."""
        return self.gradient(y, omega, w)[0]

    def gradient(self, y: Any, omega: Floats, w: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        g = np.empty_like(w)
        codes = y.astype(np.int32, copy=False) if y.ndim == 1 else None
        probabilities = None if y.ndim == 1 else y
        return _call(self._gradient_pass, self.X, (), codes, probabilities, omega, w, g), g

    def _probabilities(self, w: Floats) -> Floats:
        d = self.X.shape[1]
        z = self.X @ w[:d] + (w[d] if self.intercept else 0.0)
        return np.asarray(softmax(z, axis=1))

    def hessian(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and Hessian.

            H = sum_i omega_i x_i x_i' (x) (diag(p_i) - p_i p_i')

        The second part is the Gram matrix of the rows sqrt(omega_i) x_i (x) p_i.
        """
        J, g = self.gradient(y, omega, w)
        P = self._probabilities(w)
        m, K = w.shape
        H = np.zeros((m * K, m * K))
        rows = max(1, _OUTER_VALUES // (m * K))
        for first in range(0, len(P), rows):
            part = slice(first, first + rows)
            X = self.X[part].toarray() if is_sparse(self.X) else self.X[part]
            X = np.c_[X, np.ones(len(X))] if self.intercept else X
            outer = (X[:, :, None] * P[part, None, :]).reshape(len(X), m * K)
            H -= _gram(outer, omega[part], intercept=False)
        blocks = H.reshape(m, K, m, K)
        for k in range(K):
            blocks[:, k, :, k] += _gram(self.X, omega * P[:, k], self.intercept)
        return J, g, H

    def hessian_product(self, y: Any, omega: Floats, w: Floats, v: Floats) -> Floats:
        """Return the Hessian times v: X' of omega (p o q - p (p . q)), q = X v."""
        P, v = self._probabilities(w), v.reshape(w.shape)
        d = self.X.shape[1]
        q = self.X @ v[:d] + (v[d] if self.intercept else 0.0)
        along = omega[:, None] * P * (q - (P * q).sum(axis=1, keepdims=True))
        product = np.asarray(self.X.T @ along)
        return np.concatenate([product, along.sum(axis=0)[None]]) if self.intercept else product


def _gram(X: Data, omega: Floats, intercept: bool) -> Floats:
    """Return sum_i omega_i (x_i, 1) (x_i, 1)'."""
    m = X.shape[1] + intercept
    H = np.empty((m, m))
    zeros = np.zeros(X.shape[0])
    _call("loss_newton", X, ("squared",), zeros, omega, np.zeros(m), np.empty(m), H)
    return H


def _call_margins(X: Data, w: Floats, z: Floats) -> None:
    _native.margins(native_table(X), w, z)


def _call(name: str, X: Data, before: tuple[Any, ...], *rest: Any) -> float:
    """Call the pass of this name."""
    return float(getattr(_native, name)(*before, native_table(X), *rest))
