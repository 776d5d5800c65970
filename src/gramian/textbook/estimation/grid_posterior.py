r"""The posterior of one or two parameters on a grid, for any likelihood and prior.

    p(theta | X) = p(X | theta) p(theta) / int p(X | theta') p(theta') dtheta'

The integral is a weighted sum over the points of the grid: the trapezium rule on given points,
Gauss-Legendre quadrature on an interval. Reference: Bishop, Pattern Recognition and Machine
Learning, 2006, section 1.2.3.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import roots_legendre

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.textbook.estimation.gridded import GridPosterior
from gramian.textbook.estimation.statistics_likelihood import likelihood_of_statistics

LogFunction: TypeAlias = Callable[..., Any]
_BLOCK = 4_000_000  # maximum size of a block of observations times points


def grid_posterior(
    likelihood: LogFunction | type[Any],
    parameters: Mapping[str, npt.ArrayLike],
    *,
    data: npt.ArrayLike | None = None,
    prior: LogFunction | Any = None,
    resolution: int = 200,
    **known: Any,
) -> GridPosterior:
    """Return the posterior of one or two parameters on a grid.

    Parameters
    ----------
    likelihood
        One of three. A function ``likelihood(theta)``, or ``(theta_1, theta_2)``: the log
        likelihood of all data at arrays of parameters. With `data`, a function ``likelihood(x,
        theta)``: the log density of observations, summed here. With `data`, a class of
        `gramian.distributions` whose parameters are named: its sufficient statistics are computed
        once, and a point of the grid costs the same for any number of observations.
    parameters
        Name and grid of each parameter: increasing points, or two numbers (low, high), an
        interval with `resolution` Gauss-Legendre points.
    data
        The observations, a row each, or the sufficient statistics of a distribution. None or empty:
        no observations.
    prior
        The log density of the prior: a function of the parameters, or for one parameter an object
        with `log_prob` or `logpdf`; it need not be normalised. None means flat.
    resolution
        Points of each interval.
    **known
        Parameters of a distribution that are known, such as ``n=10`` for `Binomial`.

    Returns
    -------
    GridPosterior
        Mean, mode, covariance, credible intervals, evidence, predictions.

    Examples
    --------
    Eight heads in ten tosses, with a flat prior: the posterior is Beta(9, 3).

    >>> from gramian.textbook.estimation import grid_posterior
    >>> coin = grid_posterior(lambda p: 8 * np.log(p) + 2 * np.log1p(-p), {"p": (0.0, 1.0)})
    >>> coin.mean.round(6), coin.mode.round(2)
    (array([0.75]), array([0.8]))
    """
    named = {
        str(name): _axis(name, grid_or_interval, resolution)
        for name, grid_or_interval in parameters.items()
    }
    if not 1 <= len(named) <= 2:
        raise ParameterError(
            f"grid_posterior: there must be one or two parameters; got {len(named)}. Use "
            "maximum_a_posteriori for more."
        )
    points = [axis for axis, _ in named.values()]
    weights = [weight for _, weight in named.values()]
    grids = list(np.meshgrid(*points, indexing="ij", sparse=True))
    shape = tuple(len(axis) for axis in points)
    at = dict(zip(named, grids, strict=True))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logs = _on_grid("likelihood", _log_likelihood(likelihood, at, data, known), shape)
        if prior is not None:
            logs += _on_grid("prior", _log_prior(prior, grids), shape)
    top = float(logs.max())
    if np.isfinite(top):
        logs -= top
    with np.errstate(divide="ignore"):  # every point is impossible: -inf
        log_integral = float(np.log(_integral(np.exp(logs), weights)))
    log_evidence = top + log_integral
    if not np.isfinite(log_evidence):
        raise DataError(
            "grid_posterior: the data are impossible at every point of the grid; widen the grid, "
            "or check data and prior."
        )
    logs -= log_integral
    return GridPosterior(tuple(named), tuple(points), logs, tuple(weights), log_evidence)


def _integral(values: Floats, weights: list[Floats]) -> float:
    for weight in reversed(weights):
        values = values @ weight
    return float(values)


def _axis(name: str, grid_or_interval: npt.ArrayLike, resolution: int) -> tuple[Floats, Floats]:
    """Return quadrature points and weights of a parameter."""
    values = np.asarray(grid_or_interval, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ParameterError(
            f"grid_posterior: the grid of {name!r} must be at least 2 finite numbers; got "
            f"{values!r}."
        )
    steps = np.diff(values)
    if not (steps > 0).all():
        raise ParameterError(f"grid_posterior: the grid of {name!r} must increase.")
    if len(values) == 2:
        if not (isinstance(resolution, int | np.integer) and resolution >= 2):
            raise ParameterError(
                f"grid_posterior: resolution must be an integer >= 2; got {resolution!r}."
            )
        nodes, weights = roots_legendre(int(resolution))
        low, high = values
        return low + (high - low) * (nodes + 1) / 2, weights * (high - low) / 2
    ends = np.concatenate([[0.0], steps, [0.0]])
    return values, (ends[:-1] + ends[1:]) / 2


def _log_likelihood(
    likelihood: Any, grids: Mapping[str, Floats], data: Any, known: Mapping[str, Any]
) -> Any:
    if isinstance(likelihood, type):
        if data is None:
            raise ParameterError(
                f"grid_posterior: pass data with the distribution {likelihood.__name__}."
            )
        return likelihood_of_statistics(likelihood, data, grids, known)
    rows = None if data is None else np.asarray(data)
    if known:
        raise ParameterError(
            f"grid_posterior: {', '.join(known)} belong to a distribution, not a function."
        )
    if not callable(likelihood):
        raise ParameterError(
            "grid_posterior: likelihood must be a function or a distribution class; got "
            f"{likelihood!r}."
        )
    if rows is None:
        return likelihood(*grids.values())
    return 0.0 if not len(rows) else _sum_over(likelihood, rows, list(grids.values()))


def _sum_over(log_density: LogFunction, rows: npt.NDArray[Any], grids: list[Floats]) -> Floats:
    """Return the sum of the log density over all rows, at every point; rows in blocks."""
    cells = int(np.prod([grid.size for grid in grids]))
    step = max(1, _BLOCK // cells)
    total: Any = 0.0
    flat = [grid[None] for grid in grids]
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        block = block.reshape(block.shape[:1] + (1,) * len(grids) + block.shape[1:])
        values = np.asarray(log_density(block, *flat), dtype=np.float64)
        if values.ndim != len(grids) + 1 or len(values) != len(block):
            raise DataError(
                "grid_posterior: likelihood(x, theta) must return a log density for each "
                f"observation and point; got shape {values.shape}."
            )
        total = total + values.sum(axis=0)
    return np.asarray(total)


def _log_prior(prior: Any, grids: list[Floats]) -> Any:
    for name in ("log_prob", "logpdf"):
        if hasattr(prior, name):
            if len(grids) != 1:
                raise ParameterError(
                    "grid_posterior: for two parameters, prior must be a function of both; got "
                    f"{type(prior).__name__}. Sum the log densities of two priors in a function."
                )
            return getattr(prior, name)(grids[0])
    if not callable(prior):
        raise ParameterError(
            f"grid_posterior: prior must be a function that returns log densities; got {prior!r}."
        )
    return prior(*grids)


def _on_grid(name: str, values: npt.ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a new array of log densities; NaN becomes -inf, and plus infinity is an error."""
    array = np.asarray(values, dtype=np.float64)
    try:
        full = np.array(np.broadcast_to(array, shape))
    except ValueError:
        raise DataError(
            f"grid_posterior: {name} must return one number for each point, shape {shape}; got "
            f"shape {array.shape}."
        ) from None
    if (full == np.inf).any():
        raise DataError(
            f"grid_posterior: {name} is infinite at a point of the grid; move the grid, or pass "
            "an interval, whose ends are not grid points."
        )
    full[np.isnan(full)] = -np.inf
    return full
