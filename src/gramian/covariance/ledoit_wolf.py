"""Ledoit-Wolf shrinkage, for any distribution."""

import numpy as np

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.types import Data, Floats
from gramian.covariance.covariance_base import (
    CovarianceEstimator,
    power_of_two,
    shrink_to_identity,
)


@params
class LedoitWolf(CovarianceEstimator):
    r"""Covariance with the shrinkage of least expected squared error (Ledoit and Wolf 2004).

    With delta = |S - mu I|^2 / d and beta = 1/(n d) (1/n sum_i |x_i - m|^4 - |S|^2), the variance
    of S, the shrinkage is a = min(beta, delta) / delta.

    Parameters
    ----------
    store_precision
        Whether to store the inverse.
    assume_centered
        Whether to assume that the mean is 0.
    block_size
        Number of rows processed together.

    Attributes
    ----------
    covariance_ : array (d, d)
        The shrunk covariance.
    location_ : array (d,)
        The mean.
    precision_ : array (d, d) or None
        The inverse.
    shrinkage_ : float
        The shrinkage a.

    Examples
    --------
    >>> from gramian import LedoitWolf
    >>> X = np.random.default_rng(0).normal(size=(20, 10))
    >>> 0.5 < LedoitWolf().fit(X).shrinkage_ <= 1
    True
    """

    _: KW_ONLY
    store_precision: bool = True
    assume_centered: bool = False
    block_size: Count = 1000

    def _shrink(self, S: Floats, table: Data, mean: Floats) -> Floats:
        n, d = table.shape
        root = power_of_two(np.sqrt(np.abs(S).max()))  # avoids underflow of fourth powers
        fourth = 0.0
        for start in range(0, n, self.block_size):
            centred = table[start : start + self.block_size].astype(np.float64) - mean
            centred /= root
            fourth += float((np.einsum("ij,ij->i", centred, centred) ** 2).sum())
        scaled = S / root**2
        squares = float((scaled * scaled).sum())
        mu = np.trace(scaled) / d
        delta = (squares - d * mu**2) / d
        beta = (fourth / n - squares) / (n * d)
        rounding = 1e-14 * squares / d
        self.shrinkage_ = 0.0 if delta <= rounding else float(max(0.0, min(beta, delta)) / delta)
        return shrink_to_identity(S, self.shrinkage_)
