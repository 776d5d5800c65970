"""Bayes estimates: the smallest posterior expected loss."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.special import roots_legendre

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.distributions import Distribution
from gramian.objectives.function import Function
from gramian.solvers import minimize
from gramian.textbook.estimation.gridded import GridPosterior

Loss: TypeAlias = Literal["squared", "absolute", "zero-one"] | Callable[..., Any]
_PANELS = 100  # panels of 20 points each, over the quantiles


def bayes_estimate(posterior: Any, loss: Loss = "squared") -> Any:
    r"""Return the estimate that minimises the expected loss under a posterior.

        theta* = argmin_t  int loss(t, theta) p(theta | X) dtheta

    Squared loss gives the posterior mean, absolute loss the median, zero-one loss the mode.

    Parameters
    ----------
    posterior
        A `GridPosterior`; draws from a posterior, shape (n,); a distribution of one variable with
        `quantile` (SciPy's `ppf`); or, for "squared" and "zero-one", a distribution of vectors.
    loss
        "squared", "absolute", "zero-one", or a function ``loss(estimate, theta)`` of arrays of
        thetas; for two parameters ``loss(estimate, theta_1, theta_2)`` with a vector `estimate`.

    Returns
    -------
    number, or an array for two parameters

    Examples
    --------
    Overestimates cost three times as much as underestimates: the 25% quantile.

    >>> from scipy.stats import norm
    >>> from gramian.textbook.estimation import bayes_estimate
    >>> loss = lambda t, theta: np.where(t > theta, 3 * (t - theta), theta - t)
    >>> round(bayes_estimate(norm(10.0, 2.0), loss), 2), round(float(norm(10.0, 2.0).ppf(0.25)), 2)
    (8.65, 8.65)
    """
    if not callable(loss) and loss not in ("squared", "absolute", "zero-one"):
        raise ParameterError(
            "bayes_estimate: loss must be 'squared', 'absolute', 'zero-one' or a function; got "
            f"{loss!r}."
        )
    if isinstance(posterior, GridPosterior):
        return _grid_estimate(posterior, loss)
    if getattr(posterior, "event_ndim", 0):
        return _vector_estimate(posterior, loss)
    if not callable(loss):
        named = _closed_form(posterior, loss)
        if named is not None:
            return named
    points, mass, mode = _weighted_points(posterior)
    if loss == "zero-one":
        return mode()
    return _minimize_over_points(points, mass, loss)


def _closed_form(posterior: Any, loss: str) -> float | None:
    """Return the estimate of a univariate distribution in closed form, or None."""
    ours = isinstance(posterior, Distribution) and posterior.event_ndim == 0
    if not (ours or hasattr(posterior, "ppf")):
        return None
    if loss == "squared":
        mean = float(posterior.mean if ours else posterior.mean())
        if not np.isfinite(mean):
            raise DataError(
                f"bayes_estimate: the mean of the posterior is {mean:g}, and no estimate has a "
                "finite expected squared loss; use loss='absolute'."
            )
        return mean
    if loss == "absolute":
        return float(posterior.quantile(0.5)) if ours else float(posterior.ppf(0.5))
    mode = float(getattr(posterior, "mode", np.nan))
    return mode if np.isfinite(mode) else None


def _vector_estimate(posterior: Any, loss: Loss) -> Any:
    """Return the mean or the mode of a distribution of vectors."""
    found = {"squared": "mean", "zero-one": "mode"}.get(loss) if isinstance(loss, str) else None
    if found is None or not hasattr(posterior, found):
        raise ParameterError(
            f"bayes_estimate: {type(posterior).__name__} is multivariate: loss must be 'squared' "
            f"or, if it has a mode, 'zero-one'; got loss={loss!r}. Pass draws "
            "or the distribution of one coordinate."
        )
    return getattr(posterior, found)


def _grid_estimate(posterior: GridPosterior, loss: Loss) -> Any:
    one = len(posterior.names) == 1
    if loss == "squared":
        return float(posterior.mean[0]) if one else posterior.mean
    if loss == "zero-one":
        return float(posterior.mode[0]) if one else posterior.mode
    if loss == "absolute":
        middle = np.array([posterior.quantile(0.5, name) for name in posterior.names])
        return float(middle[0]) if one else middle
    if one:
        points, mass, _ = _weighted_points(posterior)
        return _minimize_over_points(points, mass, loss)
    assert callable(loss)
    grids = np.meshgrid(*posterior.points, indexing="ij", sparse=True)
    mass = posterior.mass
    expected = Function(lambda t: float((mass * loss(t, *grids)).sum()), size=2)
    return np.asarray(minimize(expected, "bfgs", posterior.mean).x)


def _weighted_points(posterior: Any) -> tuple[Floats, Floats, Callable[[], float]]:
    """Return points of one variable with their probabilities, and a function for the mode."""
    quantile = getattr(posterior, "quantile", None) or getattr(posterior, "ppf", None)
    if quantile is None:
        draws = np.asarray(posterior, dtype=np.float64)
        if draws.ndim != 1 or not len(draws) or not np.isfinite(draws).all():
            raise DataError(
                "bayes_estimate: posterior must be a GridPosterior, a distribution of one variable "
                f"or finite draws of shape (n,); got {type(posterior).__name__} of shape "
                f"{draws.shape}."
            )
        return draws, np.full(len(draws), 1 / len(draws)), _no_mode
    levels, weights = _levels()
    points = np.asarray(quantile(levels), dtype=np.float64)
    log_density = getattr(posterior, "log_prob", None) or getattr(posterior, "logpdf", None)
    if log_density is None:
        return points, weights, _no_mode

    def mode() -> float:
        best = int(np.argmax(log_density(points)))
        low, high = points[max(best - 1, 0)], points[min(best + 1, len(points) - 1)]
        found = minimize_scalar(
            lambda t: -float(log_density(t)),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-10 * max(1.0, abs(low), abs(high))},
        )
        return float(found.x)

    return points, weights, mode


def _levels() -> tuple[Floats, Floats]:
    """Return points of [0, 1] and their weights in an integral."""
    nodes, weights = roots_legendre(20)
    left = np.arange(_PANELS)[:, None]
    levels = ((left + (nodes + 1) / 2) / _PANELS).ravel()
    return levels, np.tile(weights / 2 / _PANELS, _PANELS)


def _no_mode() -> float:
    raise DataError(
        "bayes_estimate: zero-one loss needs the density of the posterior; draws have none. Pass a "
        "GridPosterior or a distribution."
    )


def _minimize_over_points(points: Floats, mass: npt.NDArray[Any], loss: Loss) -> float:
    """Minimise the expected loss, first over the points, then between them."""
    if loss == "squared":
        return float(mass @ points)
    if loss == "absolute":
        order = np.argsort(points)
        at = int(np.searchsorted(np.cumsum(mass[order]), 0.5 * mass.sum()))
        return float(points[order][min(at, len(points) - 1)])
    assert callable(loss)

    def expected(t: float) -> float:
        return float(mass @ np.broadcast_to(loss(t, points), points.shape))

    candidates = np.unique(np.quantile(points, np.linspace(0, 1, 60)))
    risks = np.array([expected(float(t)) for t in candidates])
    if np.isnan(risks).any():
        raise DataError("bayes_estimate: loss must not be NaN; check it on the posterior's range.")
    best = int(np.argmin(risks))
    low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
    if not low < high:
        return float(low)
    found = minimize_scalar(
        expected,
        bounds=(float(low), float(high)),
        method="bounded",
        options={"xatol": 1e-10 * max(1.0, abs(low), abs(high))},
    )
    return float(found.x) if found.fun <= risks[best] else float(candidates[best])
