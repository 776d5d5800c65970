"""One iteration of boosting: gradients, a tree per score, new scores."""

from functools import partial

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss, careful_step
from gramian.ensemble.hist_boosting.boosted_trees import Grown
from gramian.ensemble.hist_boosting.boosting_rows import Rows


class Step:
    """One iteration of boosting: gradients, a tree per score, new scores."""

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

    def take(self, seed: int, iteration: int, leaf_steps: int) -> list[Grown]:
        """Grow one tree per score and update the scores; return the trees."""
        y, weights = self.rows.y, self.rows.weights
        self.loss.slopes(y, weights, self.score, self.gradient, self.hessian)
        if isinstance(self.grower, _native.IterationGrower):
            return self._side_by_side(self.grower, seed, iteration)
        refine = leaf_steps > 1 and self.loss.leaf_quantile is None
        grown, places = [], []
        for k, score in enumerate(self.score):
            hessian = None if self.hessian is None else self.hessian[k]
            tree_number = iteration * len(self.score) + k
            careful = self.loss.falling_curvature
            n_nodes = self.grower.grow(self.gradient[k], hessian, careful, seed, tree_number)
            tree = Grown.of(self.grower.nodes, n_nodes)
            if self.loss.leaf_quantile is not None:
                values = np.zeros(n_nodes)
                q = self.loss.leaf_quantile
                self.grower.leaf_quantiles(y - score, weights, q, values)
                tree = tree._replace(value=values)
            if refine:
                place = np.empty(len(y), dtype=np.int32)
                self.grower.leaves(place)
                places.append(place)
            else:
                tree = tree._replace(value=self.learning_rate * tree.value)
                self.grower.add(tree.value, score)
            grown.append(tree)
        return self._refined(grown, places, leaf_steps) if refine else grown

    def _side_by_side(
        self, grower: _native.IterationGrower, seed: int, iteration: int
    ) -> list[Grown]:
        """Grow the trees of all scores in one call, one thread each."""
        careful, first = self.loss.falling_curvature, iteration * len(self.score)
        sizes = grower.grow(
            self.gradient, self.hessian, careful, seed, first, self.learning_rate, self.score
        )
        trees = (Grown.of(partial(grower.nodes, k), n) for k, n in enumerate(sizes))
        return [tree._replace(value=self.learning_rate * tree.value) for tree in trees]

    def _refined(
        self, grown: list[Grown], places: list[npt.NDArray[np.int32]], leaf_steps: int
    ) -> list[Grown]:
        """Take further Newton steps in the leaves; the splits stay the same."""
        assert self.hessian is not None or self.loss.unit_curvature
        values = [tree.value.copy() for tree in grown]
        for _ in range(leaf_steps - 1):
            moved = np.stack([s + v[p] for s, v, p in zip(self.score, values, places, strict=True)])
            self.loss.slopes(self.rows.y, self.rows.weights, moved, self.gradient, self.hessian)
            for k, (value, place) in enumerate(zip(values, places, strict=True)):
                g = np.bincount(place, weights=self.gradient[k], minlength=len(value))
                h = np.bincount(
                    place,
                    weights=None if self.hessian is None else self.hessian[k],
                    minlength=len(value),
                )
                able = h > 1e-3  # the minimum for a child of a split
                step = -(g[able] + self.l2 * value[able]) / (h[able] + self.l2)
                value[able] += careful_step(step) if self.loss.falling_curvature else step
        refined = []
        for score, tree, value, place in zip(self.score, grown, values, places, strict=True):
            step = self.learning_rate * value
            score += step[place]
            refined.append(tree._replace(value=step))
        return refined
