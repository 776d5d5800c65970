r"""Bias, variance and mean squared error of an estimator, by simulation.

    bias = E[d] - theta,   variance = E[(d - E d)^2],   E[(d - theta)^2] = bias^2 + variance

Reference: Alpaydin, Introduction to Machine Learning, 2014, section 4.3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats


@dataclass(frozen=True, eq=False)
class EstimatorError:
    """Errors of an estimator over many samples.

    Attributes
    ----------
    estimates : array
        The estimate of each sample, (repetitions,) or (repetitions, parameters).
    mean, bias, variance, mse : number, or an array with an entry per parameter
        ``mse = bias ** 2 + variance``.
    bias_standard_error, mse_standard_error : number or array
        Standard errors of bias and mse, from the number of repetitions.
    """

    estimates: Floats
    mean: Any
    bias: Any
    variance: Any
    mse: Any
    bias_standard_error: Any
    mse_standard_error: Any


def estimator_error(
    estimator: Callable[[Any], Any],
    sampler: Any,
    truth: npt.ArrayLike,
    *,
    n: int,
    repetitions: int = 2000,
    random_state: object = None,
) -> EstimatorError:
    """Return bias, variance and mean squared error of an estimator.

    Parameters
    ----------
    estimator
        A function of a sample that returns a number or a vector.
    sampler
        A distribution with `sample` (or SciPy's `rvs`), or a function ``sampler(n, rng)`` that
        draws a sample of size n with a NumPy generator.
    truth
        The true value of the parameter.
    n
        Size of each sample.
    repetitions
        Number of samples.
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    EstimatorError

    Examples
    --------
    The variance divided by n is biased by -sigma^2 / n, but has the smaller error.

    >>> from gramian.textbook.estimation import estimator_error
    >>> draw = lambda n, rng: rng.normal(size=n)
    >>> biased = estimator_error(np.var, draw, 1.0, n=5, random_state=0)
    >>> unbiased = estimator_error(lambda x: np.var(x, ddof=1), draw, 1.0, n=5, random_state=0)
    >>> bool(biased.mse < unbiased.mse), bool(abs(unbiased.bias) < abs(biased.bias))
    (True, True)
    """
    for name, value in (("n", n), ("repetitions", repetitions)):
        if not (isinstance(value, int | np.integer) and value >= 1):
            raise ParameterError(f"estimator_error: {name} must be an integer >= 1; got {value!r}.")
    draw = _sampler(sampler)
    seed = seed_of(random_state)
    found = [np.asarray(estimator(draw(n, stream(seed, i))), float) for i in range(repetitions)]
    estimates, theta = np.array(found), np.asarray(truth, dtype=np.float64)
    if estimates.ndim > 2 or estimates.shape[1:] != theta.shape:
        raise DataError(
            "estimator_error: the estimator must return the shape of truth, "
            f"{theta.shape}; got {estimates.shape[1:]}."
        )
    if not np.isfinite(estimates).all():
        at = int(np.argmax(~np.isfinite(estimates).reshape(repetitions, -1).all(axis=1)))
        raise DataError(
            f"estimator_error: the estimate of sample {at} is not finite; a larger n may help."
        )
    mean, squares = estimates.mean(axis=0), (estimates - theta) ** 2
    root = np.sqrt(repetitions)
    return EstimatorError(
        estimates,
        mean[()],
        (mean - theta)[()],
        estimates.var(axis=0)[()],
        squares.mean(axis=0)[()],
        (estimates.std(axis=0) / root)[()],
        (squares.std(axis=0) / root)[()],
    )


def _sampler(sampler: Any) -> Callable[[int, np.random.Generator], Any]:
    if hasattr(sampler, "sample"):
        return lambda n, rng: sampler.sample(n, random_state=rng)
    if hasattr(sampler, "rvs"):
        return lambda n, rng: sampler.rvs(size=n, random_state=rng)
    if callable(sampler):
        return sampler  # type: ignore[no-any-return]
    raise ParameterError(
        f"estimator_error: sampler must be a distribution or a function (n, rng); got {sampler!r}."
    )
