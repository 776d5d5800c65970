"""A search for the initial learning rate."""

import numpy as np

from gramian.base.randomness import stream
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.row_sampler import RowSampler

_TRIED = 10.0 ** np.arange(-4.5, 0.5, 0.5)  # initial rates that a search tries
_TRIAL_ROWS, _TRIAL_EPOCHS = 2000, 3


def searched_rate(start: Descent, steps: Steps, rows: Examples, seed: int) -> float:
    """Return the initial rate whose loss is lowest after a few epochs on a subsample."""
    chosen = stream(seed, 1 << 40).permutation(len(rows))[:_TRIAL_ROWS]
    sample = rows.take(np.sort(chosen))
    losses = []
    for rate in _TRIED:
        trial, loss = start.copy(), np.inf
        sampler = RowSampler(sample, seed=seed, shuffle=True)
        for epoch in range(_TRIAL_EPOCHS):
            done = trial.epoch(steps, float(rate), sample, sampler.order(epoch), sample.weights)
            loss = done.loss if done.finite else np.inf
        losses.append(loss)
    return float(_TRIED[int(np.argmin(losses))])
