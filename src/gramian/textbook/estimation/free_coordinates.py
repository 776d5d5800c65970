"""Parameters with bounds as numbers without: logarithms and log odds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from gramian.base.errors import ParameterError
from gramian.base.types import Floats


@dataclass(frozen=True)
class FreeCoordinates:
    """A map of each parameter's open interval to all real numbers, and back."""

    low: Floats
    high: Floats

    @classmethod
    def of(
        cls, owner: str, bounds: Sequence[tuple[float | None, float | None]] | None, start: Floats
    ) -> "FreeCoordinates":
        """Check bounds and the start, which must be inside."""
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
        outside = ~((low < start) & (start < high))
        if outside.any():
            at = int(np.argmax(outside))
            raise ParameterError(
                f"{owner}: start must be inside of bounds; parameter {at} starts at {start[at]:g}, "
                f"bounds are {low[at]:g} and {high[at]:g}."
            )
        return cls(low, high)

    def inside(self, theta: Floats) -> Floats:
        """Return the free coordinates of parameters."""
        free = theta.astype(np.float64)
        for i, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            if np.isfinite(low) and np.isfinite(high):
                free[i] = logit((theta[i] - low) / (high - low))
            elif np.isfinite(low):
                free[i] = np.log(theta[i] - low)
            elif np.isfinite(high):
                free[i] = -np.log(high - theta[i])
        return free

    def outside(self, free: Floats) -> Floats:
        """Return the parameters of free coordinates."""
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
