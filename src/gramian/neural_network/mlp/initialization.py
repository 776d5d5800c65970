"""Initial weights: random, so that the units of a layer differ, and scaled by the layer's size.

With n_in inputs and n_out outputs of a layer, the variance of a weight is

    lecun    1 / n_in                  keeps the variance of sums of unit-variance inputs
    xavier   2 / (n_in + n_out)        a compromise with the variance of gradients
    he       2 / n_in                  as lecun, for ReLUs, which cancel half of it

(LeCun et al. 1998; Glorot and Bengio 2010; He et al. 2015). "glorot" is scikit-learn's: uniform
weights and intercepts within sqrt(6 / (n_in + n_out)), sqrt(2 / (n_in + n_out)) for logistic units.
With "zeros" the hidden units of a layer always remain equal.
"""

from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.types import Matrix
from gramian.neural_network.mlp.network import Network, Parameters

Init: TypeAlias = Literal["glorot", "lecun", "xavier", "he", "small", "zeros"]

_SMALL = 0.01


def initial_parameters(
    network: Network, init: Init, rng: np.random.Generator, dtype: npt.DTypeLike
) -> Matrix:
    """Return the vector of initial parameters.

    Examples
    --------
    >>> network = Network((400, 100, 1), ("relu",), "squared")
    >>> w = initial_parameters(network, "he", np.random.default_rng(0), float)
    >>> round(float(network.split(w).coefs[0].std()), 3)
    0.071
    """
    coefs: list[Matrix] = []
    intercepts: list[Matrix] = []
    for layer, (fan_in, fan_out) in enumerate(pairwise(network.widths)):
        shape, zeros = (fan_in, fan_out), np.zeros(fan_out)
        if init == "glorot":
            hidden = network.activations[min(layer, len(network.activations) - 1) :][:1]
            bound = np.sqrt((2 if hidden == ("logistic",) else 6) / (fan_in + fan_out))
            coefs.append(rng.uniform(-bound, bound, shape))
            intercepts.append(rng.uniform(-bound, bound, fan_out))
        else:
            coefs.append(_deviation(init, fan_in, fan_out) * rng.standard_normal(shape))
            intercepts.append(zeros)
    hidden_widths = network.widths[1:-1] if network.batch_norm else ()
    ones: list[Matrix] = [np.ones(width) for width in hidden_widths]
    none: list[Matrix] = [np.zeros(width) for width in hidden_widths]
    return network.join(Parameters(coefs, intercepts, ones, none), dtype)


def _deviation(init: Init, fan_in: int, fan_out: int) -> float:
    variances = {
        "lecun": 1 / fan_in,
        "xavier": 2 / (fan_in + fan_out),
        "he": 2 / fan_in,
        "small": _SMALL**2,
        "zeros": 0.0,
    }
    return float(np.sqrt(variances[init]))
