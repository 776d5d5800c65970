"""Softmax with a reference class: its weights are 0, and the others are relative to it.

    log p_k / p_K = w_k . x + b_k,    p_K = 1 / (1 + sum_k exp(w_k . x + b_k))

(Alpaydin 2014, 10.7.2.) Without a penalty this is softmax without its redundant parameters; with
one, the result depends on the reference class, whose weights are not penalised.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.passes import Passes


class ReferenceProblem(LinearProblem):
    """A softmax problem in which the weights of one class are 0.

    The unknowns are the weights of the other classes, in their order.
    """

    def __init__(self, *args: Any, reference: int, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.shape = (self.shape[0], self.shape[1] - 1)
        self.size = self.shape[0] * self.shape[1]
        self._passes = _ReferencePasses(self._passes, reference)


class _ReferencePasses:
    """Passes over all classes: inserts the reference class before and removes it after."""

    def __init__(self, inner: Passes, reference: int) -> None:
        self.inner = inner
        self.reference = reference

    def _all(self, w: Floats) -> Floats:
        return np.ascontiguousarray(np.insert(w, self.reference, 0.0, axis=1))

    def _others(self, g: Floats) -> Floats:
        return np.delete(g, self.reference, axis=1)

    def value(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> float:
        return self.inner.value(y, omega, self._all(w))

    def gradient(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> tuple[float, Floats]:
        J, g = self.inner.gradient(y, omega, self._all(w))
        return J, self._others(g)

    def hessian(self, y: npt.ArrayLike, omega: Floats, w: Floats) -> tuple[float, Floats, Floats]:
        J, g, H = self.inner.hessian(y, omega, self._all(w))
        m, K = g.shape
        blocks = np.delete(H.reshape(m, K, m, K), self.reference, axis=1)
        blocks = np.delete(blocks, self.reference, axis=3)
        return J, self._others(g), blocks.reshape(w.size, w.size)

    def hessian_product(self, y: npt.ArrayLike, omega: Floats, w: Floats, v: Floats) -> Floats:
        product = self.inner.hessian_product(y, omega, self._all(w), self._all(v.reshape(w.shape)))
        return self._others(product)
