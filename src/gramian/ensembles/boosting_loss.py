"""The losses of gradient boosting: start, slopes, value and link.

A score z is moved by trees; the prediction is its inverse link. The slopes are native;
cpp/core/boost_loss.hpp states their formulas.
"""
# ruff: noqa: D102 - the methods are documented in the abstract class

from abc import ABC, abstractmethod
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logsumexp, softmax

from gramian import _native
from gramian.base.gate import Weights

Floats: TypeAlias = npt.NDArray[np.float64]
Slopes: TypeAlias = npt.NDArray[np.float32]


class BoostingLoss(ABC):
    """What boosting asks of a loss; scores have shape (n_scores, n)."""

    name: ClassVar[str]
    # The curvature is 1 for every row (before weights).
    unit_curvature: ClassVar[bool] = False
    # The prediction is link(link_scale * z); `mean` says the same in NumPy.
    link: Literal["identity", "logistic", "softmax", "exp"] = "identity"
    link_scale: ClassVar[float] = 1.0
    # The curvature may fall by a factor e per unit of score, so that long Newton steps overshoot.
    falling_curvature: ClassVar[bool] = False
    # The loss of (c y, c z) is a power of c > 0 times that of (y, z): units of y do not matter.
    homogeneous: ClassVar[bool] = False

    def __init__(self, n_scores: int = 1) -> None:
        self.n_scores = n_scores

    @abstractmethod
    def start(self, y: Floats, weights: Weights | None) -> Floats:
        """Return the best constant scores, of shape (n_scores,)."""

    @abstractmethod
    def value(self, y: Floats, z: Floats) -> Floats:
        """Return the loss of each row."""

    def mean(self, z: Floats) -> Floats:
        """Return the prediction that scores stand for, of shape (n_scores, n)."""
        return z

    def slopes(
        self,
        y: Floats,
        weights: Weights | None,
        z: Floats,
        out: Slopes,
        out_curvature: Slopes | None,
    ) -> None:
        """Write first and second derivatives, times the weights."""
        _native.boost_gradients(self.name, self.level, y, weights, z, out, out_curvature)

    @property
    def level(self) -> float:
        """The quantile that is sought, where one is."""
        return 0.5

    @property
    def leaf_quantile(self) -> float | None:
        """The quantile of a leaf's residuals that is its value; None: the Newton step is."""
        return None

    def problem_with(self, y: Floats) -> str:
        """Say which targets the loss takes if y has others; empty where all is well."""
        return ""


class Squared(BoostingLoss):
    """(z - y)^2 / 2."""

    name = "squared"
    unit_curvature = homogeneous = True

    def start(self, y: Floats, weights: Weights | None) -> Floats:
        return np.array([np.average(y, weights=weights)])

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(0.5 * (z[0] - y) ** 2)


class Quantile(BoostingLoss):
    """q (y - z) above z, (1 - q) (z - y) below: its minimum is the q-quantile."""

    name = "quantile"
    unit_curvature = homogeneous = True

    def __init__(self, q: float) -> None:
        super().__init__()
        self.q = q

    @property
    def level(self) -> float:
        return self.q

    @property
    def leaf_quantile(self) -> float:
        return self.q

    def start(self, y: Floats, weights: Weights | None) -> Floats:
        return np.array([weighted_quantile(y, weights, self.q)])

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(np.where(z[0] >= y, (1 - self.q) * (z[0] - y), self.q * (y - z[0])))


class Absolute(Quantile):
    """|y - z|: its minimum is the median."""

    name = "absolute"

    def __init__(self) -> None:
        super().__init__(0.5)

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(np.abs(z[0] - y))


class LogLink(BoostingLoss):
    """A loss of positive predictions e^z."""

    link = "exp"
    falling_curvature = True

    def start(self, y: Floats, weights: Weights | None) -> Floats:
        mean = float(np.average(y, weights=weights))
        return np.asarray(np.log([max(mean, np.finfo(float).tiny)]))

    def mean(self, z: Floats) -> Floats:
        return np.asarray(np.exp(z))


