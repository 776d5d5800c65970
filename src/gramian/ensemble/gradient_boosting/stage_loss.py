"""What an iteration needs from a loss: slopes at the scores, and the best step in every leaf.

A tree is fitted to the negative slopes r_i = -dL(y_i, z_i)/dz_i and divides the rows into regions;
the step of a region R is (Friedman 2001, algorithms 2 to 6)

    squared_error    the mean of r;
    absolute_error   the median of y - z, "quantile" another quantile of it;
    huber            the median m, plus the mean of y - z - m cut off at delta;
    the others       one Newton step, sum r / sum h, h the curvatures, times (K - 1) / K for K
                     scores that are updated together.

delta of "huber" is the alpha-quantile of the absolute errors, anew in every iteration.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosting_loss import BoostingLoss, NativeLoss, deviance, targets_of
from gramian.objectives.regression import Huber, weighted_quantile

_LEAST = 1e-150  # sum of curvatures below which a Newton step is undetermined


class Slopes(NamedTuple):
    """Negative slopes and curvatures of every row, of shape (n_scores, n)."""

    down: Floats
    curvature: Floats


class StageLoss:
    """A loss, its scores z of shape (n_scores, n) and the rows' steps."""

    def __init__(self, loss: NativeLoss) -> None:
        self.loss = loss
        self.n_scores = loss.n_scores
        # scikit-learn reports twice the squared error's and the logistic loss's half.
        self.factor = 2.0 if loss.policy in ("squared", "logistic") else 1.0

    def prepare(self, y: Floats, z: Floats, weights: Weights | None) -> None:
        """Set what changes from one iteration to the next."""

    def slopes(self, y: Floats, z: Floats) -> Slopes:
        """Return the negative slopes and the curvatures."""
        if self.n_scores > 1:
            p = softmax(z, axis=0)
            return Slopes((np.arange(self.n_scores)[:, None] == y) - p, p * (1 - p))
        if self.loss.policy in ("absolute", "quantile"):  # a residual of 0 counts as positive
            level, size = (
                self.loss.leaf_quantile or 0.0,
                2.0 if self.loss.policy == "absolute" else 1.0,
            )
            down = size * np.where(y >= z[0], level, level - 1)[None]
            return Slopes(down, np.ones_like(down))
        own, targets = self.loss.loss, targets_of(self.loss.loss, y)
        down = -own.derivative(targets, z[0])[None]
        if self.loss.unit_curvature:
            return Slopes(down, np.ones_like(down))
        return Slopes(down, own.curvature(targets, z[0])[None])

    def mean(self, y: Floats, z: Floats, weights: Weights | None) -> float:
        """Return the weighted mean loss."""
        return self.factor * deviance(self.loss, y, z, weights)

    def steps(
        self,
        leaf: npt.NDArray[np.intp],
        n_nodes: int,
        rows: Slopes,
        residual: Floats,
        weights: Weights | None,
    ) -> Floats:
        """Return the step of every node that is the leaf of a row; 0 elsewhere. Arrays: per row."""
        if self.loss.leaf_quantile is not None:
            return self._by_leaf(leaf, n_nodes, residual, weights)
        w = 1.0 if weights is None else weights
        down = np.bincount(leaf, weights=rows.down * w, minlength=n_nodes)
        curvature = np.bincount(leaf, weights=rows.curvature * w, minlength=n_nodes)
        known = curvature > _LEAST
        step = np.divide(down, curvature, out=np.zeros(n_nodes), where=known)
        return step * (self.n_scores - 1) / self.n_scores if self.n_scores > 1 else step

    def _by_leaf(
        self, leaf: npt.NDArray[np.intp], n_nodes: int, residual: Floats, weights: Weights | None
    ) -> Floats:
        step = np.zeros(n_nodes)
        order = np.argsort(leaf, kind="stable")
        nodes, starts = np.unique(leaf[order], return_index=True)
        for node, own in zip(nodes, np.split(order, starts[1:]), strict=True):
            step[node] = self._center(residual[own], None if weights is None else weights[own])
        return step

    def _center(self, residual: Floats, weights: Weights | None) -> float:
        """Return the constant that minimises the loss of residuals."""
        assert self.loss.leaf_quantile is not None
        return weighted_quantile(residual, weights, self.loss.leaf_quantile)


class HuberStage(StageLoss):
    """Huber's loss, whose delta follows the errors."""

    def __init__(self, alpha: float) -> None:
        super().__init__(huber(1.0))
        self.alpha = alpha

    def prepare(self, y: Floats, z: Floats, weights: Weights | None) -> None:
        """Set delta to a quantile of the absolute errors."""
        delta = weighted_quantile(np.abs(y - z[0]), weights, self.alpha)
        self.loss = huber(max(delta, np.finfo(float).tiny))

    def _center(self, residual: Floats, weights: Weights | None) -> float:
        middle = weighted_quantile(residual, weights, 0.5)
        assert isinstance(self.loss.loss, Huber)
        delta = self.loss.loss.epsilon
        return middle + float(
            np.average(np.clip(residual - middle, -delta, delta), weights=weights)
        )


def huber(delta: float) -> NativeLoss:
    """Return Huber's loss, as the others of `boosting_loss` are returned."""
    return NativeLoss(Huber(delta), "huber", unit_curvature=True, leaf_quantile=0.5)


def stage_loss(loss: BoostingLoss) -> StageLoss:
    """Return what iterations need from a loss named by a parameter."""
    assert isinstance(loss, NativeLoss)
    return StageLoss(loss)
