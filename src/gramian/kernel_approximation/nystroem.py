"""Nystroem features for any kernel."""

from contextlib import nullcontext
from typing import Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Jobs, NonNegative, Seed, params
from gramian.base.inputs.gate import check_finite, check_fit, check_new, check_size, check_stored
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.blas import times_lower
from gramian.base.runtime.lapack import cholesky, eigh, inverse_of_lower
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats, Matrix, Table
from gramian.kernels.kernel_method import Constant, KernelParameters
from gramian.kernels.matrix import checked_kernel_matrix, map_kernel_rows
from gramian.kernels.resolution import KernelField

_ONE_THREAD_ROWS = 1000  # up to this number of rows BLAS uses one thread
_MIN_PIVOT_RATIO = 1e-3  # smallest ratio of pivots of a Cholesky factor that is inverted


@params(
    first=("gamma", "coef0", "degree", "kernel_params", "n_components", "random_state", "n_jobs")
)
class Nystroem(ClassNamePrefixFeaturesOutMixin, KernelParameters, Transformer):
    """Approximate feature map of a kernel, phi(x) . phi(z) ~ k(x, z), from a sample of the rows.

    With the chosen rows c_1 .. c_M and their kernel matrix K, ::

        phi(x) = N (k(c_1, x), .., k(c_M, x)),    N'N = K^-1,

    which is exact if x or z is one of the chosen rows (Williams and Seeger 2001). A linear
    method on these features is an approximate kernel method: O(n M (d + M)) instead of O(n^3).

    Parameters
    ----------
    kernel
        A name, a `gramian.kernels.Kernel`, which ignores the next four parameters, or a function
        of two rows.
    degree
        Exponent of "poly"; None means 3.
    coef0
        Constant of "poly" and "sigmoid"; None means 1.
    n_components
        Number of features M, each from a row drawn without replacement; all rows if there are
        fewer.
    random_state
        Seed or generator for the choice of rows.
    n_jobs
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    components_ : array or CSR (M, d)
        The chosen rows; for a precomputed kernel, those of its matrix.
    component_indices_ : array (M,)
        Indices of the chosen rows in the training data.
    normalization_ : array (M, M)
        The matrix N: the inverse of the Cholesky factor of K, which halves the work of `transform`,
        or K^(-1/2) if K is nearly singular. scikit-learn always uses the latter; the inner products
        of the features are the same.

    Examples
    --------
    >>> from gramian.kernel_approximation import Nystroem
    >>> X = np.arange(6.0)[:, None]
    >>> phi = Nystroem(gamma=0.5, n_components=6).fit_transform(X)
    >>> float((phi[1] @ phi[2]).round(4))  # exp(-1/2)
    0.6065
    """

    parametric = True

    kernel: KernelField = "rbf"
    _: KW_ONLY
    degree: NonNegative | None = None
    coef0: Constant | None = None
    n_components: Count = 100
    random_state: Seed = None
    n_jobs: Jobs = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Choose rows and compute N.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d); the square kernel matrix for a precomputed kernel.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        kernel = self._check_kernel(table)
        n = table.shape[0]
        count = min(n, self.n_components)
        chosen = stream(seed_of(self.random_state)).permutation(n)[:count]
        rows = table[chosen]
        double = (rows if kernel.takes_rows else rows[:, chosen]).astype(np.float64, copy=False)
        with one_blas_thread() if count <= _ONE_THREAD_ROWS else nullcontext():
            normalization = _inverse_root(checked_kernel_matrix("Nystroem", kernel, double))
        self.kernel_, self.components_, self.component_indices_ = kernel, rows, chosen
        self.normalization_ = np.ascontiguousarray(normalization, dtype=table.dtype)
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the features of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d); for a precomputed kernel, the kernel values (m, n) between
            new and training rows.

        Returns
        -------
        phi : array of shape (m, M)
        """
        check_is_fitted(self)
        rows = check_new(self, X, dtype=self.components_.dtype)
        check_size(self, "X", rows)
        if not self.kernel_.takes_rows:
            rows = rows[:, self.component_indices_]
        out = np.empty((rows.shape[0], len(self.normalization_)), dtype=rows.dtype)
        N = self.normalization_
        lower = not np.triu(N, 1).any()

        def multiply(block: slice, values: Matrix) -> None:
            if lower:  # skips products with zeros
                values = np.ascontiguousarray(values, dtype=N.dtype)
                times_lower(values, N)
                out[block] = values
            else:
                np.matmul(values, N.T, out=out[block])

        for _ in map_kernel_rows("Nystroem", self.kernel_, rows, self.components_, multiply):
            pass
        return out

    @property
    def _n_features_out(self) -> int:
        return len(self.normalization_)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        check_stored(self, "components_", self.components_, self.n_features_in_)
        count = self.components_.shape[0]
        if self.normalization_.shape != (count, count):
            raise DataError(f"Nystroem: normalization_ must have shape {(count, count)}.")
        check_finite("Nystroem", "normalization_", self.normalization_)
        chosen = self.component_indices_
        if not self.kernel_.takes_rows and not (
            isinstance(chosen, np.ndarray)
            and chosen.shape == (count,)
            and chosen.dtype.kind == "i"
            and chosen.min() >= 0
            and chosen.max() < self.n_features_in_
        ):
            raise DataError(
                f"Nystroem: component_indices_ must contain {count} indices of the kernel matrix."
            )


def _inverse_root(K: Floats) -> Floats:
    """Return N with N'N = K^-1, lower triangular unless K is nearly singular."""
    root, failed = cholesky(K)
    sizes = np.diag(root)
    if not failed and sizes.min() > _MIN_PIVOT_RATIO * sizes.max():
        return inverse_of_lower(root)
    values, vectors = eigh(K)
    roots = np.sqrt(np.maximum(np.abs(values), 1e-12))
    signs = np.where(values < 0, -1.0, 1.0)  # an indefinite kernel, as with singular values
    return np.asarray((vectors * (signs / roots)) @ vectors.T)
