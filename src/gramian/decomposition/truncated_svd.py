"""Truncated singular value decomposition, without centring."""

from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Count, NonNegative, NonNegativeInt, Seed, params
from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.moments import Rows
from gramian.base.rows.parts import Parts
from gramian.base.rows.table_products import times
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.number_of_components import warn_above_rank
from gramian.decomposition.projection import as_coordinates
from gramian.decomposition.singular_triplets import (
    CONVERGED,
    Triplets,
    best_solver,
    by_covariance,
    by_full,
    by_gram,
    by_krylov,
    from_root,
    is_small,
    krylov_columns,
)


@params
class TruncatedSVD(ClassNamePrefixFeaturesOutMixin, Transformer):
    r"""Truncated SVD: the best approximation of rank k, X ~ U D V', without centring.

    Among all matrices of rank k it is nearest to X in squares (Eckart and Young 1936). Sparse rows
    stay sparse; for word counts this is latent semantic analysis. Computed by a block Krylov space
    of the smaller side, or from the products of all pairs of rows or columns if there are few.

    Parameters
    ----------
    n_components
        Number k of components, at most min(n, d).
    algorithm
        "arpack" iterates until the residuals are below `tol`; "randomized" makes at most as many
        products as `n_iter` requires.
    n_iter
        Number of power iterations whose accuracy "randomized" must reach: the Krylov space has at
        most (1 + 0.6 `n_iter`) (k + `n_oversamples`) columns.
    n_oversamples
        Number of extra columns of these iterations.
    power_iteration_normalizer
        Ignored; present for scikit-learn compatibility: blocks are always made orthogonal.
    random_state
        Seed or generator for the initial block.
    tol
        Residual at which to stop, relative to the largest; 0 means 1e-12.

    Attributes
    ----------
    components_ : array (k, d)
        Rows of V'; the entry of largest size of each is positive.
    singular_values_ : array (k,)
        Singular values D in decreasing order.
    explained_variance_ : array (k,)
        Variances of the coordinates of the training rows.
    explained_variance_ratio_ : array (k,)
        Proportions of the total variance of the columns.

    Examples
    --------
    >>> from gramian import TruncatedSVD
    >>> TruncatedSVD(1).fit([[3.0, 0.0], [0.0, 1.0]]).singular_values_.round(9).tolist()
    [3.0]
    """

    parametric = True
    takes_sparse = True

    n_components: Count = 2
    _: KW_ONLY
    algorithm: Literal["arpack", "randomized"] = "randomized"
    n_iter: NonNegativeInt = 5
    n_oversamples: Count = 10
    power_iteration_normalizer: Literal["auto", "QR", "LU", "none"] = "auto"
    random_state: Seed = None
    tol: NonNegative = 0.0

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the leading triplets.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        self._fit(X)
        return self

    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Compute the leading triplets of rows in chunks, from X'X.

        Parameters
        ----------
        chunks
            An iterable of tables that can be iterated again, for
            example `gramian.scale.chunks` of a file. There is one pass, or two if a singular
            value is very small.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import TruncatedSVD
        >>> chunks = [[[3.0, 0.0]], [[0.0, 1.0]]]
        >>> TruncatedSVD(1).fit_chunks(chunks).singular_values_.round(9).tolist()
        [3.0]
        """
        gate = Chunks.of(self, chunks)
        rows = Rows.in_chunks(gate, 0)
        summary = rows.summarise(double=gate.dtype != np.float32, shifted=False)
        n, d, k = summary.n_rows, summary.n_features, int(self.n_components)
        self._check_rank(n, d, k)
        found = by_covariance(summary, k, about_zero=True)
        if is_small(found.values) and not gate.sparse:
            found = from_root(rows.root(np.zeros(d), np.ones(d), ones=False), k, ones=False)
        V = found.vectors.T
        scatter = summary.centred()
        variances = np.maximum(np.einsum("jk,jl,lk->k", V, scatter, V), 0.0) / n
        self._set_fit(found, variances, max(float(np.trace(scatter)), 0.0) / n, gate.dtype)
        return self

    def fit_transform(self, X: Table, y: object = None) -> Matrix:
        """Fit, and return the coordinates of the rows, U D.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        Z : array of shape (n, k)
        """
        return self._fit(X)

    def transform(self, X: Table) -> Matrix:
        """Return the coordinates of rows, X V.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            The rows.

        Returns
        -------
        Z : array of shape (m, k)
        """
        table = check_new(self, X)
        with np.errstate(over="ignore", invalid="ignore"):
            Z = np.asarray(table @ self.components_.T.astype(table.dtype))
        check_terms(self, Z)
        return Z

    def inverse_transform(self, X: Table) -> Matrix:
        """Map coordinates back to rows, Z V'.

        Parameters
        ----------
        X : array of shape (m, k)
            Coordinates.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        Z = as_coordinates(self, X, len(self.components_))
        return np.asarray(Z @ self.components_.astype(Z.dtype))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _fit(self, X: Table) -> Matrix:
        table = check_fit(self, X)
        check_size(self, "X", table)
        n, d = table.shape
        k = int(self.n_components)
        self._check_rank(n, d, k)
        found = self._triplets(table, k)
        warn_above_rank("TruncatedSVD", found.values, (n, d), table.dtype, rows="X")
        Z = times(table, found.vectors.T)
        self._set_fit(found, Z.var(axis=0), float(CentredTable.of(table).total) / n, table.dtype)
        return Z.astype(table.dtype, copy=False)

    def _check_rank(self, n: int, d: int, k: int) -> None:
        if k > min(n, d):
            raise ParameterError(
                f"TruncatedSVD: n_components={k} must be at most min(n_samples={n}, "
                f"n_features={d}), the largest possible rank of X."
            )

    def _set_fit(
        self, found: Triplets, variances: Floats, whole: float, dtype: npt.DTypeLike
    ) -> None:
        ratio = variances / whole if whole > 0 else np.zeros(len(variances))
        self.components_ = np.ascontiguousarray(found.vectors, dtype=dtype)
        self.singular_values_ = found.values.astype(dtype)
        self.explained_variance_ = variances.astype(dtype)
        self.explained_variance_ratio_ = ratio.astype(dtype)

    def _triplets(self, table: Data, k: int) -> Triplets:
        as_is = CentredTable.of(table, centre=False)
        n, d = table.shape
        most: int | None = None
        if self.algorithm == "randomized":
            most = krylov_columns(k, int(self.n_iter), int(self.n_oversamples))
        solver = best_solver(n, d, k, sparse=sp.issparse(table), columns=most)
        if solver == "full":
            return by_full(as_is, k, centre=False)
        if solver != "krylov":
            found = by_gram(as_is, k) if solver == "gram" else self._by_covariance(table, k)
            if not is_small(found.values):
                return found
        return by_krylov(
            as_is,
            k,
            seed=seed_of(self.random_state),
            most=most if solver == "krylov" else None,
            tol=self.tol or CONVERGED,
        )

    def _by_covariance(self, table: Data, k: int) -> Triplets:
        """Return triplets from X'X, in one pass."""
        rows = Rows.of(table, np.empty((table.shape[0], 0)), None)
        summary = rows.summarise(double=table.dtype != np.float32, shifted=False)
        return by_covariance(summary, k, about_zero=True)
