r"""Point estimates for any likelihood and prior, by optimisation.

    theta_ML  = argmax_theta  sum_i log p(x_i | theta)
    theta_MAP = argmax_theta  sum_i log p(x_i | theta) + log p(theta)

Reference: Bishop, Pattern Recognition and Machine Learning, 2006, sections 1.2.3 to 1.2.5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.distributions import Distribution
from gramian.objectives.derivatives import numeric_hessian
from gramian.objectives.function import Function
from gramian.solvers import minimize
from gramian.textbook.estimation.free_coordinates import FreeCoordinates

LogFunction: TypeAlias = Callable[..., Any]
Bounds: TypeAlias = Sequence[tuple[float | None, float | None]]
_IMPOSSIBLE = 1e300  # cost of impossible parameters; solvers step back from it


@dataclass(frozen=True, eq=False)
class PointEstimate:
    """The parameters of maximum likelihood or posterior density.

    Attributes
    ----------
    x : array
        The parameters.
    log_value : float
        The log likelihood there, plus the log prior for MAP.
    covariance : array
        The inverse of the negative Hessian: the curvature's estimate of the sampling covariance
        (maximum likelihood) or of the posterior covariance (Laplace's approximation). NaN if the
        maximum is on a bound or flat.
    converged : bool
        Whether the solver reached its tolerance.
    """

    x: Floats
    log_value: float
    covariance: Floats
    converged: bool

    @property
    def standard_errors(self) -> Floats:
        """Square roots of the diagonal of the covariance."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def total_log_likelihood(log_density: LogFunction | Any, data: npt.ArrayLike, *theta: Any) -> float:
    """Return sum_i log p(x_i | theta) of independent observations.

    Parameters
    ----------
    log_density
        A function ``log_density(x, *theta)`` of an array of observations, or a distribution with
        `log_prob`, or a SciPy distribution with `logpdf` or `logpmf`.
    data
        The observations, a row each.
    *theta
        The parameters of a function.

    Returns
    -------
    float

    Examples
    --------
    >>> from gramian.textbook.estimation import total_log_likelihood
    >>> log_density = lambda x, rate: np.log(rate) - rate * x
    >>> round(total_log_likelihood(log_density, [1.0, 2.0, 3.0], 0.5), 4)
    -5.0794
    """
    rows = np.asarray(data)
    method = _log_method(log_density)
    return float(np.sum(method(rows, *theta))) if len(rows) else 0.0


def _log_method(density: Any) -> Callable[..., Any]:
    if hasattr(density, "log_prob"):
        return density.log_prob  # type: ignore[no-any-return]
    if hasattr(getattr(density, "dist", None), "pmf"):
        return density.logpmf  # type: ignore[no-any-return]
    for name in ("logpdf", "logpmf"):
        if hasattr(density, name):
            return getattr(density, name)  # type: ignore[no-any-return]
    if callable(density):
        return density  # type: ignore[no-any-return]
    raise ParameterError(
        "total_log_likelihood: log_density must be a function of observations and parameters or a "
        f"distribution; got {density!r}."
    )


def maximum_likelihood(
    likelihood: LogFunction | type[Distribution],
    start: npt.ArrayLike,
    *,
    data: npt.ArrayLike | None = None,
    bounds: Bounds | None = None,
    solver: str = "bfgs",
) -> PointEstimate:
    """Return the parameters that make the data most probable.

    For user-defined likelihoods; distributions of `gramian.distributions` have their own `fit`.

    Parameters
    ----------
    likelihood
        A function ``likelihood(theta_1, ..., theta_k)``: the log likelihood of all data. With
        `data`, ``likelihood(x, theta_1, ..., theta_k)``: log densities, summed here. Or, with
        `data`, a class of `gramian.distributions` whose parameters are the thetas.
    start
        The parameters to start from, inside `bounds`; the result is a local maximum.
    data
        The observations, a row each.
    bounds
        The range of each parameter, as ``[(None, None), (0, None)]`` for a mean and a variance.
        None means all real numbers.
    solver
        Name of a solver of `gramian.solvers.minimize`.

    Returns
    -------
    PointEstimate
        The parameters, the log likelihood there, and their covariance.

    Examples
    --------
    >>> from gramian.textbook.estimation import maximum_likelihood
    >>> found = maximum_likelihood(
    ...     lambda x, rate: np.log(rate) - rate * x, 1.0, data=[1.0, 2.0, 3.0], bounds=[(0, None)]
    ... )
    >>> found.x.round(6)
    array([0.5])
    """
    return _maximise("maximum_likelihood", likelihood, None, start, data, bounds, solver)


def maximum_a_posteriori(
    likelihood: LogFunction | type[Distribution],
    prior: LogFunction | Any | None,
    start: npt.ArrayLike,
    *,
    data: npt.ArrayLike | None = None,
    bounds: Bounds | None = None,
    solver: str = "bfgs",
) -> PointEstimate:
    """Return the mode of the posterior.

    With a flat prior it is the maximum likelihood estimate; the two converge as observations are
    added.

    Parameters
    ----------
    likelihood, start, data, bounds, solver
        As for `maximum_likelihood`.
    prior
        The log density of the prior: a function of all parameters, or for one parameter a
        distribution with `log_prob` or `logpdf`. None means flat.

    Returns
    -------
    PointEstimate
        The parameters, log likelihood plus log prior there, and their covariance.

    Examples
    --------
    Exponential waiting times with the prior e^-theta: n / (sum x + 1).

    >>> from gramian.textbook.estimation import maximum_a_posteriori
    >>> found = maximum_a_posteriori(
    ...     lambda x, rate: np.log(rate) - rate * x,
    ...     lambda rate: -rate,
    ...     1.0,
    ...     data=[1.0, 2.0, 3.0],
    ...     bounds=[(0, None)],
    ... )
    >>> found.x.round(5)  # 3 / 7
    array([0.42857])
    """
    return _maximise("maximum_a_posteriori", likelihood, prior, start, data, bounds, solver)


def _maximise(
    owner: str,
    likelihood: LogFunction | type[Distribution],
    prior: Any,
    start: npt.ArrayLike,
    data: npt.ArrayLike | None,
    bounds: Bounds | None,
    solver: str,
) -> PointEstimate:
    first = np.atleast_1d(np.asarray(start, dtype=np.float64))
    free = FreeCoordinates.of(owner, bounds, first)
    rows = None if data is None else np.asarray(data)
    of_prior = None if prior is None else _log_method(prior)
    of_data: LogFunction = likelihood
    if isinstance(likelihood, type):
        of_data = _of_family(owner, likelihood, rows)

    def log_posterior(theta: Floats) -> float:
        values = [float(t) for t in theta]
        with np.errstate(all="ignore"):
            if rows is None:
                logs = of_data(*values)
            else:
                logs = np.sum(of_data(rows, *values)) if len(rows) else 0.0
            total = np.asarray(logs if of_prior is None else logs + of_prior(*values))
        if total.size != 1:
            raise DataError(
                f"{owner}: likelihood and prior must each return one number"
                f"{'' if rows is None else ' per observation'}; got shape {total.shape}."
            )
        return float(total.reshape(()))

    at_start = log_posterior(first)
    if not np.isfinite(at_start):
        raise DataError(
            f"{owner}: likelihood and prior must be finite at start={first.tolist()!r}; their log "
            f"is {at_start}. Choose another start, or pass bounds."
        )

    def cost(z: Floats) -> float:
        value = log_posterior(free.from_free(z))
        return -value if np.isfinite(value) else _IMPOSSIBLE

    found = minimize(Function(cost, size=len(first)), solver, free.to_free(first))
    theta = free.from_free(np.asarray(found.x, dtype=np.float64))
    return PointEstimate(
        theta, log_posterior(theta), _covariance(log_posterior, theta), bool(found.converged)
    )


def _of_family(
    owner: str, family: type[Distribution], rows: npt.NDArray[Any] | None
) -> LogFunction:
    """Return the log density of a family as a function; -inf for invalid parameters."""
    if not issubclass(family, Distribution) or rows is None:
        raise ParameterError(
            f"{owner}: likelihood must be a function, or with data a class of "
            f"gramian.distributions; got {family.__name__}{' without data' * (rows is None)}."
        )

    made: Any = family

    def log_density(x: npt.NDArray[Any], *theta: float) -> Any:
        try:
            return made(*theta).log_prob(x)
        except ParameterError:
            return np.full(len(x), -np.inf)

    return log_density


def _covariance(log_posterior: Callable[[Floats], float], theta: Floats) -> Floats:
    """Return the inverse of the negative Hessian; NaN if that is not a covariance."""
    unknown = np.full((len(theta), len(theta)), np.nan)
    information = -np.asarray(numeric_hessian(log_posterior, theta))
    if not np.isfinite(information).all() or np.linalg.eigvalsh(information)[0] <= 0:
        return unknown
    return np.asarray(np.linalg.inv(information))
