"""Penalties r(w) on the weights.

Squared norms have the factor 1/2, like squared errors (see `gramian.objectives`). Weights have
shape (d,), or (d, K) for K outputs; a penalty is the sum over outputs. The bias is left out unless
``bias=True``; then w includes it as its last row.

``gradient`` exists where the penalty is smooth; ``subgradient`` is one element of the
subdifferential (0 at a kink); ``prox(w, t)`` is argmin_v r(v) + |v - w|^2 / (2 t).
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.objectives.inner_product import inner


class Penalty(ABC):
    """A penalty r(w)."""

    quadratic: ClassVar[bool] = False
    polyhedral: ClassVar[bool] = False  # piecewise linear, so usable in a linear program
    kink: ClassVar[str] = "where a weight is 0"
    bias: bool = False

    @property
    def smooth(self) -> bool:
        """Whether gradient and Hessian exist everywhere."""
        return False

    @property
    def convex(self) -> bool:
        """Whether it is convex."""
        return True

    @property
    def has_prox(self) -> bool:
        """Whether `prox` is known."""
        return True

    @property
    def features(self) -> int | None:
        """Number of weights (rows of w) it requires; None allows any number."""
        strength = np.asarray(getattr(self, "strength", 0.0))
        return None if strength.ndim == 0 else len(strength)

    @abstractmethod
    def value(self, w: Floats) -> float:
        """Return r(w)."""

    @abstractmethod
    def subgradient(self, w: Floats) -> Floats:
        """Return an element of the subdifferential; the gradient where there is one."""

    def prox(self, w: Floats, t: float) -> Floats:
        """Return `argmin_v r(v) + |v - w|^2 / (2 t)`."""
        raise NotImplementedError(f"{type(self).__name__} has no prox.")

    def hessian(self, w: Floats) -> Floats:
        """Return the Hessian over w in C order, shape (w.size, w.size)."""
        raise NotImplementedError(f"{type(self).__name__} has no Hessian.")

    def add_hessian(self, w: Floats, H: Floats) -> None:
        """Add the Hessian to H, whose first rows and columns are those of w."""
        H[: w.size, : w.size] += self.hessian(w)

    def lipschitz(self, w: Floats) -> float:
        """Return the largest eigenvalue of the Hessian at w."""
        return float(np.linalg.eigvalsh(self.hessian(w))[-1])

    def hessian_product(self, w: Floats, v: Floats) -> Floats:
        """Return the Hessian times v, with the shape of w."""
        return (self.hessian(w) @ v.reshape(-1)).reshape(w.shape)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({inside})"


class L2(Penalty):
    """The squared norm: `r(w) = lambda/2 |w|^2`, `1/2 sum_j lambda_j w_j^2` or `1/2 w' Lambda w`.

    The factor 1/2 is that of Bishop (2006, 3.27) and of scikit-learn's generalised linear models
    and support vector machines. The gradient is lambda w.

    Parameters
    ----------
    strength
        lambda: a number, one number per feature, or a symmetric positive semidefinite matrix.
    bias
        Whether the bias is penalised too.

    Examples
    --------
    >>> L2(0.5).value(np.array([1.0, 2.0])), L2([1.0, 0.0]).value(np.array([1.0, 2.0]))
    (1.25, 0.5)
    """

    smooth = True
    quadratic = True

    def __init__(self, strength: npt.ArrayLike = 1.0, *, bias: bool = False) -> None:
        self.strength = check_strength("L2", strength, matrix=True)
        self.bias = bias

    def _times(self, w: Floats) -> Floats:
        """Return Lambda w."""
        if self.strength.ndim == 0:
            return float(self.strength) * w
        return self.strength @ w if self.strength.ndim == 2 else _per_row(self.strength, w) * w

    def value(self, w: Floats) -> float:
        """Return 1/2 w' Lambda w."""
        if self.strength.ndim == 0:
            return 0.5 * float(self.strength) * inner(w.reshape(-1), w.reshape(-1))
        return 0.5 * float(np.sum(w * self._times(w)))

    def subgradient(self, w: Floats) -> Floats:
        """Return Lambda w, the gradient."""
        return self._times(w)

    def prox(self, w: Floats, t: float) -> Floats:
        """Return (I + t Lambda)^-1 w."""
        if self.strength.ndim == 2:
            return np.asarray(np.linalg.solve(np.eye(len(w)) + t * self.strength, w), dtype=float)
        return w / (1 + t * _per_row(self.strength, w))

    def hessian(self, w: Floats) -> Floats:
        """Return Lambda, once for every output."""
        if self.strength.ndim == 2:
            return np.asarray(np.kron(self.strength, np.eye(w.size // len(w))), dtype=float)
        return np.diag(np.broadcast_to(_per_row(self.strength, w), w.shape).reshape(-1))

    def add_hessian(self, w: Floats, H: Floats) -> None:
        """Add lambda to the diagonal, or Lambda as a matrix."""
        if self.strength.ndim == 0:
            H.flat[: w.size * len(H) : len(H) + 1] += float(self.strength)  # the diagonal
        else:
            super().add_hessian(w, H)

    def lipschitz(self, w: Floats) -> float:
        """Return the largest strength, or eigenvalue of Lambda."""
        del w
        if self.strength.ndim == 2:
            return float(np.linalg.eigvalsh(self.strength)[-1])
        return float(self.strength.max())

    def hessian_product(self, w: Floats, v: Floats) -> Floats:
        """Return Lambda v."""
        return self._times(v.reshape(w.shape))


class L1(Penalty):
    """Sum of absolute values: `r(w) = lambda |w|_1`, or `sum_j lambda_j |w_j|`; gives zeros.

    Parameters
    ----------
    strength
        lambda: a number, or one per feature.
    bias
        Whether the bias is penalised too.

    Examples
    --------
    >>> L1(0.5).prox(np.array([2.0, -0.25, -3.0]), t=1.0)        # soft threshold
    array([ 1.5, -0. , -2.5])
    """

    polyhedral = True

    def __init__(self, strength: npt.ArrayLike = 1.0, *, bias: bool = False) -> None:
        self.strength = check_strength("L1", strength)
        self.bias = bias

    def value(self, w: Floats) -> float:
        """Return `sum_j lambda_j |w_j|`."""
        return float(np.sum(_per_row(self.strength, w) * np.abs(w)))

    def subgradient(self, w: Floats) -> Floats:
        """Return lambda sign(w), 0 where w is 0."""
        return _per_row(self.strength, w) * np.sign(w)

    def prox(self, w: Floats, t: float) -> Floats:
        """Return `sign(w) max(0, |w| - t lambda)`, the soft threshold."""
        return np.sign(w) * np.maximum(0.0, np.abs(w) - t * _per_row(self.strength, w))


class ElasticNet(Penalty):
    """The elastic net: `r(w) = lambda (rho |w|_1 + (1 - rho)/2 |w|^2)`, as in scikit-learn.

    Parameters
    ----------
    strength
        lambda >= 0.
    ratio
        rho in [0, 1]: 1 is `L1`, 0 is `L2`.
    bias
        Whether the bias is penalised too.

    Examples
    --------
    >>> ElasticNet(2.0, 0.5).value(np.array([1.0, -2.0]))
    5.5
    """

    def __init__(self, strength: float = 1.0, ratio: float = 0.5, *, bias: bool = False) -> None:
        if not 0 <= ratio <= 1:
            raise ParameterError(f"ElasticNet: ratio must be a number in [0, 1]; got {ratio!r}.")
        self.strength = float(check_strength("ElasticNet", strength, scalar=True))
        self.ratio = ratio
        self.bias = bias

    def value(self, w: Floats) -> float:
        """Return `lambda (rho |w|_1 + (1 - rho)/2 |w|^2)`."""
        parts = self.ratio * np.abs(w) + (1 - self.ratio) / 2 * w**2
        return float(self.strength * np.sum(parts))

    def subgradient(self, w: Floats) -> Floats:
        """Return lambda (rho sign(w) + (1 - rho) w)."""
        return self.strength * (self.ratio * np.sign(w) + (1 - self.ratio) * w)

    def prox(self, w: Floats, t: float) -> Floats:
        """Return the soft threshold, then shrunk by 1 + t lambda (1 - rho)."""
        shrunk = np.sign(w) * np.maximum(0.0, np.abs(w) - t * self.strength * self.ratio)
        return shrunk / (1 + t * self.strength * (1 - self.ratio))


def _per_row(strength: Floats, w: Floats) -> Floats:
    """Reshape the strengths per feature to broadcast over weights of one or more outputs."""
    return strength if strength.ndim == 0 or w.ndim == 1 else strength[:, None]


def strength_of_mean(C: float, total: float) -> float:
    """Return 1 / (C total): the strength of a penalty 1 / C if the cost is divided by `total`.

    `total` is the sum of the sample weights. OverflowError means that the strength is too large for
    a float; estimators turn it into an error that names C or the weights (base/overflow.py).

    Examples
    --------
    >>> strength_of_mean(0.5, 10.0)
    0.2
    """
    strength = 1 / (C * total)
    if not np.isfinite(strength):
        raise OverflowError(f"1 / (C * total weight) overflows for C={C}, total weight {total}")
    return strength


def check_strength(
    owner: str, strength: Any, *, matrix: bool = False, scalar: bool = False
) -> Floats:
    """Return the strength as an array; raise unless its shape and values are allowed."""
    value = np.array(strength, dtype=float)
    shapes = (
        "a number" if scalar else "a number, one per feature" + (", a matrix" if matrix else "")
    )
    if value.ndim > (0 if scalar else 1 + matrix):
        raise ParameterError(f"{owner}: strength must be {shapes}; got shape {value.shape}.")
    if not np.isfinite(value).all():
        raise ParameterError(f"{owner}: strength must be finite; got {strength!r}.")
    if value.ndim == 2:
        symmetric = value.shape[0] == value.shape[1] and np.allclose(value, value.T)
        if not symmetric or np.linalg.eigvalsh(value)[0] < -1e-10 * np.abs(value).max():
            raise ParameterError(
                f"{owner}: a strength that is a matrix must be symmetric and positive "
                f"semidefinite; got shape {value.shape}."
            )
    elif (value < 0).any():
        raise ParameterError(f"{owner}: strength must be >= 0; got {value.min():g}.")
    return value
