"""Optimiser steps for named arrays, in native code.

All learned arrays are views of one vector, so a step needs two calls: one for the weights, which
are penalised, and one for the biases.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Matrix
from gramian.neural_network.training.named_arrays import Arrays
from gramian.neural_network.training.training import Settings


class ArrayOptimizer:
    """The arrays of a network, their gradients, and the moments of the optimiser.

    Attributes
    ----------
    weights : dict of arrays
        All arrays by name; training changes them in place.
    gradients : dict of arrays
        The gradient of each learned array, to be filled before `step`.

    Examples
    --------
    >>> optimizer = ArrayOptimizer({"w.weight": np.ones(1)}, Settings())
    >>> optimizer.gradients["w.weight"][:] = 2.0
    >>> optimizer.step(rate=0.1)
    >>> optimizer.weights["w.weight"].round(4)
    array([0.9])
    """

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]], settings: Settings) -> None:
        learned = [name for name in weights if _is_learned(name)]
        names = sorted(learned, key=lambda name: not name.endswith("weight"))  # keeps their order
        self._penalized = sum(weights[n].size for n in names if n.endswith("weight"))
        self._settings = settings
        dtype = next(iter(weights.values())).dtype
        size = sum(weights[name].size for name in names)
        self._vector, self._gradient = np.zeros((2, size), dtype=dtype)
        self._first = np.zeros(size, dtype=dtype)
        self._second = np.zeros(size, dtype=dtype) if settings.solver == "adam" else None
        views, self.gradients = (
            _views(vector, names, weights) for vector in (self._vector, self._gradient)
        )
        for name in names:
            views[name][...] = weights[name]
        self.weights: Arrays = {
            name: views[name] if name in views else np.array(array)
            for name, array in weights.items()
        }
        self._t = 0
        self._rate = 0.0  # of the step before

    def step(self, rate: float) -> None:
        """Move the weights by their gradients."""
        if self._second is None and self._t > 0 and rate != self._rate:
            self._first *= rate / self._rate  # velocities contain the rate
        self._rate = rate
        for part, decay in (
            (slice(self._penalized), self._settings.alpha),
            (slice(self._penalized, None), 0.0),
        ):
            if self._vector[part].size:
                _native.optimizer_step(
                    optimizer=self._settings.solver,
                    rate=rate,
                    momentum=self._settings.momentum,
                    beta_1=0.9,
                    beta_2=0.999,
                    epsilon=1e-8,
                    decay=decay,
                    t=self._t,
                    parameters=self._vector[part],
                    gradient=self._gradient[part],
                    first=self._first[part],
                    second=None if self._second is None else self._second[part],
                    largest=None,
                )
        self._t += 1


def _is_learned(name: str) -> bool:
    """Return whether an array is learned by gradients, unlike the moments of BatchNorm."""
    return not name.endswith(("running_mean", "running_var"))


def _views(
    vector: Matrix, names: list[str], weights: Mapping[str, npt.NDArray[np.floating]]
) -> Arrays:
    found: Arrays = {}
    at = 0
    for name in names:
        size = weights[name].size
        found[name] = vector[at : at + size].reshape(weights[name].shape)
        at += size
    return found
