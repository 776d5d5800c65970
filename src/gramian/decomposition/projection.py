"""Base class of PCA and incremental PCA: z = V (x - m), its inverse, and the Gaussian model.

The model is probabilistic PCA (Tipping and Bishop 1999): x is normal with mean m and covariance

    C = V' diag(l_1 - s, ..., l_k - s) V + s I,

with s the mean variance of the discarded components.
"""

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import dense_of
from gramian.base.errors import DataError
from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_finite, check_new
from gramian.base.kinds import Transformer
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import bands, product, run_in_parallel
from gramian.base.types import Data, Floats, Matrix, Table, is_sparse

_BLOCK = 1 << 16  # entries of a block of rows that is centred in cache


class Projection(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Projects rows onto orthonormal components about a mean."""

    parametric = True
    takes_sparse = True

    whiten: bool

    components_: Matrix
    mean_: Matrix
    explained_variance_: Matrix
    noise_variance_: float
    n_components_: int

    def transform(self, X: Table) -> Matrix:
        """Return the coordinates of rows on the components.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            The rows; the mean of the training rows is subtracted.

        Returns
        -------
        Z : array of shape (m, n_components_)
        """
        table = check_new(self, X)
        with np.errstate(over="ignore", invalid="ignore"):
            Z = coordinates(table, self.mean_, self._directions())
        check_terms(self, Z)
        return Z

    def inverse_transform(self, X: Table) -> Matrix:
        """Map coordinates back to rows in the space of the components.

        Parameters
        ----------
        X : array of shape (m, n_components_)
            Coordinates, as from `transform`.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        Z = as_coordinates(self, X, len(self.components_))
        scaled = Z * self._scale().astype(Z.dtype) if self.whiten else Z
        rows = product(scaled, self.components_.astype(Z.dtype))
        return np.asarray(rows + self.mean_.astype(Z.dtype))

    def reconstruction_error(self, X: Table) -> Floats:
        """Return the squared distance of each row from its projection.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            The rows.

        Returns
        -------
        errors : array of shape (m,)
        """
        table = check_new(self, X)
        V = self.components_.astype(np.float64)
        errors = np.empty(table.shape[0])
        step = max(16, _BLOCK // max(1, table.shape[1]))
        for start in range(0, len(errors), step):
            block = table[start : start + step]
            block = block.toarray() if is_sparse(block) else block
            away = block.astype(np.float64) - self.mean_
            away -= product(product(away, V.T), V)
            errors[start : start + step] = (away * away).sum(axis=1)
        return errors

    def get_covariance(self) -> Matrix:
        """Return the covariance of the model, (d, d)."""
        check_is_fitted(self)
        V, gains = self.components_, self._gains()
        covariance = product(V.T * gains, V)
        covariance[np.diag_indices_from(covariance)] += self.noise_variance_
        return np.asarray(covariance)

    def get_precision(self) -> Matrix:
        """Return the inverse of the covariance, by the smaller of two equivalent systems."""
        check_is_fitted(self)
        d = self.components_.shape[1]
        if self.n_components_ == 0 or self.noise_variance_ <= 0.0:
            with lapack.threads_for_size(d * d):
                return np.asarray(np.linalg.pinv(self.get_covariance(), hermitian=True))
        V = self.components_
        gains = self._gains()
        shrunk = gains / (self.noise_variance_ * (self.noise_variance_ + gains))
        return np.asarray(np.eye(d) / self.noise_variance_ - product(V.T * shrunk, V))

    def score_samples(self, X: Table) -> Floats:
        """Return the logarithm of the density of each row under the model.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        log_density : array of shape (m,)
        """
        table = check_new(self, X)
        dense = table.toarray() if is_sparse(table) else table
        return gaussian_log_density(dense, self.mean_, self.get_precision()).astype(table.dtype)

    def score(self, X: Table, y: object = None) -> float:
        """Return the mean logarithm of the density of the rows.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        score : float
        """
        return float(np.mean(self.score_samples(X)))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _gains(self) -> Floats:
        """Return the variance of each component beyond the noise."""
        return np.maximum(self.explained_variance_.astype(np.float64) - self.noise_variance_, 0.0)

    def _scale(self) -> Floats:
        """Return the standard deviation of each coordinate; 1 if it is zero."""
        scale = np.sqrt(self.explained_variance_.astype(np.float64))
        return np.where(scale > 1e-8 * scale.max(initial=0.0), scale, 1.0)

    def _directions(self) -> Matrix:
        V = self.components_
        return V / self._scale()[:, None].astype(V.dtype) if self.whiten else V


def coordinates(table: Data, mean: Matrix, directions: Matrix) -> Matrix:
    """Return (x - mean) . v of each row and direction; dense rows are centred in cache first."""
    V = directions.T.astype(table.dtype)
    mean = mean.astype(table.dtype)
    if is_sparse(table):
        return np.asarray(table @ V - mean @ V)
    n, d = table.shape
    Z = np.empty((n, V.shape[1]), dtype=table.dtype)

    def place(rows: slice) -> None:
        np.matmul(table[rows] - mean, V, out=Z[rows])

    run_in_parallel(2.0 * Z.size * d, place, bands(n, size=max(16, _BLOCK // max(1, d))))
    return Z


def as_coordinates(model: Transformer, X: Table, k: int) -> Matrix:
    """Check coordinates and return them as a float array of k columns."""
    Z = dense_of(type(model).__name__, "X", X)
    if Z.ndim != 2 or Z.shape[1] != k:
        raise DataError(
            f"{type(model).__name__}: inverse_transform needs rows of {k} columns, one per "
            f"component; got shape {Z.shape}."
        )
    check_finite(type(model).__name__, "X", np.ascontiguousarray(Z))
    return Z


def gaussian_log_density(X: Matrix, mean: Matrix, precision: Matrix) -> Floats:
    """Return log N(x; mean, precision^-1) of each row; if singular, on its support."""
    away = X.astype(np.float64) - mean
    precision = precision.astype(np.float64)
    squares: Floats = (product(away, precision) * away).sum(axis=1)
    values = lapack.eigvalsh(precision)
    some = values > 1e-12 * max(values[-1], 0.0) if len(values) else values > 0
    log_det = float(np.log(values[some]).sum())
    return np.asarray(-(squares - log_det + X.shape[1] * np.log(2 * np.pi)) / 2)
