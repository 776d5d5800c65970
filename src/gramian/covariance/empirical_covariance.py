"""The empirical covariance."""

import numpy as np

from gramian.base.fields import KW_ONLY, params
from gramian.base.types import Data, Floats
from gramian.covariance.covariance_base import CovarianceEstimator


@params
class EmpiricalCovariance(CovarianceEstimator):
    r"""The maximum-likelihood covariance, S = 1/n sum_i (x_i - m)(x_i - m)'.

    Takes one pass over the rows about a point near them, and one about their mean.

    Parameters
    ----------
    store_precision
        Whether to store the inverse.
    assume_centered
        Whether to assume that the mean is 0.

    Attributes
    ----------
    covariance_ : array (d, d)
        The covariance matrix S.
    location_ : array (d,)
        The mean m.
    precision_ : array (d, d) or None
        The inverse, or the pseudoinverse of a singular S.

    Examples
    --------
    >>> from gramian import EmpiricalCovariance
    >>> EmpiricalCovariance().fit([[0.0, 0.0], [2.0, 4.0]]).covariance_.tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """

    _: KW_ONLY
    store_precision: bool = True
    assume_centered: bool = False

    def _shrink(self, S: Floats, table: Data, mean: Floats) -> Floats:
        return np.asarray(S)
