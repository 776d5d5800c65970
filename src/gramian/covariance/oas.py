"""Oracle approximating shrinkage, for normal rows."""

import numpy as np

from gramian.base.fields import KW_ONLY, params
from gramian.base.types import Data, Floats
from gramian.covariance.covariance_base import (
    CovarianceEstimator,
    power_of_two,
    shrink_to_identity,
)


@params
class OAS(CovarianceEstimator):
    r"""Covariance with oracle approximating shrinkage, for normal rows.

    With the mean squared entry alpha of S and the mean variance mu,
    a = min(1, (alpha + mu^2) / ((n + 1) (alpha - mu^2 / d))) (Chen, Wiesel, Eldar and Hero 2010).
    For normal rows it is more accurate than `LedoitWolf`.

    Parameters
    ----------
    store_precision
        Whether to store the inverse.
    assume_centered
        Whether to assume that the mean is 0.

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
    >>> from gramian import OAS
    >>> X = np.random.default_rng(0).normal(size=(20, 10))
    >>> 0.5 < OAS().fit(X).shrinkage_ <= 1
    True
    """

    _: KW_ONLY
    store_precision: bool = True
    assume_centered: bool = False

    def _shrink(self, S: Floats, table: Data, mean: Floats) -> Floats:
        n, d = table.shape
        scaled = S / power_of_two(np.abs(S).max())  # avoids underflow of squares
        alpha, mu = float((scaled * scaled).mean()), np.trace(scaled) / d
        above, below = alpha + mu**2, (n + 1) * (alpha - mu**2 / d)
        self.shrinkage_ = 1.0 if below <= 1e-14 * above else min(1.0, float(above / below))
        if d == 1:
            self.shrinkage_ = 0.0  # it has no effect
        return shrink_to_identity(S, self.shrinkage_)
