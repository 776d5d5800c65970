"""Stochastic gradient descent over rows in chunks, epoch after epoch.

Rows are visited in blocks of 65,536 rows, which do not depend on the chunks, and in random order
within a block; without `shuffle`, in their order, as in memory. If the rows are on several workers,
the parts are visited one after the other and the weights are passed on; blocks do not cross parts.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.inputs.gate import check_size
from gramian.base.rows.chunks import BLOCK_ROWS, Chunk, Chunks
from gramian.base.types import Floats
from gramian.linear_model.sgd.stochastic_fit import StochasticFit
from gramian.linear_model.sgd.stochastic_steps import Steps, epoch_order

Targets = Callable[[Chunk], tuple[list[Floats], Floats | None]]  # of each output, and weights


def run_chunks(
    model: StochasticFit,
    gate: Chunks,
    descents: list[Steps],
    targets: Targets,
    *,
    seed: int,
    largest: float,
    after: Callable[[list[Steps]], bool],
) -> tuple[list[Steps], int]:
    """Run epochs until the loss of every output stalls; return the descents and their number."""
    if model.early_stopping:
        raise ParameterError(
            f"{type(model).__name__}: fit_chunks cannot hold out rows; set early_stopping=False, "
            "or score other rows with a callback."
        )
    best = np.full(len(descents), np.inf)
    stalled = np.zeros(len(descents), dtype=int)
    active = list(range(len(descents)))
    epoch = 0
    for epoch in range(1, model.max_iter + 1):
        visit = partial(_visit_part, targets, model.shuffle, seed, epoch, largest, tuple(active))
        start: tuple[list[Steps], Floats, float] = (descents, np.zeros(len(descents)), 0.0)
        descents, losses, total = gate.fold(visit, start)
        stop = after(descents)
        for k in list(active):
            loss = losses[k] / max(total, 1e-300)
            worse = model.tol is not None and loss > best[k] - model.tol
            best[k] = min(best[k], loss)
            stalled[k] = stalled[k] + 1 if worse else 0
            if stalled[k] < model.n_iter_no_change:
                continue
            steps = descents[k]
            if steps.rate == "adaptive" and steps.eta0 > 1e-6:
                steps.eta0 /= 5
                stalled[k] = 0
            else:
                active.remove(k)
        if stop or not active:
            return descents, epoch
    if model.tol is not None:
        model._warn(
            f"the loss still falls after max_iter={model.max_iter} epochs; raise max_iter or tol"
        )
    return descents, epoch


def _visit_part(
    targets: Targets,
    shuffle: bool,
    seed: int,
    epoch: int,
    largest: float,
    active: tuple[int, ...],
    gate: Chunks,
    state: tuple[list[Steps], Floats, float],
) -> tuple[list[Steps], Floats, float]:
    """Visit the rows of one part once."""
    descents, losses, total = state
    for number, block in _numbered_blocks(gate):
        check_size(gate.estimator, "X", block.X, largest)
        signs, weights = targets(block)
        n = block.X.shape[0]
        total += float(n if weights is None else weights.sum())
        for k in active:
            draws = (seed + k + (number << 32)) % 2**64
            order = epoch_order(n, shuffle=shuffle, seed=draws, epoch=epoch)
            losses[k] += descents[k].epoch(block.X, signs[k], weights, order)
    return descents, losses, total


def _numbered_blocks(gate: Chunks) -> Iterator[tuple[int, Any]]:
    at = gate.start
    for block in gate.blocks():
        yield at // BLOCK_ROWS, block
        at += block.X.shape[0]
