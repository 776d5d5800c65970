r"""Bias and variance of a learner, by fitting it to many training sets of a known distribution.

Targets are g(x) + noise; h is the model fitted to one training set. At a point z

    E (h(z) - y)^2  =  (E h(z) - g(z))^2  +  E (h(z) - E h(z))^2  +  var noise
                             bias^2               variance             noise

and with means over the training sets instead of E, the sum of the first two equals the mean of
(h(z) - g(z))^2. Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
2009, section 7.3.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike
from sklearn.base import clone

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats

Draw = Callable[[np.random.Generator], tuple[Any, ArrayLike]]


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """Bias, variance and noise at test points.

    Attributes
    ----------
    predictions
        Predictions of every fit at every point, shape (sets, points).
    truth
        g(z), shape (points,).
    noise
        Variance of the noise, at each point.
    """

    predictions: Floats
    truth: Floats
    noise: Floats

    @property
    def mean_prediction(self) -> Floats:
        """Mean of the fits at each point."""
        return np.asarray(self.predictions.mean(axis=0))

    @property
    def bias_squared(self) -> Floats:
        """Square of mean prediction minus truth, at each point."""
        return (self.mean_prediction - self.truth) ** 2

    @property
    def variance(self) -> Floats:
        """Variance of the fits around their mean, at each point."""
        return np.asarray(self.predictions.var(axis=0))

    @property
    def risk(self) -> Floats:
        """Expected squared error of a new target, at each point: the sum of the three."""
        return self.bias_squared + self.variance + self.noise

    def means(self) -> "MeanBiasVariance":
        """Return the means over the points."""
        parts = (self.bias_squared, self.variance, self.noise, self.risk)
        return MeanBiasVariance(*(float(part.mean()) for part in parts))


class MeanBiasVariance(NamedTuple):
    """Means over test points."""

    bias_squared: float
    variance: float
    noise: float
    risk: float


class BiasVarianceCurve(NamedTuple):
    """Means over test points, one for each model."""

    bias_squared: Floats
    variance: Floats
    noise: Floats
    risk: Floats


def bias_variance(
    estimator: Any,
    draw: Draw,
    points: npt.ArrayLike,
    truth: ArrayLike | Callable[[Any], ArrayLike],
    *,
    noise: ArrayLike = 0.0,
    n_sets: int = 100,
    random_state: Any = 0,
) -> BiasVariance:
    """Estimate bias and variance of a regressor at points, from many training sets.

    Parameters
    ----------
    estimator
        Regressor; it is cloned for each training set.
    draw
        Function of a ``numpy.random.Generator`` that returns a training set X, y. For real data it
        may resample rows; the truth must then be known from elsewhere.
    points
        Test points z, rows as in X.
    truth
        g at the points, or the function g itself; without noise.
    noise
        Variance of the noise of the targets, one number or one per point.
    n_sets
        Number of training sets.
    random_state
        Seed or generator for the random draws; set i is the same for every estimator.

    Returns
    -------
    BiasVariance
        At each point; ``means()`` over all.

    Examples
    --------
    A constant fitted to noise around 3 has no bias, and the variance of a mean of ten values.

    >>> from sklearn.dummy import DummyRegressor
    >>> draw = lambda rng: (np.zeros((10, 1)), 3 + rng.normal(size=10))
    >>> found = bias_variance(DummyRegressor(), draw, [[0.0]], [3.0], noise=1.0, n_sets=2000)
    >>> [round(value, 2) for value in found.means()]
    [0.0, 0.1, 1.0, 1.1]
    """
    if n_sets < 2:
        raise ParameterError(f"bias_variance: n_sets must be at least 2; got {n_sets}.")
    at = np.asarray(truth(points) if callable(truth) else truth, dtype=np.float64)
    seed = seed_of(random_state)
    predictions = np.array(
        [
            clone(estimator).fit(*draw(stream(seed, number))).predict(points)
            for number in range(n_sets)
        ],
        dtype=np.float64,
    )
    if predictions.ndim != 2 or at.shape != predictions.shape[1:]:
        raise DataError(
            "bias_variance: truth must have one number per point; got shape "
            f"{at.shape} for predictions of shape {predictions.shape[1:]}."
        )
    variance = np.broadcast_to(np.asarray(noise, dtype=np.float64), at.shape)
    if (variance < 0).any():
        raise ParameterError("bias_variance: noise is a variance and must be >= 0.")
    return BiasVariance(predictions, at, variance)


def bias_variance_curve(
    estimators: Sequence[Any],
    draw: Draw,
    points: npt.ArrayLike,
    truth: ArrayLike | Callable[[Any], ArrayLike],
    *,
    noise: ArrayLike = 0.0,
    n_sets: int = 100,
    random_state: Any = 0,
) -> BiasVarianceCurve:
    """Return mean bias, variance and risk of several regressors.

    Parameters
    ----------
    estimators
        Regressors, for example from simple to flexible; all are fitted to the same training sets.
    draw, points, truth, noise, n_sets, random_state
        As for `bias_variance`.

    Returns
    -------
    BiasVarianceCurve
        Arrays with one mean for each estimator.

    Examples
    --------
    >>> from gramian import KNeighborsRegressor
    >>> def draw(rng):
    ...     x = rng.uniform(0, 3, size=(40, 1))
    ...     return x, np.sin(2 * x[:, 0]) + rng.normal(scale=0.3, size=40)
    >>> z = np.linspace(0.2, 2.8, 20)[:, None]
    >>> models = [KNeighborsRegressor(k) for k in (40, 1)]
    >>> curve = bias_variance_curve(models, draw, z, lambda z: np.sin(2 * z[:, 0]), noise=0.09)
    >>> bool(curve.bias_squared[0] > curve.bias_squared[1])
    True
    >>> bool(curve.variance[0] < curve.variance[1])
    True
    """
    seed = seed_of(random_state)
    means = [
        bias_variance(
            model, draw, points, truth, noise=noise, n_sets=n_sets, random_state=seed
        ).means()
        for model in estimators
    ]
    if not means:
        raise ParameterError("bias_variance_curve: pass at least one estimator.")
    return BiasVarianceCurve(*np.array(means).T)
