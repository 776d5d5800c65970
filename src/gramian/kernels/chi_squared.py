"""Chi-squared kernels, for counts and histograms."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sklearn.metrics.pairwise import additive_chi2_kernel

from gramian.base.errors import DataError
from gramian.base.types import Data, Floats, Matrix, is_sparse
from gramian.kernels.kernel import Kernel, Tile, check_number, shared_type


@dataclass(frozen=True)
class ChiSquared(Kernel):
    """The kernel k(x, z) = exp(-gamma sum_t (x_t - z_t)^2 / (x_t + z_t)), for x, z >= 0.

    Suits counts and histograms. Terms with x_t + z_t = 0 are 0.

    Parameters
    ----------
    gamma
        The rate > 0.

    Examples
    --------
    >>> ChiSquared()([[1.0, 0.0]], [[0.0, 1.0]]).round(4)
    array([[0.1353]])
    """

    record_name: ClassVar[str] = "chi_squared_kernel"

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0.0, open_low=True)

    def _against(self, Y: Data) -> Tile:
        additive_tile = AdditiveChiSquared().against(Y)

        def tile(rows: Data, columns: slice) -> Matrix:
            out = additive_tile(rows, columns)
            out *= self.gamma
            return np.exp(out, out=out)

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return np.ones(X.shape[0])


@dataclass(frozen=True)
class AdditiveChiSquared(Kernel):
    """The kernel k(x, z) = -sum_t (x_t - z_t)^2 / (x_t + z_t), for x, z >= 0.

    It is conditionally positive definite: valid once centred, or inside an exponential.

    Examples
    --------
    >>> AdditiveChiSquared()([[1.0, 0.0]], [[0.0, 1.0]])
    array([[-2.]])
    """

    record_name: ClassVar[str] = "additive_chi_squared_kernel"

    def _against(self, Y: Data) -> Tile:
        right = _to_dense_counts(Y)

        def tile(rows: Data, columns: slice) -> Matrix:
            dtype = shared_type(rows, Y)
            left = _to_dense_counts(rows).astype(dtype, copy=False)
            return np.asarray(additive_chi2_kernel(left, right[columns].astype(dtype, copy=False)))

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return np.zeros(X.shape[0])


def _to_dense_counts(X: Data) -> Matrix:
    values = X.data if is_sparse(X) else X
    if values.size and values.min() < 0:
        raise DataError(
            "ChiSquared: Negative values in data; this kernel needs values >= 0, such as counts. "
            "Use RBF for other data."
        )
    return np.asarray(X.toarray() if is_sparse(X) else X)
