"""The learning rate of every epoch."""

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from gramian.base.errors import ParameterError

Schedule: TypeAlias = Literal["constant", "invscaling", "adaptive", "cosine"]

_SMALLEST = 1e-6  # of an adaptive rate


class Rate:
    """The learning rate of each epoch.

    constant
        eta_0.
    invscaling
        eta_0 / (t + 1)^power_t, t the rows presented so far.
    adaptive
        eta_0, divided by 5 whenever training no longer improves, down to 1e-6.
    cosine
        eta_0 (1 + cos(pi e / max_iter)) / 2 in epoch e = 0, 1, ...
    a function
        eta_0 f(e).

    `epochs` and `seen` are the epochs made and the rows presented before, by `partial_fit`.

    Examples
    --------
    >>> rate = Rate("cosine", 0.1, max_iter=10)
    >>> [round(rate.at(epoch, 0), 3) for epoch in (0, 5, 10)]
    [0.1, 0.05, 0.0]
    """

    def __init__(
        self,
        schedule: Schedule | Callable[[int], float],
        initial: float,
        *,
        max_iter: int,
        power_t: float = 0.5,
        epochs: int = 0,
        seen: int = 0,
        owner: str = "Rate",
    ) -> None:
        self._schedule = schedule
        self._now = initial
        self._power_t = power_t
        self._max_iter = max_iter
        self._epochs = epochs
        self._seen = seen
        self._owner = owner

    def at(self, epoch: int, seen: int) -> float:
        """Return the rate of an epoch; `seen` is the number of rows visited before it."""
        if callable(self._schedule):
            return self._now * self._factor(self._schedule, self._epochs + epoch)
        if self._schedule == "invscaling":
            return float(self._now / (self._seen + seen + 1) ** self._power_t)
        if self._schedule == "cosine":
            return float(self._now * (1 + np.cos(np.pi * epoch / self._max_iter)) / 2)
        return self._now

    def _factor(self, schedule: Callable[[int], float], epoch: int) -> float:
        value = schedule(epoch)
        try:
            factor = float(value)
        except (TypeError, ValueError):
            factor = np.nan
        if not 0 <= factor < np.inf:
            raise ParameterError(
                f"{self._owner}: learning_rate must return a finite factor >= 0 of the initial "
                f"rate; got {value!r} for epoch {epoch}."
            )
        return factor

    def lower(self) -> bool:
        """Lower an adaptive rate; False if training should stop instead."""
        if self._schedule != "adaptive" or self._now <= _SMALLEST:
            return False
        self._now /= 5
        return True
