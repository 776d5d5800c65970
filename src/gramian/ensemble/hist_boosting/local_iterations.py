"""Boosting iterations on rows in this process: gradients, one tree per score, new scores."""

from functools import partial

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss, damped_step
from gramian.ensemble.hist_boosting.boosted_trees import Grown
from gramian.ensemble.hist_boosting.boosting_rows import Rows


class LocalIterations:
    """Boosting iterations: gradients, one tree per score, new scores."""

    def __init__(
        self,
        loss: BoostingLoss,
        rows: Rows,
        score: Floats,
        grower: _native.TreeGrower | _native.IterationGrower,
        learning_rate: float,
        l2: float,
    ) -> None:
        self.loss, self.rows, self.score, self.grower = loss, rows, score, grower
        self.learning_rate, self.l2 = learning_rate, l2
        self.gradient = np.empty(score.shape, dtype=np.float32)
        constant = loss.unit_curvature and rows.weights is None
        self.hessian = None if constant else np.empty(score.shape, dtype=np.float32)

    def grow_trees(self, seed: int, iteration: int, leaf_steps: int) -> list[Grown]:
        """Grow one tree per score and update the scores; return the trees."""
        y, weights = self.rows.y, self.rows.weights
        self.loss.slopes(y, weights, self.score, self.gradient, self.hessian)
        if isinstance(self.grower, _native.IterationGrower):
            return self._grow_in_parallel(self.grower, seed, iteration)
        refine = leaf_steps > 1 and self.loss.leaf_quantile is None
        grown, leaves = [], []
        for k, score in enumerate(self.score):
            hessian = None if self.hessian is None else self.hessian[k]
            tree_number = iteration * len(self.score) + k
            damped = self.loss.falling_curvature
            n_nodes = self.grower.grow(self.gradient[k], hessian, damped, seed, tree_number)
            tree = Grown.of(self.grower.nodes, n_nodes)
            if self.loss.leaf_quantile is not None:
                values = np.zeros(n_nodes)
                q = self.loss.leaf_quantile
                self.grower.leaf_quantiles(y - score, weights, q, values)
                tree = tree._replace(value=values)
            if refine:
                leaf = np.empty(len(y), dtype=np.int32)
                self.grower.leaves(leaf)
                leaves.append(leaf)
            else:
                tree = tree._replace(value=self.learning_rate * tree.value)
                self.grower.add(tree.value, score)
            grown.append(tree)
        return self._refine(grown, leaves, leaf_steps) if refine else grown

    def _grow_in_parallel(
        self, grower: _native.IterationGrower, seed: int, iteration: int
    ) -> list[Grown]:
        """Grow the trees of all scores in one call, one thread each."""
        damped, first = self.loss.falling_curvature, iteration * len(self.score)
        sizes = grower.grow(
            self.gradient, self.hessian, damped, seed, first, self.learning_rate, self.score
        )
        trees = (Grown.of(partial(grower.nodes, k), n) for k, n in enumerate(sizes))
        return [tree._replace(value=self.learning_rate * tree.value) for tree in trees]

    def _refine(
        self, grown: list[Grown], leaves: list[npt.NDArray[np.int32]], leaf_steps: int
    ) -> list[Grown]:
        """Take further Newton steps in the leaves of the same trees."""
        assert self.hessian is not None or self.loss.unit_curvature
        values = [tree.value.copy() for tree in grown]
        for _ in range(leaf_steps - 1):
            new_scores = np.stack(
                [s + v[p] for s, v, p in zip(self.score, values, leaves, strict=True)]
            )
            self.loss.slopes(
                self.rows.y, self.rows.weights, new_scores, self.gradient, self.hessian
            )
            for k, (value, leaf) in enumerate(zip(values, leaves, strict=True)):
                g = np.bincount(leaf, weights=self.gradient[k], minlength=len(value))
                h = np.bincount(
                    leaf,
                    weights=None if self.hessian is None else self.hessian[k],
                    minlength=len(value),
                )
                splittable = h > 1e-3  # the minimum curvature of a child
                step = -(g[splittable] + self.l2 * value[splittable]) / (h[splittable] + self.l2)
                value[splittable] += damped_step(step) if self.loss.falling_curvature else step
        refined = []
        for score, tree, value, leaf in zip(self.score, grown, values, leaves, strict=True):
            step = self.learning_rate * value
            score += step[leaf]
            refined.append(tree._replace(value=step))
        return refined
