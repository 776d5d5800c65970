"""Custom losses, and losses by name.

A custom loss is a function

    gradient, hessian = loss(y, z)

of targets and scores, or an object of `gramian.objectives` with derivative and curvature.
"""
# ruff: noqa: D102 - the methods are documented in the abstract class

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit, softmax

from gramian.base.errors import DataError
from gramian.base.types import Floats, Weights
from gramian.ensemble.common import boosting_loss
from gramian.ensemble.common.boosting_loss import BoostingLoss, Slopes, signed_labels
from gramian.objectives.loss import Loss


class UserLoss(BoostingLoss):
    """A custom loss: an object of `gramian.objectives`, or a function."""

    def __init__(
        self,
        loss: Callable[..., Any] | Loss,
        owner: str,
        n_scores: int = 1,
        *,
        classes: bool = False,
    ) -> None:
        self.loss = loss
        self.owner = owner
        self.n_scores = n_scores
        self.has_value = hasattr(loss, "value")
        if classes:
            self.link = "logistic" if n_scores == 1 else "softmax"

    def initial_scores(self, y: Floats, weights: Weights | None) -> Floats:
        """Find the best constant scores by at most 30 steps of Newton's method from 0."""
        z = np.zeros(self.n_scores)
        for _ in range(30):
            g, h = self._call(y, np.tile(z[:, None], (1, len(y))))
            w = 1.0 if weights is None else weights
            curvature: Floats = (h * w).sum(axis=1)
            step = -(g * w).sum(axis=1) / np.where(curvature > 0, curvature, np.inf)
            z = z + np.clip(step, -10, 10)
            if np.abs(step).max() <= 1e-10 * (1 + np.abs(z).max()):
                break
        return z

    def slopes(
        self,
        y: Floats,
        weights: Weights | None,
        z: Floats,
        out: Slopes,
        out_curvature: Slopes | None,
    ) -> None:
        assert out_curvature is not None
        g, h = self._call(y, z)
        w = 1.0 if weights is None else weights
        out[...] = g * w
        if not out.any() and g.any():
            raise DataError(
                f"{self.owner}: the gradients of the custom loss are too small for single "
                f"precision, {np.abs(g).max():.3g} at most; multiply y or the loss by a constant."
            )
        out_curvature[...] = h * w

    def derivatives(self, y: Floats, z: Floats) -> tuple[Floats, Floats]:
        return self._call(y, z)

    def value(self, y: Floats, z: Floats) -> Floats:
        scores = z if self.n_scores > 1 else z[0]
        assert isinstance(self.loss, Loss)
        return np.asarray(self.loss.value(signed_labels(self.loss, y), scores), dtype=float)

    def mean(self, z: Floats) -> Floats:
        if self.link != "identity":
            return np.asarray(expit(z) if self.link == "logistic" else softmax(z, axis=0))
        return self.loss.mean(z) if isinstance(self.loss, Loss) else z

    def _call(self, y: Floats, z: Floats) -> tuple[Floats, Floats]:
        """Call the custom loss; raise if it does not return valid derivatives."""
        scores = z if self.n_scores > 1 else z[0]
        if isinstance(self.loss, Loss):
            targets = signed_labels(self.loss, y)
            derivatives: Any = (
                self.loss.derivative(targets, scores),
                self.loss.curvature(targets, scores),
            )
        else:
            derivatives = self.loss(y, scores)
        if not isinstance(derivatives, tuple) or len(derivatives) != 2:
            raise DataError(
                f"{self.owner}: the custom loss must return two arrays, gradient and hessian; got "
                f"{type(derivatives).__name__}."
            )
        arrays = []
        for name, values in zip(("gradient", "hessian"), derivatives, strict=True):
            array = np.asarray(values, dtype=float)
            if array.shape != scores.shape:
                raise DataError(
                    f"{self.owner}: the custom loss must return a {name} of shape {scores.shape}, "
                    f"one per score; got shape {array.shape}."
                )
            array = array.reshape(z.shape)
            if not np.isfinite(array).all():
                row = int(np.argwhere(~np.isfinite(array))[0][1])
                raise DataError(
                    f"{self.owner}: the custom loss returned a {name} with NaN or infinity (row "
                    f"{row}, where y={y[row]:g} and the score is {z[0, row]:g}); make it finite "
                    "there, or lower learning_rate."
                )
            arrays.append(array)
        if (arrays[1] < 0).any():
            raise DataError(
                f"{self.owner}: the custom loss returned a negative hessian; return an "
                "upper bound of the "
                "curvature, for example 1."
            )
        return arrays[0], arrays[1]


def regression_loss(loss: Any, quantile: float | None, owner: str) -> BoostingLoss:
    """Return the loss named by a regressor's `loss` parameter."""
    match loss:
        case "squared_error":
            return boosting_loss.squared()
        case "absolute_error":
            return boosting_loss.absolute()
        case "quantile":
            assert quantile is not None
            return boosting_loss.quantile(quantile)
        case "poisson":
            return boosting_loss.poisson()
        case "gamma":
            return boosting_loss.gamma()
        case _:
            return UserLoss(loss, owner)


def classification_loss(loss: Any, n_classes: int, owner: str) -> BoostingLoss:
    """Return the loss named by a classifier's `loss` parameter."""
    n_scores = 1 if n_classes <= 2 else n_classes
    if loss == "log_loss":
        return boosting_loss.logistic() if n_scores == 1 else boosting_loss.softmax(n_scores)
    if loss == "exponential":
        if n_scores > 1:
            raise DataError(
                f"{owner}: loss='exponential' requires two classes; y has {n_classes}. Use "
                "loss='log_loss'."
            )
        return boosting_loss.exponential()
    return UserLoss(loss, owner, n_scores, classes=True)
