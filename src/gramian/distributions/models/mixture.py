"""Mixtures of distributions."""

import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import entr, logsumexp

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Instance
from gramian.base.inputs.weights import check_sample_weight
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.distributions.common.distribution import (
    Distribution,
    Vector,
    distribution,
    number_or_array,
)
from gramian.distributions.common.quantile_quadrature import integrate
from gramian.distributions.common.simplex import check_probabilities

Components = Annotated[Sequence[Distribution], Instance((list, tuple), "a list of distributions")]

_MAX_COUNTS = 10**8  # in the sum of an entropy
_BLOCK = 2**20


class _ForQuadrature:
    """A continuous univariate distribution with the interface of `quantile_quadrature`."""

    slow_quantile = False

    def __init__(self, part: Distribution) -> None:
        self.log_density: Callable[[Any], Any] = part.log_prob
        self.quantile: Callable[[Any], Any] | None = part.quantile


@distribution
class Mixture(Distribution):
    """A mixture: each event comes from one of several distributions, chosen by the weights.

    p(x) = sum_k weights_k p_k(x).

    Parameters
    ----------
    weights
        Probability of each component, shape (K,).
    components
        The K distributions, all of the same kind of event.

    Examples
    --------
    >>> from gramian.distributions import Gaussian
    >>> two = Mixture([0.5, 0.5], [Gaussian(-1, 1), Gaussian(1, 1)])
    >>> two.mean, two.variance
    (0.0, 2.0)
    """

    weights: Vector
    components: Components

    def _check(self) -> None:
        owner = type(self).__name__
        weights = check_probabilities(owner, "weights", self._store("weights", self.weights))
        self._store("weights", weights)
        object.__setattr__(self, "components", tuple(self.components))
        if not all(isinstance(part, Distribution) for part in self.components):
            raise ParameterError(f"{owner}: components must be distributions.")
        if len(self.components) != len(weights):
            raise ParameterError(
                f"{owner}: weights must have one entry per component; got {len(weights)} weights "
                f"and {len(self.components)} components."
            )
        kinds = {(part.event_ndim, part.discrete) for part in self.components}
        if len(kinds) > 1:
            raise ParameterError(
                f"{owner}: components must all have the same kind of event; got "
                f"{', '.join(type(part).__name__ for part in self.components)}."
            )

    @property
    def event_ndim(self) -> int:  # type: ignore[override]
        """The number of axes of an event, as in the components."""
        return self.components[0].event_ndim

    @property
    def discrete(self) -> bool:  # type: ignore[override]
        """Whether the components are discrete."""
        return self.components[0].discrete

    @property
    def mean(self) -> Any:
        """The weighted mean of the means."""
        return number_or_array(np.tensordot(self.weights, [p.mean for p in self.components], 1))

    @property
    def variance(self) -> Any:
        """The mean variance within plus the variance between the components."""
        means = np.array([part.mean for part in self.components])
        within = np.array([part.variance for part in self.components])
        return number_or_array(np.tensordot(self.weights, within + (means - self.mean) ** 2, 1))

    @property
    def covariance(self) -> Floats:
        """The mean covariance within plus the covariance between components of vectors."""
        parts: Any = self.components
        away = np.array([part.mean for part in parts]) - self.mean
        within = np.array([part.covariance for part in parts])
        return np.asarray(np.tensordot(self.weights, within, 1) + (away.T * self.weights) @ away)

    def log_joint(self, x: npt.ArrayLike) -> Any:
        """Return log(weights_k p_k(x)), the components along the last axis."""
        logs = np.stack([part.log_prob(x) for part in self.components], axis=-1)
        with np.errstate(divide="ignore"):
            return logs + np.log(self.weights)

    def posterior(self, x: npt.ArrayLike) -> Any:
        """Return the probability of each component given x, along the last axis."""
        joint = self.log_joint(x)
        with np.errstate(invalid="ignore"):  # NaN if x is impossible
            return np.exp(joint - logsumexp(joint, axis=-1, keepdims=True))

    def _log_prob(self, x: Floats) -> Floats:
        return logsumexp(self.log_joint(x), axis=-1)

    def _cdf(self, x: Floats) -> Floats:
        return np.tensordot(self.weights, [part.cdf(x) for part in self.components], 1)

    def _quantile(self, q: Floats) -> Floats:
        ends = np.array([part.quantile(q) for part in self.components])
        used = ends[self.weights > 0]
        low, high = used.min(axis=0), used.max(axis=0)
        for _ in range(200):  # halves the range of the components' quantiles
            middle = low + (high - low) / 2
            if self.discrete:
                middle = np.floor(middle)
            enough = self.cdf(middle) >= q
            moved = np.where(enough, middle < high, middle > low)
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
            if not moved.any():
                break
        if self.discrete:
            return np.asarray(np.where(self.cdf(low) >= q, low, high))
        return np.asarray(high)

    def entropy_bounds(self, base: float = math.e) -> tuple[float, float]:
        """Return a lower and an upper bound of the entropy.

        The lower one is the mean entropy of the components; the upper one adds the entropy of the
        weights, and is reached if the components do not overlap.
        """
        used = self.weights > 0
        parts = [part.entropy(base) for part, use in zip(self.components, used, strict=True) if use]
        within = float(self.weights[used] @ parts)
        return within, within + float(entr(self.weights).sum() / math.log(base))

    def _entropy(self) -> float:
        """Return the entropy of numbers: a sum over counts, or quadrature over each component."""
        if self.event_ndim:
            raise NotImplementedError(
                "Mixture: no closed form for the entropy of vectors; entropy_bounds() bounds it, "
                "and the mean of -mixture.log_prob(x) over x = mixture.sample(n) estimates it."
            )
        used = [(w, part) for w, part in zip(self.weights, self.components, strict=True) if w > 0]
        if self.discrete:
            ends = np.array([part.quantile([1e-18, 1 - 1e-16]) for _, part in used])
            low, high = ends[:, 0].min(), ends[:, 1].max() + 1
            if high - low > _MAX_COUNTS:
                raise ParameterError(
                    f"Mixture: entropy adds up at most {_MAX_COUNTS} counts; the components "
                    f"spread over {high - low:.3g}. entropy_bounds() bounds it, and the mean of "
                    "-mixture.log_prob(x) over x = mixture.sample(n) estimates it."
                )
            starts = np.arange(low, high, _BLOCK)
            blocks = (np.arange(at, min(at + _BLOCK, high)) for at in starts)
            return math.fsum(float(entr(self.prob(block)).sum()) for block in blocks)
        found = [
            integrate(lambda x: -self.log_prob(x), _ForQuadrature(part)).value for _, part in used
        ]
        return float(self.weights[self.weights > 0] @ found)

    def _mgf(self, t: Floats) -> Floats:
        return np.tensordot(self.weights, [part.mgf(t) for part in self.components], 1)

    def sample_with_components(
        self, n: int | None = None, random_state: object = None
    ) -> tuple[Any, Any]:
        """Draw events, and the number of the component of each."""
        rng = stream(seed_of(random_state))
        count = self._check_n(n)
        steps = self.weights.cumsum()
        which = np.searchsorted(steps / steps[-1], rng.random(count), side="right")
        drawn: Any = None
        for k, part in enumerate(self.components):
            here = np.flatnonzero(which == k)
            events = np.asarray(part.sample(len(here), rng))
            if drawn is None:
                drawn = np.empty((count, *events.shape[1:]), dtype=events.dtype)
            drawn = drawn.astype(np.result_type(drawn, events), copy=False)
            drawn[here] = events
        return (drawn[0], which[0]) if n is None else (drawn, which)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return self.sample_with_components(n, rng)[0]

    @classmethod
    def fit(
        cls,
        data: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        start: "Mixture | None" = None,
        max_iter: int = 1000,
        tol: float = 1e-10,
        **fixed: Any,
    ) -> Self:
        """Return a local maximum of the likelihood, by EM from a starting mixture.

        Parameters
        ----------
        data
            Independent events.
        sample_weight
            One weight per event.
        start
            The mixture from which EM starts; its components' families are kept.
        max_iter
            Maximum number of iterations.
        tol
            Stop when the mean log-likelihood increases by less than this.
        fixed
            Parameters of the components that are known.

        Returns
        -------
        Mixture
            Fitted weights and components.
        """
        if not isinstance(start, Mixture):
            raise ParameterError(
                f"{cls.__name__}.fit: start must be a Mixture for EM to start from; got {start!r}."
            )
        events = np.asarray(data, dtype=np.float64)
        row_weights = check_sample_weight(cls.__name__, sample_weight, len(events))
        weights = np.full(len(events), 1.0) if row_weights is None else row_weights
        model, before = start, -math.inf
        for _ in range(max_iter):
            joint = model.log_joint(events)
            logs = logsumexp(joint, axis=1)
            if not np.isfinite(logs[weights > 0]).all():
                raise DataError(
                    f"{cls.__name__}.fit: every event must have a positive density under start; "
                    f"row {int(np.argmin(logs))} has density 0."
                )
            now = float(weights @ np.where(weights > 0, logs, 0.0)) / weights.sum()
            if now - before < tol:
                break
            before = now
            responsibilities = np.exp(joint - logs[:, None]) * weights[:, None]
            parts = [
                type(part).fit(events, weight, **fixed)
                for part, weight in zip(model.components, responsibilities.T, strict=True)
            ]
            model = cls(responsibilities.sum(axis=0) / weights.sum(), parts)
        return cls(model.weights, model.components)
