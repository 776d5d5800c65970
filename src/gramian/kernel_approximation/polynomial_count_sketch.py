"""Tensor sketches: random features of the polynomial kernel."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.fft import irfft, rfft
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, NonNegative, Positive, Seed, params
from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Matrix, Table
from gramian.kernels.matrix import row_blocks


@params
class PolynomialCountSketch(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Random features of the polynomial kernel, phi(x) . phi(z) ~ (gamma x . z + c)^p.

    A count sketch of x adds each column, with a random sign, to one of D sums chosen at random. The
    convolution of p independent sketches is a sketch of all monomials of degree p; the fast Fourier
    transform computes it in O(p (d + D log D)) per row (Pham and Pagh 2013).

    Parameters
    ----------
    gamma
        Factor of the inner product.
    degree
        The exponent p.
    coef0
        The constant c >= 0, represented by a column sqrt(c).
    n_components
        Number of features, D.
    random_state
        Seed or generator for columns and signs.

    Attributes
    ----------
    indexHash_ : array (p, d) or (p, d + 1)
        Index of the sum to which each sketch adds each column.
    bitHash_ : array of the same shape
        Sign of each column in each sketch.
    n_features_in_ : int
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> from gramian.kernel_approximation import PolynomialCountSketch
    >>> X = np.array([[1.0, 2.0], [3.0, -1.0]])
    >>> phi = PolynomialCountSketch(coef0=1.0, n_components=4096, random_state=0).fit_transform(X)
    >>> bool(abs(phi[0] @ phi[1] - (X[0] @ X[1] + 1) ** 2) < 3)
    True
    """

    takes_sparse = True
    parametric = True

    _: KW_ONLY
    gamma: Positive = 1.0
    degree: Count = 2
    coef0: NonNegative = 0.0
    n_components: Count = 100
    random_state: Seed = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Draw the sketches; only the number of columns of X is used.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        rng = stream(seed_of(self.random_state))
        shape = (self.degree, table.shape[1] + (self.coef0 > 0))
        self.indexHash_ = rng.integers(self.n_components, size=shape)
        self.bitHash_ = 2 * rng.integers(2, size=shape) - 1
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the features of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        phi : array of shape (m, D)
        """
        rows = check_new(self, X)
        sketches = [self._sketch(p, rows.dtype) for p in range(self.degree)]
        out = np.empty((rows.shape[0], self.n_components), dtype=rows.dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            for block in row_blocks(rows.shape[0], self.n_components):
                out[block] = _convolve(rows[block], sketches, self.n_components)
        check_terms(self, out)
        return out

    def _sketch(self, p: int, dtype: Any) -> tuple[sp.csr_array, Matrix]:
        """Return the transposed matrix of a sketch, and the contribution of the constant column."""
        d, D = self.n_features_in_, self.n_components
        sums, signs = self.indexHash_[p], self.bitHash_[p].astype(dtype)
        scaled = np.sqrt(dtype.type(self.gamma)) * signs[:d]
        matrix = sp.csr_array((scaled, (sums[:d], np.arange(d))), shape=(D, d))
        constant = np.zeros(D, dtype=dtype)
        if len(sums) > d:
            constant[sums[d]] = signs[d] * np.sqrt(self.coef0)
        return matrix, constant

    @property
    def _n_features_out(self) -> int:
        check_is_fitted(self)
        return self.n_components

    def _check_loaded(self) -> None:
        shape = (self.degree, self.n_features_in_ + (self.coef0 > 0))
        if self.indexHash_.shape != shape or self.bitHash_.shape != shape:
            raise DataError(f"PolynomialCountSketch: the hashes must have shape {shape}.")
        if not ((self.indexHash_ >= 0) & (self.indexHash_ < self.n_components)).all():
            raise DataError(
                "PolynomialCountSketch: indexHash_ must contain indices below n_components."
            )


def _convolve(rows: Data, sketches: list[tuple[sp.csr_array, Matrix]], D: int) -> Matrix:
    transforms: Any = None
    for matrix, constant in sketches:
        sums = (matrix @ rows.T).T
        sums = np.ascontiguousarray(sums.toarray() if sp.issparse(sums) else sums)
        sums += constant
        if len(sketches) == 1:
            return sums
        transforms = rfft(sums) if transforms is None else transforms * rfft(sums)
    return np.asarray(irfft(transforms, n=D))
