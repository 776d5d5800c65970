"""Penalties r(w): what large weights cost.

Each states its factor: books differ by 1/2. Weights have shape (d,), or (d, K) for K outputs; a
penalty is the sum over outputs. The bias is left out unless ``bias=True``; then w includes it as
its last row.

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
    """The cost r(w) of weights."""

    quadratic: ClassVar[bool] = False
    polyhedral: ClassVar[bool] = False  # piecewise linear: a linear program takes it
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
        """How many weights (rows of w) it is made for; None: any number."""
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
        """Return the Hessian times v, of the shape of w."""
        return (self.hessian(w) @ v.reshape(-1)).reshape(w.shape)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({inside})"


class L2(Penalty):
    """Squared length: `r(w) = lambda |w|^2`, or `sum_j lambda_j w_j^2`, or `w' Lambda w`.

    No factor 1/2, as in ridge regression; Bishop (2006, 3.27) has lambda/2. The gradient is
    2 lambda w.

    Parameters
    ----------
    strength
        lambda: a number, one number per feature, or a symmetric positive semidefinite matrix.
    bias
        Whether the bias is penalised too.

    Examples
    --------
    >>> L2(0.5).value(np.array([1.0, 2.0])), L2([1.0, 0.0]).value(np.array([1.0, 2.0]))
    (2.5, 1.0)
    """

    smooth = True
    quadratic = True

    def __init__(self, strength: npt.ArrayLike = 1.0, *, bias: bool = False) -> None:
        self.strength = _check_strength("L2", strength, matrix=True)
        self.bias = bias

    def _times(self, w: Floats) -> Floats:
        """Return Lambda w."""
        if self.strength.ndim == 0:
            return float(self.strength) * w
        return self.strength @ w if self.strength.ndim == 2 else _per_row(self.strength, w) * w

    def value(self, w: Floats) -> float:
        """Return w' Lambda w."""
        if self.strength.ndim == 0:
            return float(self.strength) * inner(w.reshape(-1), w.reshape(-1))
        return float(np.sum(w * self._times(w)))

    def subgradient(self, w: Floats) -> Floats:
        """Return 2 Lambda w, the gradient."""
        return 2 * self._times(w)

    def prox(self, w: Floats, t: float) -> Floats:
        """Return (I + 2 t Lambda)^-1 w."""
        if self.strength.ndim == 2:
            return np.asarray(
                np.linalg.solve(np.eye(len(w)) + 2 * t * self.strength, w), dtype=float
            )
        return w / (1 + 2 * t * _per_row(self.strength, w))

    def hessian(self, w: Floats) -> Floats:
        """Return 2 Lambda, once for every output."""
        if self.strength.ndim == 2:
            return np.asarray(2 * np.kron(self.strength, np.eye(w.size // len(w))), dtype=float)
        return 2 * np.diag(np.broadcast_to(_per_row(self.strength, w), w.shape).reshape(-1))

    def add_hessian(self, w: Floats, H: Floats) -> None:
        """Add 2 lambda to the diagonal, or Lambda as a matrix."""
        if self.strength.ndim == 0:
            H.flat[: w.size * len(H) : len(H) + 1] += 2 * float(self.strength)  # the diagonal
        else:
            super().add_hessian(w, H)

    def lipschitz(self, w: Floats) -> float:
        """Return twice the largest strength, or eigenvalue of Lambda."""
        del w
        if self.strength.ndim == 2:
            return 2 * float(np.linalg.eigvalsh(self.strength)[-1])
        return 2 * float(self.strength.max())

    def hessian_product(self, w: Floats, v: Floats) -> Floats:
        """Return 2 Lambda v."""
        return 2 * self._times(v.reshape(w.shape))


class L1(Penalty):
    """Sum of absolute values: `r(w) = lambda |w|_1`, or `sum_j lambda_j |w_j|`. Makes zeros.

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
        self.strength = _check_strength("L1", strength)
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
    """A mixture: `r(w) = lambda (rho |w|_1 + (1 - rho)/2 |w|^2)`, scikit-learn's convention.

    Parameters
    ----------
    strength
        lambda >= 0.
    ratio
        rho in [0, 1]: 1 is `L1`, 0 is `L2` of half the strength.
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
        self.strength = float(_check_strength("ElasticNet", strength, scalar=True))
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


class Lq(Penalty):
    """Any power: `r(w) = lambda/2 sum_j |w_j|^q`, with the factor 1/2 of Bishop (2006, 3.29).

    Convex for q >= 1, smooth for q >= 2, differentiable for q > 1. Its constrained form is
    `LqBall`: the same weights minimise the plain cost within the budget `sum_j |w_j|^q` that they
    spend.

    Parameters
    ----------
    q
        The power, > 0.
    strength
        lambda >= 0.
    bias
        Whether the bias is penalised too.

    Examples
    --------
    >>> Lq(4, strength=2.0).value(np.array([1.0, 2.0]))
    17.0
    """

    kink = "where a weight is 0 (q < 2)"

    def __init__(self, q: float, strength: float = 1.0, *, bias: bool = False) -> None:
        if not 0 < q < np.inf:
            raise ParameterError(f"Lq: q must be a finite number > 0; got {q!r}.")
        self.q = q
        self.strength = float(_check_strength("Lq", strength, scalar=True))
        self.bias = bias

    @property
    def smooth(self) -> bool:
        """Whether the Hessian exists everywhere: q >= 2."""
        return self.q >= 2

    @property
    def convex(self) -> bool:
        """Whether q >= 1."""
        return self.q >= 1

    @property
    def has_prox(self) -> bool:
        """Whether the prox is unique and found by bisection: q >= 1."""
        return self.q >= 1

    def budget(self, w: Floats) -> float:
        """Return `sum_j |w_j|^q`."""
        return float(np.sum(np.abs(w) ** self.q))

    def value(self, w: Floats) -> float:
        """Return `lambda/2 sum_j |w_j|^q`."""
        return self.strength / 2 * self.budget(w)

    def subgradient(self, w: Floats) -> Floats:
        """Return `lambda/2 q sign(w) |w|^(q-1)`, 0 where w is 0."""
        size = np.abs(w)
        power = np.where(size > 0, np.where(size > 0, size, 1.0) ** (self.q - 1), 0.0)
        return self.strength / 2 * self.q * np.sign(w) * power

    def hessian(self, w: Floats) -> Floats:
        """Return the diagonal matrix of `lambda/2 q (q - 1) |w|^(q-2)`."""
        if not self.smooth:
            return super().hessian(w)
        diagonal = self.strength / 2 * self.q * (self.q - 1) * np.abs(w) ** (self.q - 2)
        return np.diag(diagonal.reshape(-1))

    def prox(self, w: Floats, t: float) -> Floats:
        """Return the root v of `v + t lambda/2 q |v|^(q-1) = |w|`, with the sign of w."""
        if not self.has_prox:
            return super().prox(w, t)
        return _prox_power(w, self.q, t * self.strength / 2)


class LqBall(Penalty):
    """The constraint `sum_j |w_j|^q <= budget`, as a penalty: 0 inside, infinite outside.

    Its prox is the projection onto the set; proximal gradient with it is projected gradient.

    Parameters
    ----------
    q
        The power, >= 1, so that the set is convex.
    budget
        The bound, > 0.
    bias
        Whether the bias is bound too.

    Examples
    --------
    >>> LqBall(1, budget=1.0).prox(np.array([1.0, 0.5]), t=1.0).round(6)
    array([0.75, 0.25])
    """

    kink = "at the edge of its set"

    def __init__(self, q: float, budget: float, *, bias: bool = False) -> None:
        if not 1 <= q < np.inf or not budget > 0:
            raise ParameterError(
                "LqBall: q must be a finite number >= 1 and budget a number > 0; got "
                f"{q!r}, {budget!r}. For |w_j| <= c take ProjectedGradient with onto_box."
            )
        self.q = q
        self.budget = budget
        self.bias = bias

    def value(self, w: Floats) -> float:
        """Return 0 inside the set (to 1e-9 of its budget), infinity outside."""
        inside = np.sum(np.abs(w) ** self.q) <= self.budget * (1 + 1e-9)
        return 0.0 if inside else float("inf")

    def subgradient(self, w: Floats) -> Floats:
        """Return 0, the subgradient inside the set."""
        return np.zeros_like(w)

    def prox(self, w: Floats, t: float) -> Floats:
        """Return the nearest point of the set, whatever t.

        It is the prox of `c sum_j |w_j|^q` for the multiplier c that spends the budget exactly.
        """
        del t
        if np.sum(np.abs(w) ** self.q) <= self.budget:
            return w
        low, high = 0.0, 1.0
        while np.sum(np.abs(_prox_power(w, self.q, high)) ** self.q) > self.budget:
            low, high = high, 2 * high
        for _ in range(60):
            c = (low + high) / 2
            spent = np.sum(np.abs(_prox_power(w, self.q, c)) ** self.q)
            low, high = (c, high) if spent > self.budget else (low, c)
        return _prox_power(w, self.q, high)


def _prox_power(w: Floats, q: float, c: float) -> Floats:
    """Return argmin_v c |v|^q + (v - w)^2 / 2 of every entry, q >= 1."""
    size = np.abs(w)
    if q == 1:
        return np.sign(w) * np.maximum(0.0, size - c)
    if q == 2:
        return w / (1 + 2 * c)
    low, high = np.zeros_like(size), size.copy()  # v + c q v^(q-1) grows with v: bisect
    for _ in range(60):
        v = (low + high) / 2
        above = v + c * q * v ** (q - 1) > size
        low, high = np.where(above, low, v), np.where(above, v, high)
    return np.asarray(np.sign(w) * (low + high) / 2)


def _per_row(strength: Floats, w: Floats) -> Floats:
    """Shape one strength per feature so that it meets weights of one or more outputs."""
    return strength if strength.ndim == 0 or w.ndim == 1 else strength[:, None]


def _check_strength(
    owner: str, strength: Any, *, matrix: bool = False, scalar: bool = False
) -> Floats:
    value = np.array(strength, dtype=float)
    shapes = (
        "a number" if scalar else "a number, one per feature" + (", a matrix" if matrix else "")
    )
    if value.ndim > (0 if scalar else 1 + matrix) or not np.isfinite(value).all():
        raise ParameterError(f"{owner}: strength must be {shapes}; got shape {value.shape}.")
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
