"""Sums of floats without rounding, which therefore do not depend on the order of their terms."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gramian.base.types import Floats

_BLOCK = 1 << 25  # terms of 27 bits whose sum is exact in a double
_LOW = 27  # the low bits of the 53 of a float, which are summed separately


@dataclass(frozen=True)
class ExactSum:
    """The number m 2^e, for integers m of any length.

    Examples
    --------
    >>> float(ExactSum.of(np.array([1e16, 1.0])) + ExactSum.of(np.array([-1e16])))
    1.0
    """

    m: int = 0
    e: int = 0

    @classmethod
    def of(cls, values: Floats) -> "ExactSum":
        """Sum finite numbers: integers of 53 bits, added up for each exponent."""
        total = cls()
        for start in range(0, len(values), _BLOCK):
            fraction, exponent = np.frexp(values[start : start + _BLOCK])
            digits = np.ldexp(fraction, 53).astype(np.int64)
            lowest = int(exponent.min())
            places = (exponent - lowest).astype(np.intp)
            high = np.bincount(places, weights=digits >> _LOW)
            low = np.bincount(places, weights=digits & ((1 << _LOW) - 1))
            m = sum(
                ((int(h) << _LOW) + int(part)) << place
                for place, (h, part) in enumerate(zip(high, low, strict=True))
            )
            total += cls(m, lowest - 53)
        return total

    def __add__(self, other: "ExactSum") -> "ExactSum":
        e = min(self.e, other.e)
        return ExactSum((self.m << (self.e - e)) + (other.m << (other.e - e)), e)

    def __float__(self) -> float:
        return float(self.m * Fraction(2) ** self.e)
