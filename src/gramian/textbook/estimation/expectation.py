r"""Expected values: sums over tables, quadrature of densities, means of samples.

    E[f] = sum_x p(x) f(x),    int p(x) f(x) dx,    (1/N) sum_n f(x_n),  x_n drawn from p

Reference: Bishop, Pattern Recognition and Machine Learning, 2006, section 1.2.2.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.distributions import Mixture
from gramian.distributions.common.quantile_quadrature import Integral, has_quantiles, integrate
from gramian.textbook.estimation.known_density import KnownDensity

Method = Literal["auto", "quadrature", "sampling"]
_TOLERANCE = 1e-3  # relative error of quadrature above which sampling is tried


class Expectation(NamedTuple):
    """An expected value and its error."""

    value: Any  # a number, or an array if f returns vectors
    error: Any  # standard error for a sample, estimated error for quadrature, 0 for a table
    method: str  # "table", "quadrature" or "sampling"


def expectation(
    f: Callable[[Any], Any],
    distribution: Any,
    *,
    method: Method = "auto",
    n_samples: int = 100_000,
    random_state: object = None,
) -> Expectation:
    """Return the expected value of a function of a random variable.

    The probability of an event is the expected value of its indicator: pass a function that returns
    True or False.

    Parameters
    ----------
    f
        A function of an array of values, of shape (n,), or of rows (n, d); it returns (n,), and of
        a sample or table also (n, k).
    distribution
        A table as a pair (values, probabilities); a distribution of `gramian.distributions`, or a
        frozen SciPy distribution; or a sample, an array or list of observations.
    method
        How to integrate over a distribution. "auto": a sum for discrete numbers, quadrature over
        the quantiles for continuous ones, sampling for vectors, for numbers without quantiles and
        where a sample is more accurate than quadrature. Quadrature misses features of f that have
        less than a ten-thousandth of the probability; an integral that does not converge in the
        tails raises an error.
    n_samples
        Size of the sample that is drawn.
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    Expectation
        The value, its error and the method.

    Examples
    --------
    >>> from gramian.distributions import Gaussian
    >>> from gramian.textbook.estimation import expectation
    >>> expectation(np.square, ([1, 2, 3, 4, 5, 6], np.full(6, 1 / 6))).value.round(4)
    np.float64(15.1667)
    >>> round(float(expectation(np.exp, Gaussian(0.0, 1.0)).value), 6)  # e^(1/2)
    1.648721
    >>> sampled = expectation(lambda x: x > 1, Gaussian(), method="sampling", random_state=0)
    >>> bool(abs(sampled.value - 0.158655) < 3 * sampled.error)
    True
    """
    if method not in ("auto", "quadrature", "sampling"):
        raise ParameterError(
            f"expectation: method must be 'auto', 'quadrature' or 'sampling'; got {method!r}."
        )
    if isinstance(distribution, tuple):
        return _of_table(f, distribution)
    if isinstance(distribution, list | np.ndarray):
        return _of_sample(f, np.asarray(distribution))
    density = KnownDensity.of("expectation", distribution)
    if not (isinstance(n_samples, int | np.integer) and n_samples >= 2):
        raise ParameterError(f"expectation: n_samples must be an integer >= 2; got {n_samples!r}.")

    def drawn() -> Expectation:
        rows = density.draw(int(n_samples), stream(seed_of(random_state)))
        return _of_sample(f, np.asarray(rows))

    if method == "sampling" or (method == "auto" and density.dimension > 1):
        return drawn()
    if density.dimension > 1:
        raise ParameterError(
            f"expectation: quadrature needs a univariate distribution; got {density.dimension}. "
            "Use "
            "method='sampling'."
        )
    if density.discrete:
        points = density.support_points()
        return _of_table(f, (points, np.exp(density.log_density(points))))
    found = _by_quadrature(f, distribution, density)
    if found is None and method == "quadrature":
        raise ParameterError(
            f"expectation: quadrature needs quantiles, which {distribution!r} lacks. Use "
            "method='sampling'."
        )
    if found is None:
        return drawn()
    exact = Expectation(found.value, found.error, "quadrature")
    if method == "auto" and found.error > _TOLERANCE * found.magnitude:
        sampled = drawn()
        return sampled if sampled.error < exact.error else exact
    return exact


def jensen_gap(f: Callable[[Any], Any], distribution: Any, **settings: Any) -> float:
    """Return E f(X) - f(E X): never negative if f is convex, never positive if it is concave.

    Parameters
    ----------
    f
        A function of an array of values.
    distribution
        A table, a sample or a distribution of one variable, as for `expectation`.
    **settings
        Passed to `expectation`.

    Returns
    -------
    float
        The gap in Jensen's inequality f(E X) <= E f(X).

    Examples
    --------
    >>> from gramian.textbook.estimation import jensen_gap
    >>> jensen_gap(np.square, [1.0, 3.0]), jensen_gap(np.log, [1.0, 3.0]) < 0
    (1.0, True)
    """
    mean = expectation(lambda x: x, distribution, **settings).value
    of_mean = float(np.asarray(f(np.atleast_1d(mean)), dtype=np.float64).reshape(-1)[0])
    return float(expectation(f, distribution, **settings).value) - of_mean


def _of_table(f: Callable[[Any], Any], table: tuple[Any, ...]) -> Expectation:
    if len(table) != 2:
        raise DataError(
            f"expectation: a table is a pair (values, probabilities); got {len(table)} parts."
        )
    x, p = np.asarray(table[0]), np.asarray(table[1], dtype=np.float64)
    if p.ndim != 1 or len(x) != len(p) or not (p >= 0).all() or not abs(p.sum() - 1) <= 1e-6:
        raise DataError(
            "expectation: a table must have a probability for each value, and they must sum to "
            f"one; got {len(x)} values and probabilities that sum to {p.sum():g}."
        )
    values = _values(f, x)
    possible = p > 0  # values of probability 0 do not count, even if f is infinite there
    return Expectation((p[possible] @ values[possible])[()], 0.0, "table")


def _of_sample(f: Callable[[Any], Any], x: npt.NDArray[Any]) -> Expectation:
    if not x.ndim or not len(x):
        raise DataError("expectation: a sample must contain at least one observation.")
    values = _values(f, x)
    error = values.std(axis=0, ddof=1) / np.sqrt(len(x)) if len(x) > 1 else values[0] * np.nan
    return Expectation(values.mean(axis=0)[()], error[()], "sampling")


def _values(f: Callable[[Any], Any], x: npt.NDArray[Any]) -> Floats:
    values = np.asarray(f(x), dtype=np.float64)
    if values.ndim == 0 or values.ndim > 2 or len(values) != len(x):
        raise DataError(
            f"expectation: f must return a number for each of the {len(x)} values; got shape "
            f"{values.shape}."
        )
    return values


def _by_quadrature(
    f: Callable[[Any], Any], distribution: Any, density: KnownDensity
) -> Integral | None:
    """Integrate over a distribution or the parts of a mixture; None if one has no quantiles."""
    if isinstance(distribution, Mixture):
        parts = [
            _by_quadrature(f, part, KnownDensity.of("expectation", part))
            for part, weight in zip(distribution.components, distribution.weights, strict=True)
            if weight > 0
        ]
        weights = distribution.weights[distribution.weights > 0]
        if any(part is None for part in parts):
            return None
        return Integral(*(weights @ np.array(parts, dtype=np.float64)).tolist())
    if not has_quantiles(density):
        return None

    def numbers(x: Floats) -> Floats:
        values = np.asarray(f(x), dtype=np.float64)
        if values.shape not in ((), x.shape):
            raise DataError(
                f"expectation: f must return a number for each of the {len(x)} values; got shape "
                f"{values.shape}."
            )
        return np.broadcast_to(values, x.shape)

    return integrate(numbers, density)
