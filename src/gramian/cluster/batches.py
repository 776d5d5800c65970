"""Mini-batch k-means over chunks: the state between batches, and convergence."""

from copy import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gramian.base.inputs.gate import check_size
from gramian.base.kinds import Estimator
from gramian.base.randomness import stream
from gramian.base.rows.chunks import Chunks
from gramian.cluster.rows import Centers


@dataclass(frozen=True)
class BatchState:
    """The state between batches."""

    centers: Centers
    counts: npt.NDArray[np.float64]
    since_reassigned: int
    steps: int
    inertia: float  # of the last batch
    convergence: "Convergence"
    converged: bool


def learn_batches(
    model: Estimator, seed: int, batch: int, gate: Chunks, state: BatchState
) -> BatchState:
    """Process the rows of one part, batch by batch, until the centres converge."""
    if state.converged:
        return state
    learner = copy(model)
    learner._resume(state)
    steps, inertia, converged = state.steps, state.inertia, False
    for X, _, weights in gate.blocks(batch):
        check_size(model, "X", X)
        before = learner._centers
        steps += 1
        inertia = learner._learn(X, weights, stream(seed, 2 + steps))
        moved = float(((learner._centers - before) ** 2).sum())
        converged = state.convergence.reached(steps, inertia / X.shape[0], moved)
        if converged:
            break
    return BatchState(
        learner._centers,
        learner.counts_,
        learner._since_reassigned,
        steps,
        inertia,
        state.convergence,
        converged,
    )


class Convergence:
    """Detects when the smoothed objective or the centres have converged.

    The objective is smoothed by an exponential moving average, with a rate of twice the fraction of
    the data in a batch.
    """

    def __init__(self, tol: float, patience: int | None, fraction: float) -> None:
        self._tol = tol
        self._patience = patience
        self._rate = min(1.0, 2 * fraction)
        self._objective: float | None = None
        self._lowest = np.inf
        self._waited = 0
        self.reason = ""

    def reached(self, step: int, objective: float, moved: float) -> bool:
        """Record one step; return whether the fit has converged."""
        if step == 1:  # before the first move, the objective is that of the initial centres
            return False
        old = objective if self._objective is None else self._objective
        self._objective = old + self._rate * (objective - old)
        if self._tol > 0 and moved <= self._tol:
            self.reason = "small centers change"
            return True
        self._waited = 0 if self._objective < self._lowest else self._waited + 1
        self._lowest = min(self._lowest, self._objective)
        self.reason = "lack of improvement in inertia"
        return self._patience is not None and self._waited >= self._patience
