"""Losses of `gramian.objectives` for boosting: initial scores, gradients and a link.

Trees update the scores z of shape (n_scores, n); the prediction is their inverse link. `slopes`
computes single-precision derivatives in native code (formulas: cpp/core/boost/gradients.hpp);
`derivatives` computes double-precision ones with `gramian.objectives`.
"""
# ruff: noqa: D102 - the methods are documented in the abstract class

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gramian import _native
from gramian.base.rows.exact_sum import ExactSum
from gramian.base.types import Floats, Weights
from gramian.objectives import (
    AbsoluteError,
    Exponential,
    Gamma,
    Huber,
    Logistic,
    Loss,
    Poisson,
    Quantile,
    Softmax,
    SquaredError,
)

Slopes: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
InitialSums: TypeAlias = list[ExactSum]
Link: TypeAlias = Literal["identity", "logistic", "softmax", "exp"]
MAX_WEIGHT = 2.0**60  # upper limit of weights: derivatives are single precision


class BoostingLoss(ABC):
    """Interface of a boosting loss; classes are coded 0, 1, ..., whatever labels the loss uses."""

    n_scores: int
    # The prediction is link(link_scale * z); `mean` does the same in NumPy.
    link: Link = "identity"
    link_scale: float = 1.0
    # Whether the curvature is 1 for every row (before weights).
    unit_curvature: bool = False
    # Whether the curvature may fall by e per unit of score, so that Newton steps overshoot.
    falling_curvature: bool = False
    # Whether the loss of (c y, c z) is a power of c > 0 times that of (y, z).
    homogeneous: bool = False
    # Whether the loss of (c y, z + log c) is c > 0 times that of (y, z), plus a constant.
    log_homogeneous: bool = False
    # The quantile of its residuals that is a leaf's value; None for the Newton step.
    leaf_quantile: float | None = None
    # Whether `value` is available.
    has_value: bool = True

    @abstractmethod
    def initial_scores(self, y: Floats, weights: Weights | None) -> Floats:
        """Return the best constant scores, of shape (n_scores,)."""

    @abstractmethod
    def value(self, y: Floats, z: Floats) -> Floats:
        """Return the loss of each row."""

    @abstractmethod
    def mean(self, z: Floats) -> Floats:
        """Convert scores of shape (n_scores, n) to predictions."""

    @abstractmethod
    def slopes(
        self,
        y: Floats,
        weights: Weights | None,
        z: Floats,
        out: Slopes,
        out_curvature: Slopes | None,
    ) -> None:
        """Write the first and second derivatives, multiplied by the weights, to the outputs."""

    @abstractmethod
    def derivatives(self, y: Floats, z: Floats) -> tuple[Floats, Floats]:
        """Return first and second derivatives, of shape (n_scores, n), in double precision.

        At a kink the slope is the one just below it, so a residual of 0 counts as positive.
        """

    def problem_with(self, y: Floats) -> str:
        """Return the requirement that y violates; empty if y is valid."""
        return ""


