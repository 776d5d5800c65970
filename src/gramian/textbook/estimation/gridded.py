"""A posterior on a grid: its summaries, intervals, draws and predictions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.interpolate import PchipInterpolator

from gramian.base.cached import cached_property
from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats

_POINTS_BETWEEN = 16  # interpolation points between two grid points for cumulative probabilities
IntervalKind = Literal["equal-tailed", "highest-density"]


@dataclass(frozen=True, eq=False)
class GridPosterior:
    """The posterior density at the points of a grid.

    Attributes
    ----------
    names : tuple of str
        The parameters.
    points : tuple of arrays
        The points of each parameter.
    log_density : array
        Log of the normalised density, with one axis per parameter.
    weights : tuple of arrays
        Weights of the points in integrals.
    log_evidence : float
        Log of the integral of likelihood times prior: compares models if the prior is normalised.

    Examples
    --------
    >>> from gramian.textbook.estimation import grid_posterior
    >>> posterior = grid_posterior(lambda p: 8 * np.log(p) + 2 * np.log1p(-p), {"p": (0.0, 1.0)})
    >>> low, high = posterior.credible_interval(0.95)
    >>> round(low, 3), round(high, 3)
    (0.482, 0.94)
    """

    names: tuple[str, ...]
    points: tuple[Floats, ...]
    log_density: Floats
    weights: tuple[Floats, ...]
    log_evidence: float

    @cached_property
    def density(self) -> Floats:
        """The density at the points."""
        return np.asarray(np.exp(self.log_density))

    @cached_property
    def mass(self) -> Floats:
        """Density times weight: probabilities of the points, which sum to one."""
        mass = np.exp(self.log_density)
        for axis, weight in enumerate(self.weights):
            mass *= np.expand_dims(weight, tuple(range(1, mass.ndim - axis)))
        mass /= mass.sum()
        return np.asarray(mass)

    @property
    def mean(self) -> Floats:
        """Posterior mean of each parameter: the Bayes estimate for squared loss."""
        return np.array([self._mass_of(i) @ x for i, x in enumerate(self.points)])

    @property
    def mode(self) -> Floats:
        """The point of largest density: the MAP estimate, up to the grid spacing."""
        at = np.unravel_index(int(np.argmax(self.log_density)), self.log_density.shape)
        return np.array([x[i] for x, i in zip(self.points, at, strict=True)])

    @property
    def covariance(self) -> Floats:
        """Posterior covariance matrix of the parameters."""
        away = [x - m for x, m in zip(self.points, self.mean, strict=True)]
        variances = np.diag([self._mass_of(i) @ d**2 for i, d in enumerate(away)])
        if len(away) == 2:
            variances[0, 1] = variances[1, 0] = away[0] @ self.mass @ away[1]
        return np.asarray(variances)

    def marginal(self, name: str) -> "GridPosterior":
        """Return the marginal posterior of one parameter.

        Parameters
        ----------
        name
            The parameter.
        """
        i = self._index(name)
        with np.errstate(divide="ignore"):
            logs = np.log(self._mass_of(i)) - np.log(self.weights[i])
        return GridPosterior(
            (name,), (self.points[i],), logs, (self.weights[i],), self.log_evidence
        )

    def expectation(self, f: Callable[..., Any]) -> float:
        """Return E[f(theta) | X].

        Parameters
        ----------
        f
            A function of the parameters, given as arrays.
        """
        values = f(*np.meshgrid(*self.points, indexing="ij", sparse=True))
        return float((self.mass * values).sum())

    def quantile(self, q: npt.ArrayLike, name: str | None = None) -> Any:
        """Return quantiles of a parameter.

        Parameters
        ----------
        q
            Probabilities in [0, 1].
        name
            The parameter; may be omitted if there is only one.
        """
        asked = np.asarray(q, dtype=np.float64)
        if not ((asked >= 0) & (asked <= 1)).all():
            raise ParameterError(f"GridPosterior.quantile: q must be in [0, 1]; got {q!r}.")
        x, cumulated = self._cumulative_mass(name)
        found = np.interp(asked, cumulated, x)
        return float(found) if found.ndim == 0 else found

    def credible_interval(
        self,
        mass: float = 0.95,
        name: str | None = None,
        *,
        kind: IntervalKind = "equal-tailed",
    ) -> tuple[float, float]:
        """Return an interval that contains a parameter with the given probability.

        Parameters
        ----------
        mass
            The probability, between 0 and 1.
        name
            The parameter; may be omitted if there is only one.
        kind
            "equal-tailed": equal probability below and above. "highest-density": the shortest.
        """
        if not 0 < mass < 1:
            raise ParameterError(
                f"GridPosterior.credible_interval: mass must be between 0 and 1; got {mass!r}."
            )
        if kind == "equal-tailed":
            low, high = self.quantile([(1 - mass) / 2, (1 + mass) / 2], name)
            return float(low), float(high)
        if kind != "highest-density":
            raise ParameterError(
                "GridPosterior.credible_interval: kind must be 'equal-tailed' or "
                f"'highest-density'; got {kind!r}."
            )
        below = np.linspace(0, 1 - mass, 2001)
        lows, highs = self.quantile(below, name), self.quantile(below + mass, name)
        at = int(np.argmin(highs - lows))
        return float(lows[at]), float(highs[at])

    def credible_mass(self, low: float, high: float, name: str | None = None) -> float:
        """Return the posterior probability that a parameter lies between two numbers.

        Parameters
        ----------
        low, high
            The interval.
        name
            The parameter; may be omitted if there is only one.
        """
        x, cumulated = self._cumulative_mass(name)
        below, above = np.interp([low, high], x, cumulated)
        return float(max(0.0, above - below))

    def predictive(self, density: Callable[..., Any], x: npt.ArrayLike) -> Floats:
        """Return the posterior predictive int p(x | theta) p(theta | X) dtheta.

        For any other function g(x, theta) the result is its posterior mean, as for the output of a
        Bayesian regression.

        Parameters
        ----------
        density
            ``density(x, theta)``, or ``(x, theta_1, theta_2)``, of arrays.
        x
            Points at which to evaluate it, shape (m,).
        """
        at = np.asarray(x, dtype=np.float64)
        grids = np.meshgrid(*self.points, indexing="ij", sparse=True)
        mass = self.mass
        values = [float((mass * density(one, *grids)).sum()) for one in at.ravel()]
        return np.array(values).reshape(at.shape)

    def sample(self, n: int, random_state: object = None) -> Floats:
        """Draw points of the grid in proportion to their probability, shape (n, parameters).

        Parameters
        ----------
        n
            Number of draws.
        random_state
            Seed or generator for the random draws.
        """
        rng = stream(seed_of(random_state))
        drawn = rng.choice(self.log_density.size, size=n, p=self.mass.ravel())
        places = np.unravel_index(drawn, self.log_density.shape)
        return np.column_stack([x[i] for x, i in zip(self.points, places, strict=True)])

    def _index(self, name: str | None) -> int:
        if name is None and len(self.names) == 1:
            return 0
        if name not in self.names:
            raise DataError(f"GridPosterior: the parameters are {self.names!r}; got {name!r}.")
        return self.names.index(name)

    def _mass_of(self, i: int) -> Floats:
        mass = self.mass
        return np.asarray(mass if mass.ndim == 1 else mass.sum(axis=1 - i))

    def _cumulative_mass(self, name: str | None) -> tuple[Floats, Floats]:
        """Return interpolation points and the probability below each of them."""
        i = self._index(name)
        x, weights = self.points[i], self.weights[i]
        density = self._mass_of(i) / weights
        outside = (
            weights.sum() - (x[-1] - x[0])
        ) / 2  # Gauss-Legendre points do not include the ends
        low, high = x[0] - outside, x[-1] + outside
        knots = np.unique(np.concatenate([[low], x, [high]]))
        inner = np.linspace(knots[:-1], knots[1:], _POINTS_BETWEEN, endpoint=False, axis=1)
        fine = np.append(inner, high)
        cumulated = PchipInterpolator(x, density).antiderivative()(fine)
        cumulated = np.maximum.accumulate(cumulated - cumulated[0])
        return fine, cumulated / cumulated[-1]
