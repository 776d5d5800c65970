"""Lasso and elastic net on rows in chunks, from their moments."""

import numpy as np

from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.types import Matrix
from gramian.linear_model.lasso.sparse_problem import Path, SparseProblem, moments
from gramian.linear_model.ridge import tikhonov
from gramian.linear_model.ridge.ridge_problem import RidgeProblem


class SummaryProblem(SparseProblem):
    """The problem of one target, from one pass over the rows.

    `path` ignores its argument y.
    """

    def __init__(self, rows: Rows, summary: Summary, target: int, *, centre: bool) -> None:
        d = summary.n_features
        chosen = [*range(d), d + target, -1]
        self.rows = rows.of_targets([target])
        self.summary = Summary(
            summary.gram[np.ix_(chosen, chosen)], summary.shift[chosen[:-1]], summary.n_rows, 1
        )
        self.centre = centre
        self.uses_gram = True
        gram, q, yy, self.means = moments(self.summary, centre=centre)
        self._sums = gram, q, yy

    def _moments(self, y: Vector) -> tuple[Matrix, Vector, float]:
        return self._sums

    def _target_mean(self, y: Vector) -> float:
        return float(self.summary.means[-1]) if self.centre else 0.0

    def _cost(self, found: Path, y: Vector, l1: float, l2: float) -> float:
        gram, q, yy = self._sums
        c = found.coef[-1]
        penalty = l1 * np.abs(c).sum() + l2 / 2 * (c @ c)
        return float((c @ gram @ c - 2 * (q @ c) + yy) / 2 + penalty)

    def _without_l1(self, y: Vector, l2: Vector, positive: bool) -> Path:
        total = self.summary.weight
        problems = [RidgeProblem(np.array([a * total]), None, self.centre, False) for a in l2]
        models = [
            tikhonov.tikhonov(self.rows, each, positive=positive, tol=1e-10, owner="ElasticNet")
            for each in problems
        ]
        model = np.array([fit.model[0] for fit in models])
        zeros, ones = np.zeros(len(l2)), np.ones(len(l2), dtype=np.int64)
        return Path(model[:, :-1], model[:, -1], zeros, ones, ones.astype(bool))
