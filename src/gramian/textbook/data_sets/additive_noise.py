"""Regression data with additive noise."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.distributions.common.distribution import Distribution


class AdditiveNoise:
    """Targets y = function(x) + noise, with noise independent of x and of mean zero.

    Parameters
    ----------
    function
        Function from inputs (along the first axis) to one number each.
    noise
        A univariate distribution with mean 0.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.distributions import Gaussian, Uniform
    >>> line = AdditiveNoise(lambda x: 2 * x + 1, Gaussian(0, 0.01))
    >>> x, y = line.sample_pairs(Uniform(0, 1), 100, random_state=0)
    >>> bool(np.abs(y - (2 * x + 1)).max() < 0.5)
    True
    """

    def __init__(self, function: Callable[[Floats], npt.ArrayLike], noise: Distribution) -> None:
        if not callable(function) or not isinstance(noise, Distribution) or noise.event_ndim:
            raise ParameterError(
                "AdditiveNoise: function must be callable and noise a univariate distribution; "
                f"got {function!r} and {noise!r}."
            )
        if not abs(noise.mean) <= 1e-9 * (1 + np.sqrt(noise.variance)):
            raise ParameterError(
                f"AdditiveNoise: noise must have mean 0; got {noise.mean:g}. Shift the noise, and "
                "add its mean to the function."
            )
        self.function, self.noise = function, noise

    def mean(self, X: npt.ArrayLike) -> Floats:
        """Return E[y | x] = function(x)."""
        inputs = np.asarray(X)
        values = np.asarray(self.function(inputs), dtype=np.float64)
        if values.shape != inputs.shape[:1]:
            raise DataError(
                "AdditiveNoise: function must return one number per input, shape "
                f"{inputs.shape[:1]}; got shape {values.shape}."
            )
        return values

    def sample(self, X: npt.ArrayLike, random_state: object = None) -> Floats:
        """Draw one target for each input."""
        center = self.mean(X)
        return np.asarray(center + self.noise.sample(len(center), random_state))

    def sample_pairs(
        self, inputs: Distribution, n: int, random_state: object = None
    ) -> tuple[Any, Floats]:
        """Draw n inputs from a distribution, and a target for each."""
        rng = stream(seed_of(random_state))
        X = inputs.sample(n, rng)
        return X, self.sample(X, rng)

    def log_prob(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Any:
        """Return the logarithm of the density of each target given its input."""
        return self.noise.log_prob(np.asarray(y, dtype=np.float64) - self.mean(X))
