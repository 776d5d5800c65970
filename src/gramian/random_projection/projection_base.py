"""Base class of the random projections: the number of directions, and z = R x."""

import math
from abc import abstractmethod
from typing import Any, Self
from warnings import warn

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.exceptions import DataDimensionalityWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import dense_of
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.inputs.feature_names import check_terms, is_finite
from gramian.base.inputs.gate import check_finite, check_fit, check_new, check_values
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.random_projection.dimension import johnson_lindenstrauss_min_dim

_BLOCK = 1 << 16  # entries of a block of rows, which stays in cache


class RandomProjection(ClassNamePrefixFeaturesOutMixin, Transformer):
    """z = R x with a random R of k rows."""

    parametric = True
    takes_sparse = True

    n_components: Any
    eps: float
    compute_inverse_components: bool
    random_state: Any

    n_components_: int
    components_: Any
    inverse_components_: Matrix

    def fit(self, X: Table, y: object = None) -> Self:
        """Draw the directions; only the shape of X is used.

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
        X = check_fit(self, X)
        n, d = X.shape
        self.n_components_ = self._number(n, d)
        self.components_ = self._directions(self.n_components_, d, seed_of(self.random_state))
        self.components_ = self.components_.astype(X.dtype, copy=False)
        if self.compute_inverse_components:
            dense = self.components_
            dense = dense.toarray() if sp.issparse(dense) else dense
            self.inverse_components_ = np.linalg.pinv(dense.astype(np.float64)).astype(X.dtype)
        return self

    def transform(self, X: Table) -> Any:
        """Return the projected rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows.

        Returns
        -------
        Z : array of shape (n, n_components_), or CSR
        """
        check_is_fitted(self)
        dense = not sp.issparse(self.components_)
        X = check_new(self, X, values=not dense)
        with np.errstate(over="ignore", invalid="ignore"):
            Z = product(X, self.components_)
        if dense and not is_finite(Z):  # a value of X that is not finite affects every column
            check_values(self, X)
        check_terms(self, Z.data if sp.issparse(Z) else Z)
        return Z

    def inverse_transform(self, X: Table) -> Matrix:
        """Return the rows of minimum length with these projections.

        Parameters
        ----------
        X : array of shape (n, n_components_)
            Projected rows.

        Returns
        -------
        rows : array of shape (n, d)
        """
        check_is_fitted(self)
        table = dense_of(type(self).__name__, "X", X)
        if table.ndim != 2 or table.shape[1] != self.n_components_:
            raise DataError(
                f"{type(self).__name__}: inverse_transform needs rows of {self.n_components_} "
                f"columns; got shape {table.shape}."
            )
        check_finite(type(self).__name__, "X", np.ascontiguousarray(table))
        if self.compute_inverse_components:
            inverse = self.inverse_components_
        else:
            dense = self.components_
            inverse = np.linalg.pinv(dense.toarray() if sp.issparse(dense) else dense)
        return np.asarray(table @ inverse.T.astype(table.dtype))

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    @abstractmethod
    def _directions(self, k: int, d: int, seed: int) -> Any:
        """Return R, of shape (k, d)."""

    def _number(self, n: int, d: int) -> int:
        """Return the number of directions."""
        owner = type(self).__name__
        if self.n_components != "auto":
            if self.n_components > d:
                warn(
                    f"{owner}: the number of components is higher than the number of features: "
                    f"n_features < n_components ({d} < {self.n_components}). The dimensionality "
                    "of the problem will not be reduced.",
                    DataDimensionalityWarning,
                    stacklevel=caller_level(),
                )
            return int(self.n_components)
        found = johnson_lindenstrauss_min_dim(n, eps=self.eps)
        if found <= 0:
            raise ParameterError(
                f"{owner}: eps={self.eps} and n_samples={n} lead to a target dimension of {found} "
                "which is invalid; set n_components."
            )
        if found > d:
            raise ParameterError(
                f"{owner}: eps={self.eps} and n_samples={n} lead to a target dimension of {found} "
                f"which is larger than the original space with n_features={d}; increase eps or set "
                "n_components."
            )
        return int(found)


def product(X: Data, directions: Any) -> Any:
    """Return X R^T; sparse only if both are.

    A dense X with sparse directions is processed in blocks of rows that stay in cache, laid out so
    that an entry of a direction multiplies a contiguous column.
    """
    directions = directions.astype(X.dtype, copy=False)
    if not sp.issparse(directions) or sp.issparse(X):
        Z = X @ directions.T
        return sp.csr_array(Z) if sp.issparse(Z) else np.asarray(Z)
    n, d = X.shape
    Z = np.empty((n, directions.shape[0]), dtype=X.dtype)
    rows = max(16, _BLOCK // max(1, d))
    for start in range(0, n, rows):
        block = np.ascontiguousarray(X[start : start + rows].T)
        Z[start : start + rows] = (directions @ block).T
    return Z


def scaled_signs(k: int, d: int, density: float, draws: np.random.Generator) -> sp.csr_array:
    """Return R with entries +- sqrt(1 / (density k)) at random positions of this density."""
    counts = draws.binomial(d, density, size=k)
    columns = [np.sort(draws.choice(d, count, replace=False)) for count in counts]
    indices = np.concatenate(columns) if k else np.empty(0, dtype=np.int64)
    values: Floats = np.where(draws.random(len(indices)) < 0.5, -1.0, 1.0)
    values *= math.sqrt(1 / (density * k))
    pointers = np.concatenate([[0], np.cumsum(counts)])
    return sp.csr_array((values, indices, pointers), shape=(k, d))
