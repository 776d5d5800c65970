"""Random steps distributed as a kernel.

A kernel of an l_p norm is uniform on spheres: a step is a direction times a radius whose density
is K(r) r^(d - 1) up to a constant.
"""

import numpy as np

from gramian.base.types import Floats
from gramian.neighbors.density.kernels import KernelName


def draw_steps(kernel: KernelName, n: int, d: int, p: float, rng: np.random.Generator) -> Floats:
    """Return n steps in d dimensions from the kernel with bandwidth 1."""
    if kernel == "gaussian" and p == 2:
        return rng.normal(size=(n, d))
    return _directions(n, d, p, rng) * _radii(kernel, n, d, rng)[:, None]


def _directions(n: int, d: int, p: float, rng: np.random.Generator) -> Floats:
    """Return points of the unit sphere of the l_p norm, by the cone measure."""
    if np.isinf(p):
        x = rng.uniform(-1, 1, size=(n, d))
        return np.asarray(x / np.abs(x).max(axis=1, keepdims=True))
    size = rng.gamma(1 / p, size=(n, d)) ** (1 / p)  # generalised normal distribution
    x = size * rng.choice((-1.0, 1.0), size=(n, d))
    return np.asarray(x / (np.abs(x) ** p).sum(axis=1, keepdims=True) ** (1 / p))


def _radii(kernel: KernelName, n: int, d: int, rng: np.random.Generator) -> Floats:
    if kernel == "gaussian":
        return np.sqrt(rng.chisquare(d, size=n))
    if kernel == "exponential":
        return rng.gamma(d, size=n)
    if kernel == "tophat":
        return rng.beta(d, 1, size=n)
    if kernel == "linear":
        return rng.beta(d, 2, size=n)
    if kernel == "epanechnikov":  # s = r^2 has the density (1 - s) s^(d/2 - 1)
        return np.sqrt(rng.beta(d / 2, 2, size=n))
    # cos(pi r / 2) <= (pi / 2) (1 - r): accept steps of the linear kernel with their ratio
    found = np.empty(0)
    while len(found) < n:
        r = rng.beta(d, 2, size=2 * n + 16)
        ratio = np.sinc((1 - r) / 2)  # sin(pi s / 2) / (pi s / 2), s = 1 - r
        found = np.concatenate([found, r[rng.random(len(r)) < ratio]])
    return found[:n]
