"""Exponential families whose members are distributions of gramian."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian.base.types import Floats, FloatVector
from gramian.distributions.common.distribution import Distribution
from gramian.textbook.exponential_families.exponential_family import ExponentialFamily


@dataclass(frozen=True)
class NaturalForm(ExponentialFamily):
    """An exponential family whose members are distributions of gramian.

    Parameters
    ----------
    to_natural
        Takes a distribution, returns eta.
    from_natural
        Takes eta, returns the distribution.
    log_density
        Takes events and eta, returns log p(x | eta) without the cancellation of h, u and A; None
        takes the density of the distribution, if its parameters have all digits of eta.

    Examples
    --------
    >>> from gramian.distributions import Bernoulli
    >>> from gramian.textbook.exponential_families import natural_form
    >>> form = natural_form(Bernoulli)
    >>> form.natural_parameter(Bernoulli(0.5))
    array([0.])
    >>> form.member([0.0])
    Bernoulli(p=0.5)
    """

    to_natural: Callable[[Any], Any] = lambda distribution: distribution
    from_natural: Callable[[FloatVector], Any] = lambda eta: eta
    log_density: Callable[[Floats, FloatVector], Any] | None = None

    def log_prob(self, x: Any, eta: Any) -> Floats:
        """Return log p(x | eta) for events along the first axis."""
        point, events = self._point(eta), np.asarray(x, dtype=np.float64)
        if self.log_density is None:
            return np.asarray(self.member(point).log_prob(events))
        with np.errstate(all="ignore"):
            return np.asarray(self.log_density(events, point))

    def natural_parameter(self, distribution: Distribution) -> Floats:
        """Return the eta of a distribution of the family."""
        return np.atleast_1d(np.asarray(self.to_natural(distribution), dtype=np.float64))

    def member(self, eta: Any) -> Any:
        """Return the distribution with this natural parameter."""
        return self.from_natural(self._point(eta))
