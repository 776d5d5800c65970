"""The kernels of density estimation and kernel regression: shapes, ranges, normalisers.

A kernel is a function K(d / h) of the distance d and the bandwidth h:

    ============  =======================  =========
    gaussian      exp(-d^2 / (2 h^2))
    exponential   exp(-d / h)
    tophat        1                        for d < h
    epanechnikov  1 - d^2 / h^2            for d < h
    linear        1 - d / h                for d < h
    cosine        cos(pi d / (2 h))        for d < h
    ============  =======================  =========

In native code it is a function of u = d or d^2, see cpp/core/kernel_sums/sums.hpp.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from gramian.base.errors import ParameterError
from gramian.base.types import Floats

KernelName: TypeAlias = Literal[
    "gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"
]
Shape: TypeAlias = Literal["exponential", "box", "slope", "cosine"]

SMALLEST, LARGEST = (
    1e-150,
    1e150,
)  # limits of bandwidths whose squares neither overflow nor underflow


@dataclass(frozen=True)
class KernelShape:
    """A kernel in the form of native code: a function of u, the distance or its square."""

    shape: Shape
    squared: bool
    half: float = 1.0  # factor of 1 / h or 1 / h^2

    @property
    def has_unbounded_support(self) -> bool:
        """Return whether the kernel is positive everywhere."""
        return self.shape == "exponential"

    def scale(self, bandwidths: npt.ArrayLike) -> Floats:
        """Return the factor of u."""
        h = np.asarray(bandwidths, dtype=float)
        return np.asarray(self.half / (h**2 if self.squared else h))

    def max_distance(self, bandwidths: Floats, cut: float) -> Floats:
        """Return the u beyond which weights below exp(-cut) times the largest count as 0."""
        if self.has_unbounded_support:
            return cut / self.scale(bandwidths)
        return np.asarray(bandwidths**2 if self.squared else bandwidths, dtype=float)

    def log_weight(self, distances: Floats, bandwidth: float) -> Floats:
        """Return log K(d / h)."""
        u = np.multiply(distances**2 if self.squared else distances, self.scale(bandwidth))
        if self.shape == "exponential":
            return -u
        inside = distances < bandwidth
        height = {"box": np.ones_like(u), "slope": 1 - u, "cosine": np.cos(np.pi / 2 * u)}
        with np.errstate(divide="ignore"):
            return np.log(np.where(inside, np.maximum(height[self.shape], 0.0), 0.0))


KERNELS: dict[str, KernelShape] = {
    "gaussian": KernelShape("exponential", squared=True, half=0.5),
    "tophat": KernelShape("box", squared=False),
    "epanechnikov": KernelShape("slope", squared=True),
    "exponential": KernelShape("exponential", squared=False),
    "linear": KernelShape("slope", squared=False),
    "cosine": KernelShape("cosine", squared=False),
}


def log_unit_ball(d: int, p: float = 2.0) -> float:
    """Return the logarithm of the volume of the unit ball of the l_p norm in d dimensions.

    Examples
    --------
    >>> float(np.exp(log_unit_ball(2)).round(6)), float(np.exp(log_unit_ball(3, np.inf)).round(6))
    (3.141593, 8.0)
    """
    if np.isinf(p):
        return d * float(np.log(2.0))
    return float(d * (np.log(2.0) + gammaln(1 + 1 / p)) - gammaln(1 + d / p))


def log_radial_integral(kernel: KernelName, d: int) -> float:
    """Return log of the integral of K(r) r^(d - 1) over r >= 0."""
    if kernel == "gaussian":
        return float((d / 2 - 1) * np.log(2.0) + gammaln(d / 2))
    if kernel == "exponential":
        return float(gammaln(d))
    if kernel == "tophat":
        return float(-np.log(d))
    if kernel == "epanechnikov":
        return float(np.log(2.0) - np.log(d) - np.log(d + 2))
    if kernel == "linear":
        return float(-np.log(d) - np.log(d + 1))
    nodes, weights = np.polynomial.legendre.leggauss(16 + d // 2)  # exact to rounding
    r = (nodes + 1) / 2
    return float(np.log(np.sum(weights / 2 * np.sin(np.pi / 2 * (1 - r)) * r ** (d - 1))))


def log_normaliser(kernel: KernelName, d: int, bandwidths: npt.ArrayLike, p: float = 2.0) -> Floats:
    """Return log c such that c K(|x|_p / h) integrates to 1 over R^d.

    The integral is d V h^d times that of K(r) r^(d - 1), V the volume of the unit ball.

    Examples
    --------
    >>> float(np.exp(log_normaliser("gaussian", 1, 1.0)).round(6))
    0.398942
    """
    shell = np.log(d) + log_unit_ball(d, p) + log_radial_integral(kernel, d)
    return np.asarray(-shell - d * np.log(bandwidths))


def rule_of_thumb(rule: Literal["scott", "silverman"], n: float, d: int) -> float:
    """Return the bandwidth for n rows of unit variance in d dimensions.

    Examples
    --------
    >>> round(rule_of_thumb("scott", 100, 1), 4), round(rule_of_thumb("silverman", 100, 1), 4)
    (0.3981, 0.4217)
    """
    if rule == "scott":
        return float(n ** (-1 / (d + 4)))
    return float((n * (d + 2) / 4) ** (-1 / (d + 4)))


def check_bandwidth(owner: str, bandwidth: float) -> None:
    """Raise if the square of a bandwidth would overflow or underflow."""
    if not SMALLEST <= bandwidth <= LARGEST:
        raise ParameterError(
            f"{owner}: bandwidth must be between {SMALLEST:g} and {LARGEST:g}; got "
            f"{bandwidth:g}. Scale X and the bandwidth."
        )
