"""A step for each leaf: boosting in function space where the learner is a tree.

A tree divides the rows into regions, so the line search separates into one problem per leaf
(Friedman 2001, section 4.3): with the rows R of a leaf,

    v = argmin_v sum_R L(y_i, f(x_i) + v),

exactly for absolute and quantile losses, whose minimiser is a quantile of the residuals, and by one
Newton step -G / H for the others; with K scores, which are updated together, by (K - 1) / K of it
(algorithm 6).
"""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosting_loss import BoostingLoss, careful_step
from gramian.objectives.regression import weighted_quantile
from gramian.tree.structure.tree import Tree

_LEAST = 1e-12  # curvature of a leaf, per largest weight, below which a step is undetermined


def with_leaf_steps(
    tree: Tree,
    leaf: npt.NDArray[Any],
    loss: BoostingLoss,
    residual: Floats,
    slope: Floats,
    curvature: Floats,
    weights: Weights | None,
) -> Tree:
    """Return the tree with the best step of each leaf as its value; arrays are per row."""
    value = tree.value.copy()
    if loss.leaf_quantile is not None:
        order = np.argsort(leaf, kind="stable")
        nodes, starts = np.unique(leaf[order], return_index=True)
        for node, own in zip(nodes, np.split(order, starts[1:]), strict=True):
            w = None if weights is None else weights[own]
            value[node] = weighted_quantile(residual[own], w, loss.leaf_quantile)
        return replace(tree, value=value)
    least = _LEAST
    if weights is not None:
        least *= float(weights.max())
        slope, curvature = slope * weights, curvature * weights
    gradient = np.bincount(leaf, weights=slope, minlength=tree.node_count)
    hessian = np.bincount(leaf, weights=curvature, minlength=tree.node_count)
    reached = np.unique(leaf)
    step = np.zeros(len(reached))
    known = hessian[reached] > least
    step[known] = -gradient[reached][known] / hessian[reached][known]
    if loss.n_scores > 1:
        step *= (loss.n_scores - 1) / loss.n_scores
    value[reached, 0, 0] = careful_step(step) if loss.falling_curvature else step
    return replace(tree, value=value)
