"""The log likelihood of many observations from a few sums, at arrays of parameters."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, gammaln, xlog1py, xlogy

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats

Numbers = npt.NDArray[Any]


def likelihood_of_statistics(
    family: type[Any], data: Numbers, parameters: Mapping[str, Any], known: Mapping[str, Any]
) -> Any:
    """Return sum_i log p(x_i | theta) of a named family, from sums over the data."""
    name = family.__name__
    if name not in _FAMILIES:
        raise ParameterError(
            f"grid_posterior: no sufficient statistics of {name} are known here, only of "
            f"{', '.join(_FAMILIES)}; give likelihood as a function of observations and parameters."
        )
    names, of = _FAMILIES[name]
    given = dict(parameters) | dict(known)
    if set(given) != set(names):
        raise ParameterError(
            f"grid_posterior: {name} has the parameters {', '.join(names)}; got "
            f"{', '.join(map(str, given)) or 'none'}."
        )
    x = data.astype(np.float64).ravel() if data.ndim == 1 else None
    if x is None or not np.isfinite(x).all():
        raise DataError(
            f"grid_posterior: data of {name} must be one finite number per observation; got shape "
            f"{data.shape}."
        )
    return of(x, *(given[each] for each in names))


def _inside(x: Floats, holds: npt.NDArray[np.bool_], words: str) -> Floats:
    """Return x, or say which rows are outside of the support."""
    bad = np.flatnonzero(~holds)
    if len(bad):
        more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
        raise DataError(
            f"grid_posterior: data must be {words}; got {x[bad[0]]:g} at row {bad[0]}{more}."
        )
    return x


def _where(holds: Any, values: Any) -> Any:
    """Return -inf where parameters are impossible."""
    return np.where(holds, values, -np.inf)


def _bernoulli(x: Floats, p: Any) -> Any:
    ones = float(_inside(x, (x == 0) | (x == 1), "0 or 1").sum())
    return _where((p >= 0) & (p <= 1), xlogy(ones, p) + xlog1py(len(x) - ones, -p))


def _binomial(x: Floats, n: Any, p: Any) -> Any:
    trials = int(n)
    _inside(x, (x >= 0) & (x <= trials) & (x == np.rint(x)), f"whole numbers from 0 to {trials}")
    ones = float(x.sum())
    ways = float((gammaln(trials + 1) - gammaln(x + 1) - gammaln(trials - x + 1)).sum())
    logs = xlogy(ones, p) + xlog1py(trials * len(x) - ones, -p)
    return _where((p >= 0) & (p <= 1), ways + logs)


def _poisson(x: Floats, rate: Any) -> Any:
    _inside(x, (x >= 0) & (x == np.rint(x)), "whole numbers >= 0")
    constant = float(gammaln(x + 1).sum())
    return _where(rate >= 0, xlogy(float(x.sum()), rate) - len(x) * rate - constant)


def _exponential(x: Floats, rate: Any) -> Any:
    _inside(x, x >= 0, "numbers >= 0")
    return _where(rate > 0, len(x) * np.log(rate) - rate * float(x.sum()))


def _gaussian(x: Floats, mean: Any, variance: Any) -> Any:
    centre = float(x.mean())
    squares = float(((x - centre) ** 2).sum())
    n = len(x)
    quadratic = (squares + n * (mean - centre) ** 2) / variance
    return _where(variance > 0, -0.5 * (quadratic + n * np.log(2 * np.pi * variance)))


def _gamma(x: Floats, shape: Any, rate: Any) -> Any:
    _inside(x, x > 0, "numbers > 0")
    n, total, logs = len(x), float(x.sum()), float(np.log(x).sum())
    value = n * (shape * np.log(rate) - gammaln(shape)) + (shape - 1) * logs - rate * total
    return _where((shape > 0) & (rate > 0), value)


def _beta(x: Floats, a: Any, b: Any) -> Any:
    _inside(x, (x > 0) & (x < 1), "numbers between 0 and 1")
    first, second = float(np.log(x).sum()), float(np.log1p(-x).sum())
    value = (a - 1) * first + (b - 1) * second - len(x) * betaln(a, b)
    return _where((a > 0) & (b > 0), value)


_FAMILIES: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "Bernoulli": (("p",), _bernoulli),
    "Binomial": (("n", "p"), _binomial),
    "Poisson": (("rate",), _poisson),
    "Exponential": (("rate",), _exponential),
    "Gaussian": (("mean", "variance"), _gaussian),
    "Gamma": (("shape", "rate"), _gamma),
    "Beta": (("a", "b"), _beta),
}
