"""Gaussian mixtures of rows in chunks: an iteration of expectation maximisation is one pass."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gramian.base.inputs.gate import check_rows, check_size
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import Parts, add
from gramian.cluster.chunks import SAMPLE_ROWS, sample_of
from gramian.mixture.components import Components, Sums, maximised
from gramian.mixture.expectation_steps import expected_sums
from gramian.mixture.initialization import first_components

if TYPE_CHECKING:
    from gramian.mixture.gaussian_mixture import GaussianMixture


class ChunkedMixture:
    """Training rows in chunks, with the `iterate` of `MixtureData`.

    The initial components come from a sample of max(10,000, 50 K) rows, or from all rows if there
    are no more.
    """

    def __init__(self, model: "GaussianMixture", chunks: Iterable[Any] | Parts) -> None:
        self.model = model
        self.gate = Chunks.of(model, chunks)
        K, seed = model.n_components, seed_of(model.random_state)
        self.sample = sample_of(self.gate, max(SAMPLE_ROWS, 50 * K), seed)
        check_rows(model, self.sample.spread.n, K, "n_components")

    def start(self, seed: int) -> Components:
        """Return the components of one initialisation."""
        return first_components(self.model, self.sample.X, self.sample.weights, None, seed)

    def iterate(self, components: Components, reg_covar: float) -> tuple[float, Components]:
        """Return the mean log likelihood of the components, and better components."""
        kind, means = components.kind, components.means
        total, weight, *sums = self.gate.total(partial(_expect, components), add)
        return total / weight, maximised(kind, means, Sums(*sums), reg_covar)


def _expect(components: Components, gate: Chunks) -> tuple[Any, ...]:
    """Return the log likelihood, the weight and the sums of the rows of one part."""
    K, d = components.means.shape
    square = components.kind in ("diag", "spherical")
    zero = (0.0, 0.0, np.zeros(K), np.zeros((K, d)), np.zeros((K, d) if square else (K, d, d)))
    found: tuple[Any, ...] = zero
    for X, _, weights in gate:
        check_size(gate.estimator, "X", X)
        weight = float(X.shape[0] if weights is None else weights.sum())
        total, sums = expected_sums(components, X, weights)
        found = add(found, (total, weight, *sums))
    return found