class Poisson(LogLink):
    """Half the Poisson deviance without its constant: e^z - y z."""

    name = "poisson"

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(np.exp(z[0]) - y * z[0])

    def problem_with(self, y: Floats) -> str:
        ok = y.min() >= 0 and y.sum() > 0
        return "" if ok else "loss='poisson' requires y >= 0 and not all of it 0"


class Gamma(LogLink):
    """Half the gamma deviance without its constant: z + y e^-z."""

    name = "gamma"

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(z[0] + y * np.exp(-z[0]))

    def problem_with(self, y: Floats) -> str:
        return "" if y.min() > 0 else "loss='gamma' requires y > 0"


class Logistic(BoostingLoss):
    """log(1 + e^z) - y z, y = 0 or 1."""

    name = "logistic"
    link = "logistic"
    falling_curvature = True

    def start(self, y: Floats, weights: Weights | None) -> Floats:
        return np.array([_log_odds(y, weights)])

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(np.logaddexp(0, z[0]) - y * z[0])

    def mean(self, z: Floats) -> Floats:
        return np.asarray(expit(z))


class Exponential(BoostingLoss):
    """y e^-z + (1 - y) e^z, y = 0 or 1: AdaBoost's loss; z is half the log odds."""

    name = "exponential"
    link = "logistic"
    link_scale = 2.0
    falling_curvature = True

    def start(self, y: Floats, weights: Weights | None) -> Floats:
        return np.array([0.5 * _log_odds(y, weights)])

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(np.exp(np.where(y > 0, -z[0], z[0])))

    def mean(self, z: Floats) -> Floats:
        return np.asarray(expit(2 * z))


class Softmax(BoostingLoss):
    """log sum_k e^z_k - z_y, y = 0 .. K - 1."""

    name = "softmax"
    link = "softmax"
    falling_curvature = True

    def start(self, y: Floats, weights: Weights | None) -> Floats:
        share = np.bincount(y.astype(np.intp), weights=weights, minlength=self.n_scores)
        logs = np.log(np.maximum(share / share.sum(), np.finfo(float).eps))
        return np.asarray(logs - logs.mean())

    def value(self, y: Floats, z: Floats) -> Floats:
        return np.asarray(logsumexp(z, axis=0) - z[y.astype(np.intp), np.arange(len(y))])

    def mean(self, z: Floats) -> Floats:
        return np.asarray(softmax(z, axis=0))


def careful_step(x: Floats) -> Floats:
    """Return Newton steps, those beyond 2 grown as a logarithm (see boost_tree.hpp)."""
    size = np.abs(x)
    return np.where(size <= 2, x, np.sign(x) * (2 + np.log1p(np.maximum(size - 2, 0))))


def _log_odds(y: Floats, weights: Weights | None) -> float:
    p = float(np.average(y, weights=weights))
    eps = np.finfo(float).eps
    p = min(max(p, eps), 1 - eps)
    return float(np.log(p / (1 - p)))


def weighted_quantile(y: Floats, weights: Weights | None, q: float) -> float:
    """Return the q-quantile, half-way between two values where q falls between them."""
    order = np.argsort(y, kind="stable")
    up_to = np.cumsum(np.ones(len(y)) if weights is None else weights[order])
    level, tolerance = q * up_to[-1], 1e-12 * up_to[-1]
    at = int(np.searchsorted(up_to, level - tolerance))
    at = min(at, len(y) - 1)
    value = float(y[order[at]])
    if up_to[at] <= level + tolerance and at + 1 < len(y):
        value = 0.5 * (value + float(y[order[at + 1]]))
    return value


def deviance(loss: BoostingLoss, y: Floats, z: Floats, weights: Weights | None) -> float:
    """Return the weighted mean loss."""
    return float(np.average(loss.value(y, z), weights=weights))