@dataclass(frozen=True)
class NativeLoss(BoostingLoss):
    """A loss of `gramian.objectives` with derivatives in native code."""

    loss: Loss
    policy: str  # the name of the loss in native code
    n_scores: int = 1
    link: Link = "identity"
    link_scale: float = 1.0
    unit_curvature: bool = False
    leaf_quantile: float | None = None

    @property
    def falling_curvature(self) -> bool:  # type: ignore[override]
        return self.link != "identity"

    @property
    def homogeneous(self) -> bool:  # type: ignore[override]
        return self.link == "identity"

    @property
    def log_homogeneous(self) -> bool:  # type: ignore[override]
        return isinstance(self.loss, Poisson)

    def initial_scores(self, y: Floats, weights: Weights | None) -> Floats:
        if self.leaf_quantile is not None:
            return self.loss.best_constant(y, weights)
        return self.initial_scores_from_sums(self.initial_sums(y, weights))

    def initial_sums(self, y: Floats, weights: Weights | None) -> InitialSums:
        """Return the sums that determine the best constant, for losses without a quantile.

        For classes: the weight of each; otherwise the weight of the rows and the sum of y. The sums
        are exact, so the sums of parts of the rows add up to the sums of all rows.
        """
        if self.link in ("logistic", "softmax"):
            k = max(2, self.n_scores)
            if weights is None:
                counts = np.bincount(y.astype(np.intp), minlength=k)
                return [ExactSum(count) for count in counts.tolist()]
            return [ExactSum.of(weights[y == code]) for code in range(k)]
        if weights is None:
            return [ExactSum(len(y)), ExactSum.of(y)]
        return [ExactSum.of(weights), ExactSum.of(weights * y)]

    def initial_scores_from_sums(self, sums: InitialSums) -> Floats:
        """Return the best constant scores from the sums."""
        numbers = np.array([float(s) for s in sums])
        if self.link in ("logistic", "softmax"):
            codes = np.arange(len(numbers), dtype=float)
            return self.loss.best_constant(signed_labels(self.loss, codes), numbers)
        return self.loss.best_constant(numbers[1:] / numbers[0], None)

    def value(self, y: Floats, z: Floats) -> Floats:
        scores = z[0] if self.n_scores == 1 else z.T
        return self.loss.value(signed_labels(self.loss, y), scores)

    def mean(self, z: Floats) -> Floats:
        return self.loss.mean(z) if self.n_scores == 1 else self.loss.mean(z.T).T

    def slopes(
        self,
        y: Floats,
        weights: Weights | None,
        z: Floats,
        out: Slopes,
        out_curvature: Slopes | None,
    ) -> None:
        level = 0.5 if self.leaf_quantile is None else self.leaf_quantile
        _native.boost_gradients(self.policy, level, y, weights, z, out, out_curvature)

    def derivatives(self, y: Floats, z: Floats) -> tuple[Floats, Floats]:
        targets, scores = signed_labels(self.loss, y), z[0] if self.n_scores == 1 else z.T
        slope = self.loss.left_derivative(targets, scores).T.reshape(z.shape)
        if self.unit_curvature:
            return slope, np.ones_like(slope)
        return slope, self.loss.own_curvature(targets, scores).T.reshape(z.shape)

    def problem_with(self, y: Floats) -> str:
        if self.loss.targets == "count" and not (y.min() >= 0 and y.sum() > 0):
            return f"loss='{self.policy}' requires y >= 0, with at least one value above 0"
        if self.log_homogeneous and y.max() < 2.0**-60:  # not scaled: see units.py
            return (
                f"loss='{self.policy}' with l2_regularization requires y above 1e-18 (multiply y "
                "by a constant, and divide predictions by it)"
            )
        if self.loss.targets == "positive" and y.min() <= 0:
            return f"loss='{self.policy}' requires y > 0"
        return ""


def signed_labels(loss: Loss, y: Floats) -> Floats:
    """Convert class codes 0 and 1 to the labels -1 and 1 if the loss uses those."""
    return 2 * y - 1 if loss.targets == "sign" else y


def squared() -> NativeLoss:
    """Return the squared error."""
    return NativeLoss(SquaredError(), "squared", unit_curvature=True)


def absolute() -> NativeLoss:
    """Return the absolute error: a leaf is the median of its residuals."""
    return NativeLoss(AbsoluteError(), "absolute", unit_curvature=True, leaf_quantile=0.5)


def quantile(q: float) -> NativeLoss:
    """Return the pinball loss: a leaf is the q-quantile of its residuals."""
    return NativeLoss(Quantile(q), "quantile", unit_curvature=True, leaf_quantile=q)


def huber(delta: float) -> NativeLoss:
    """Return Huber's loss, linear for errors beyond delta."""
    return NativeLoss(Huber(delta), "huber", unit_curvature=True, leaf_quantile=0.5)


def poisson() -> NativeLoss:
    """Return half the Poisson deviance of counts."""
    return NativeLoss(Poisson(), "poisson", link="exp")


def gamma() -> NativeLoss:
    """Return half the gamma deviance of amounts."""
    return NativeLoss(Gamma(), "gamma", link="exp")


def logistic() -> NativeLoss:
    """Return the cross-entropy for two classes."""
    return NativeLoss(Logistic(), "logistic", link="logistic")


def exponential() -> NativeLoss:
    """Return AdaBoost's loss for two classes, whose score is half the log odds."""
    return NativeLoss(Exponential(), "exponential", link="logistic", link_scale=2.0)


def softmax(n_classes: int) -> NativeLoss:
    """Return the cross-entropy for several classes."""
    return NativeLoss(Softmax(), "softmax", n_classes, link="softmax")


def damped_step(x: Floats) -> Floats:
    """Return damped Newton steps, logarithmic beyond 2 (see cpp/core/boost/grower.cpp)."""
    size = np.abs(x)
    return np.where(size <= 2, x, np.sign(x) * (2 + np.log1p(np.maximum(size - 2, 0))))


def deviance(loss: BoostingLoss, y: Floats, z: Floats, weights: Weights | None) -> float:
    """Return the weighted mean loss."""
    return float(np.average(loss.value(y, z), weights=weights))
