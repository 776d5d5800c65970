"""Credible intervals: they contain a parameter with a given probability."""

import math
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from gramian.base.errors import ParameterError
from gramian.distributions import (
    Beta,
    Dirichlet,
    Empirical,
    Gaussian,
    MultivariateGaussian,
    MultivariateStudentT,
    StudentT,
)
from gramian.textbook.estimation.gridded import GridPosterior, IntervalKind


def credible_interval(
    belief: Any, mass: float = 0.95, *, kind: IntervalKind = "equal-tailed"
) -> Any:
    """Return an interval that contains a parameter with the given probability.

    Parameters
    ----------
    belief
        The distribution of a parameter: one with `quantile` (SciPy's `ppf`), a `GridPosterior` of
        one parameter, draws from a posterior, shape (n,), or a `Dirichlet`,
        `MultivariateGaussian` or `MultivariateStudentT`, whose coordinates get an interval each.
    mass
        The probability, between 0 and 1.
    kind
        "equal-tailed": equal probability below and above. "highest-density": the shortest.

    Returns
    -------
    (low, high), or an array of shape (coordinates, 2)

    Examples
    --------
    >>> from gramian.distributions import Beta
    >>> from gramian.textbook.estimation import credible_interval
    >>> low, high = credible_interval(Beta(10, 4), 0.9)
    >>> round(low, 3), round(high, 3)
    (0.505, 0.887)
    """
    if not 0 < mass < 1:
        raise ParameterError(f"credible_interval: mass must be between 0 and 1; got {mass!r}.")
    if kind not in ("equal-tailed", "highest-density"):
        raise ParameterError(
            f"credible_interval: kind must be 'equal-tailed' or 'highest-density'; got {kind!r}."
        )
    if isinstance(belief, GridPosterior):
        return belief.credible_interval(mass, kind=kind)
    parts = _coordinates(belief)
    if parts is not None:
        return np.array([credible_interval(part, mass, kind=kind) for part in parts])
    if isinstance(belief, list | np.ndarray):
        belief = Empirical(belief)
    quantile = getattr(belief, "quantile", None) or getattr(belief, "ppf", None)
    if quantile is None or getattr(belief, "event_ndim", False):
        raise ParameterError(
            f"credible_interval: belief must have quantiles; got {type(belief).__name__}. Pass a "
            "univariate distribution, or draws from it."
        )
    if kind == "equal-tailed":
        low, high = quantile(np.array([(1 - mass) / 2, (1 + mass) / 2]))
        return float(low), float(high)
    return _shortest(quantile, mass)


def _coordinates(belief: Any) -> list[Any] | None:
    """Return the marginal distribution of each coordinate, or None for a scalar."""
    if isinstance(belief, Dirichlet):
        alpha = np.asarray(belief.alpha)
        return [Beta(a, alpha.sum() - a) for a in alpha.tolist()]
    if isinstance(belief, MultivariateGaussian):
        pairs = zip(belief.mean.tolist(), np.diag(belief.covariance).tolist(), strict=True)
        return [Gaussian(mean, variance) for mean, variance in pairs]
    if isinstance(belief, MultivariateStudentT):
        pairs = zip(belief.location.tolist(), np.diag(belief.scale).tolist(), strict=True)
        return [StudentT(belief.df, center, math.sqrt(square)) for center, square in pairs]
    return None


def _shortest(quantile: Any, mass: float) -> tuple[float, float]:
    """Return the shortest interval: by grid search, then by Brent's method near the best."""

    def width(below: float) -> float:
        low, high = quantile(np.array([below, below + mass]))
        return float(high - low)

    levels = np.linspace(0, 1 - mass, 201)
    lows, highs = np.asarray(quantile(levels)), np.asarray(quantile(np.minimum(levels + mass, 1)))
    with np.errstate(invalid="ignore"):
        widths = np.where(np.isfinite(highs - lows), highs - lows, np.inf)
    best = int(np.argmin(widths))
    bounds = levels[max(best - 1, 0)], levels[min(best + 1, 200)]
    found = minimize_scalar(width, bounds=bounds, method="bounded", options={"xatol": 1e-10})
    at = float(found.x) if found.fun < widths[best] else float(levels[best])
    low, high = quantile(np.array([at, min(at + mass, 1.0)]))
    return float(low), float(high)
