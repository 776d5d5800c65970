"""A covariance shrunk towards a multiple of the identity."""

from gramian.base.fields import KW_ONLY, Fraction, params
from gramian.base.types import Data, Floats
from gramian.covariance.covariance_base import CovarianceEstimator, shrink_to_identity


@params
class ShrunkCovariance(CovarianceEstimator):
    r"""Covariance shrunk towards a multiple of the identity, (1 - a) S + a mu I.

    mu is the mean variance. Eigenvalues move towards their mean, and eigenvectors do not change;
    with a > 0 the matrix is invertible even with few rows.

    Parameters
    ----------
    store_precision
        Whether to store the inverse.
    assume_centered
        Whether to assume that the mean is 0.
    shrinkage
        Shrinkage a in [0, 1].

    Attributes
    ----------
    covariance_ : array (d, d)
        The shrunk covariance.
    location_ : array (d,)
        The mean.
    precision_ : array (d, d) or None
        The inverse.

    Examples
    --------
    >>> from gramian import ShrunkCovariance
    >>> ShrunkCovariance(shrinkage=0.5).fit([[0.0, 0.0], [2.0, 4.0]]).covariance_.tolist()
    [[1.75, 1.0], [1.0, 3.25]]
    """

    _: KW_ONLY
    store_precision: bool = True
    assume_centered: bool = False
    shrinkage: Fraction = 0.1

    def _shrink(self, S: Floats, table: Data, mean: Floats) -> Floats:
        return shrink_to_identity(S, float(self.shrinkage))
