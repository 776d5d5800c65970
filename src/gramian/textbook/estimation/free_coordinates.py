"""Maps from bounded to unbounded parameters: logarithms and log odds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from gramian.base.errors import ParameterError
from gramian.base.types import Floats


@dataclass(frozen=True)
class FreeCoordinates:
    """A map from each parameter's open interval to the real numbers, and back."""

    low: Floats
    high: Floats

    @classmethod
    def of(
        cls, owner: str, bounds: Sequence[tuple[float | None, float | None]] | None, start: Floats
    ) -> "FreeCoordinates":
        """Check the bounds, and that the start is inside them."""
        if start.ndim != 1 or not len(start) or not np.isfinite(start).all():
            raise ParameterError(
                f"{owner}: start must be one finite number per parameter; got {start!r}."
            )
        pairs = [(None, None)] * len(start) if bounds is None else list(bounds)
        if len(pairs) != len(start) or not all(len(pair) == 2 for pair in pairs):
            raise ParameterError(
                f"{owner}: bounds must be a pair (low, high) for each of the {len(start)} "
                f"parameters of start; got {bounds!r}."
            )
        low = np.array([-np.inf if a is None else a for a, _ in pairs], dtype=np.float64)
        high = np.array([np.inf if b is None else b for _, b in pairs], dtype=np.float64)
        from_free = ~((low < start) & (start < high))
        if from_free.any():
            at = int(np.argmax(from_free))
            raise ParameterError(
                f"{owner}: start must be inside the bounds; parameter {at} starts at "
                f"{start[at]:g}, "
                f"bounds are {low[at]:g} and {high[at]:g}."
            )
        return cls(low, high)

    def to_free(self, theta: Floats) -> Floats:
        """Return the unbounded coordinates of parameters."""
        free = theta.astype(np.float64)
        for i, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            if np.isfinite(low) and np.isfinite(high):
                free[i] = logit((theta[i] - low) / (high - low))
            elif np.isfinite(low):
                free[i] = np.log(theta[i] - low)
            elif np.isfinite(high):
                free[i] = -np.log(high - theta[i])
        return free

    def from_free(self, free: Floats) -> Floats:
        """Convert unbounded coordinates to parameters."""
        theta = free.astype(np.float64)
        with np.errstate(over="ignore"):
            for i, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
                if np.isfinite(low) and np.isfinite(high):
                    theta[i] = low + (high - low) * expit(free[i])
                elif np.isfinite(low):
                    theta[i] = low + np.exp(free[i])
                elif np.isfinite(high):
                    theta[i] = high - np.exp(-free[i])
        return theta
