"""Losses of an iteration: slopes at the scores, and the best step in every leaf.

A tree is fitted to the negative slopes r_i = -dL(y_i, z_i)/dz_i and divides the rows into regions,
so that the line search separates into one problem per region R (Friedman 2001, section 4.3),

    v = argmin_v sum_R L(y_i, z_i + v),

whose solution is (algorithms 2 to 6)

    squared_error    the mean of r, which the tree predicts already;
    absolute_error   the median of y - z, "quantile" another quantile of it;
    huber            the median m, plus the mean of y - z - m clipped to [-delta, delta];
    the others       one Newton step, sum r / sum h, h the curvatures, times (K - 1) / K for K
                     scores that are updated together; with a log link, steps beyond 2 are damped.

In every iteration delta of "huber" is the alpha-quantile of the absolute errors. Slopes and
curvatures are those of `gramian.objectives`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosting_loss import (
    BoostingLoss,
    NativeLoss,
    damped_step,
    deviance,
    huber,
)
from gramian.objectives import Huber, Logistic, SquaredError
from gramian.objectives.regression import weighted_quantile

_MIN_CURVATURE = 1e-150  # sum of curvatures below which a Newton step is undetermined


class Slopes(NamedTuple):
    """Negative slopes and curvatures of every row, of shape (n_scores, n)."""

    down: Floats
    curvature: Floats


class StageLoss:
    """A loss of scores z of shape (n_scores, n), and its best steps in leaves."""

    def __init__(self, loss: BoostingLoss) -> None:
        self.loss = loss
        self.n_scores = loss.n_scores
        objective = loss.loss if isinstance(loss, NativeLoss) else None
        self.squared = isinstance(objective, SquaredError)
        # scikit-learn reports twice our squared error and our logistic loss.
        self.factor = 2.0 if isinstance(objective, SquaredError | Logistic) else 1.0

    def prepare(self, y: Floats, z: Floats, weights: Weights | None) -> None:
        """Update the parameters of the loss that depend on the iteration."""

    def slopes(self, y: Floats, z: Floats) -> Slopes:
        """Return the negative slopes and the curvatures."""
        slope, curvature = self.loss.derivatives(y, z)
        return Slopes(-slope, curvature)

    def mean(self, y: Floats, z: Floats, weights: Weights | None) -> float:
        """Return the weighted mean loss; NaN for a function that returns only derivatives."""
        if not self.loss.has_value:
            return float("nan")
        return self.factor * deviance(self.loss, y, z, weights)

    def steps(
        self,
        leaf: npt.NDArray[np.intp],
        n_nodes: int,
        rows: Slopes,
        residual: Floats,
        weights: Weights | None,
    ) -> Floats | None:
        """Return the best step of every leaf, by node; 0 for other nodes. Inputs are per row.

        None means that the values of the tree are the best steps.
        """
        if self.squared:
            return None
        if self.loss.leaf_quantile is not None:
            return self._leaf_centers(leaf, n_nodes, residual, weights)
        w = 1.0 if weights is None else weights
        down = np.bincount(leaf, weights=rows.down * w, minlength=n_nodes)
        curvature = np.bincount(leaf, weights=rows.curvature * w, minlength=n_nodes)
        determined = curvature > _MIN_CURVATURE
        step = np.divide(down, curvature, out=np.zeros(n_nodes), where=determined)
        if self.loss.link == "exp":
            return damped_step(step)
        return step * (self.n_scores - 1) / self.n_scores if self.n_scores > 1 else step

    def _leaf_centers(
        self, leaf: npt.NDArray[np.intp], n_nodes: int, residual: Floats, weights: Weights | None
    ) -> Floats:
        step = np.zeros(n_nodes)
        order = np.argsort(leaf, kind="stable")
        nodes, starts = np.unique(leaf[order], return_index=True)
        for node, leaf_rows in zip(nodes, np.split(order, starts[1:]), strict=True):
            step[node] = self._center(
                residual[leaf_rows], None if weights is None else weights[leaf_rows]
            )
        return step

    def _center(self, residual: Floats, weights: Weights | None) -> float:
        """Return the constant step that minimises the loss of the residuals."""
        assert self.loss.leaf_quantile is not None
        return weighted_quantile(residual, weights, self.loss.leaf_quantile)


class HuberStage(StageLoss):
    """Huber's loss, with delta set by the errors of each iteration."""

    def __init__(self, alpha: float) -> None:
        super().__init__(huber(1.0))
        self.alpha = alpha
        self.delta = 1.0

    def prepare(self, y: Floats, z: Floats, weights: Weights | None) -> None:
        """Set delta to a quantile of the absolute errors."""
        delta = weighted_quantile(np.abs(y - z[0]), weights, self.alpha)
        self.delta = max(delta, np.finfo(float).tiny)
        self.loss = huber(self.delta)

    def _center(self, residual: Floats, weights: Weights | None) -> float:
        middle = weighted_quantile(residual, weights, 0.5)
        slopes = -Huber(self.delta).derivative(residual, np.full_like(residual, middle))
        return middle + float(np.average(slopes, weights=weights))
