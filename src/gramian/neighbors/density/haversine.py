"""Kernel sums over great-circle distances on the unit sphere, in tiles of NumPy."""

import numpy as np
from scipy.special import logsumexp
from sklearn.metrics.pairwise import haversine_distances

from gramian.base.types import Floats, Weights
from gramian.neighbors.density.kernels import KERNELS, KernelName

_CELLS = 2_000_000  # distances in memory at a time


def log_sums(
    X: Floats, weights: Weights | None, queries: Floats, kernel: KernelName, bandwidth: float
) -> Floats:
    """Return the logarithm of the kernel sum at each query; rows are (latitude, longitude)."""
    out = np.empty(len(queries))
    step = max(1, _CELLS // len(X))
    with np.errstate(divide="ignore"):
        log_w = 0.0 if weights is None else np.log(weights)
    for first in range(0, len(queries), step):
        part = slice(first, first + step)
        log_weight = KERNELS[kernel].log_weight(haversine_distances(queries[part], X), bandwidth)
        with np.errstate(divide="ignore"):
            out[part] = logsumexp(log_weight + log_w, axis=1)
    return out


def log_normaliser(kernel: KernelName, bandwidth: float) -> float:
    """Return log c such that c K(d / h) integrates to 1 over the unit sphere.

    Examples
    --------
    >>> float(np.exp(log_normaliser("tophat", np.pi)).round(6))  # one over the whole sphere
    0.079577
    """
    shape = KERNELS[kernel]
    end = min(np.pi, bandwidth * (40.0 if shape.has_unbounded_support else 1.0))
    nodes, weights = np.polynomial.legendre.leggauss(256)
    r = (nodes + 1) * end / 2
    rings = np.exp(shape.log_weight(r, bandwidth)) * np.sin(r)
    return float(-np.log(np.pi * end * np.sum(weights * rings)))
