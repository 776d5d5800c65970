"""The log likelihood of many observations from sufficient statistics, at arrays of parameters."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlog1py, xlogy

from gramian.base.errors import ParameterError
from gramian.base.types import Floats, Mask, Matrix
from gramian.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Exponential,
    Gamma,
    Gaussian,
    Poisson,
    SufficientMoments,
    SufficientStatistics,
    SufficientSums,
)
from gramian.distributions.common.gamma_differences import log_beta


def likelihood_of_statistics(
    family: type[Any], data: npt.ArrayLike, parameters: Mapping[str, Any], known: Mapping[str, Any]
) -> Floats:
    """Return sum_i log p(x_i | theta) of a family; `data` may be its sufficient statistics."""
    if family not in _FAMILIES:
        raise ParameterError(
            f"grid_posterior: the likelihood of {family.__name__} is not available as a function "
            f"of statistics, only that of {', '.join(f.__name__ for f in _FAMILIES)}; pass "
            "likelihood "
            "as a function of observations and parameters."
        )
    names, of = _FAMILIES[family]
    all_parameters = dict(parameters) | dict(known)
    if set(all_parameters) != set(names):
        raise ParameterError(
            f"grid_posterior: {family.__name__} has the parameters {', '.join(names)}; got "
            f"{', '.join(map(str, all_parameters)) or 'none'}."
        )
    fixed = {"n": all_parameters["n"]} if family is Binomial else {}
    statistics = data
    if not isinstance(data, SufficientStatistics):
        statistics = family.sufficient_statistics(data, **fixed)
    return of(statistics, *(np.asarray(all_parameters[each], dtype=float) for each in names))


def _where(holds: Mask, values: Matrix) -> Floats:
    """Return -inf for invalid parameters."""
    return np.where(holds, values, -np.inf)


def _bernoulli(s: SufficientSums, p: Floats) -> Floats:
    ones = float(s.total[0])
    return _where((p >= 0) & (p <= 1), xlogy(ones, p) + xlog1py(s.weight - ones, -p))


def _binomial(s: SufficientSums, n: Floats, p: Floats) -> Floats:
    ones = float(s.total[0])
    value = s.log_base + xlogy(ones, p) + xlog1py(int(n) * s.weight - ones, -p)
    return _where((p >= 0) & (p <= 1), value)


def _poisson(s: SufficientSums, rate: Floats) -> Floats:
    return _where(rate >= 0, xlogy(float(s.total[0]), rate) - s.weight * rate + s.log_base)


def _exponential(s: SufficientSums, rate: Floats) -> Floats:
    return _where(rate > 0, s.weight * np.log(rate) - rate * float(s.total[0]))


def _gaussian(s: SufficientMoments, mean: Floats, variance: Floats) -> Floats:
    quadratic = (s.scatter + s.weight * (mean - s.mean) ** 2) / variance
    return _where(variance > 0, -0.5 * (quadratic + s.weight * np.log(2 * np.pi * variance)))


def _gamma(s: SufficientSums, shape: Floats, rate: Floats) -> Floats:
    logs, total = s.total
    value = s.weight * (shape * np.log(rate) - gammaln(shape)) + (shape - 1) * logs - rate * total
    return _where((shape > 0) & (rate > 0), value)


def _beta(s: SufficientSums, a: Floats, b: Floats) -> Floats:
    first, second = s.total
    value = (a - 1) * first + (b - 1) * second - s.weight * log_beta(a, b)
    return _where((a > 0) & (b > 0), value)


_FAMILIES: dict[type[Any], tuple[tuple[str, ...], Callable[..., Floats]]] = {
    Bernoulli: (("p",), _bernoulli),
    Binomial: (("n", "p"), _binomial),
    Poisson: (("rate",), _poisson),
    Exponential: (("rate",), _exponential),
    Gaussian: (("mean", "variance"), _gaussian),
    Gamma: (("shape", "rate"), _gamma),
    Beta: (("a", "b"), _beta),
}
