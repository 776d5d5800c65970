"""Base class of covariance estimators: fit, Mahalanobis distances and densities."""

from abc import abstractmethod
from typing import Any, Literal, NamedTuple, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, caller_level
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.kinds import Density
from gramian.base.rows.moments import Rows
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import product
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.linalg.symmetric import correlations


class UnknownNormError(DataError, NotImplementedError):
    """Raised by `error_norm` for an unknown norm; scikit-learn raises NotImplementedError."""


class CovarianceEstimator(Density):
    """Base class of covariance estimators: a normal distribution with mean and covariance."""

    parametric = True

    store_precision: bool
    assume_centered: bool

    covariance_: Matrix
    location_: Matrix
    precision_: Matrix | None

    def fit(self, X: Table, y: object = None) -> Self:
        """Estimate the covariance of the columns.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X)
        check_size(self, "X", table, 1e76)  # fourth powers can be summed
        n, d = table.shape
        if n == 1:
            warn(
                f"{type(self).__name__}: Only one sample available. You may want to reshape your "
                "data array: the covariance of one row is 0.",
                UserWarning,
                stacklevel=caller_level(),
            )
        rows = Rows.of(table, np.empty((n, 0)), None)
        if self.assume_centered:
            summary = rows.summarise(shifted=False)
            mean, scatter = np.zeros(d), summary.gram[:-1, :-1]
        else:
            summary = rows.summarise()
            summary = rows.summarise(shift=summary.means)
            mean, scatter = summary.means, summary.centred()
        S = (scatter + scatter.T) / (2 * n)
        self.covariance_ = self._shrink(S, table, mean).astype(table.dtype)
        self.location_ = mean.astype(table.dtype)
        self.precision_ = self.get_precision() if self.store_precision else None
        return self

    @abstractmethod
    def _shrink(self, S: Floats, table: Data, mean: Floats) -> Floats:
        """Return the estimate from the covariance of the rows."""

    def get_precision(self) -> Matrix:
        """Return the inverse of the covariance, or the pseudoinverse if it is singular."""
        check_is_fitted(self)
        if self.store_precision and getattr(self, "precision_", None) is not None:
            return np.asarray(self.precision_)
        inverse = _invert(self.covariance_).inverse
        return inverse.astype(self.covariance_.dtype)

    def mahalanobis(self, X: Table) -> Matrix:
        """Return the squared Mahalanobis distance of each row from the mean.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        distances : array of shape (m,), (x - m)' C^-1 (x - m)
        """
        table = check_new(self, X)
        return self._squared_distances(table).astype(table.dtype)

    def score_samples(self, X: Table) -> Floats:
        """Return the log density of each row under the normal distribution.

        If the covariance is singular, it is the density on the subspace of the training rows, at
        the projection of the row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        log_density : array of shape (m,)
        """
        table = check_new(self, X)
        found = _invert(self.covariance_)
        constant = found.log_determinant + found.rank * np.log(2 * np.pi)
        return np.asarray(-(self._squared_distances(table) + constant) / 2).astype(table.dtype)

    def score(self, X_test: Table, y: object = None) -> float:
        """Return the mean log density of the rows under the normal distribution.

        Parameters
        ----------
        X_test : array or frame of shape (m, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        score : float
        """
        return float(np.mean(self.score_samples(X_test), dtype=np.float64))

    def error_norm(
        self,
        comp_cov: npt.ArrayLike,
        norm: Literal["frobenius", "spectral"] = "frobenius",
        scaling: bool = True,
        squared: bool = True,
    ) -> float:
        """Return the error of this covariance against another one.

        Parameters
        ----------
        comp_cov
            The other matrix (d, d).
        norm
            "frobenius", the sum of squares, or "spectral", the largest singular value.
        scaling
            Whether to divide the squared norm by d.
        squared
            Whether to return the squared norm.

        Returns
        -------
        error : float
        """
        check_is_fitted(self)
        other: Any = np.asarray(comp_cov, dtype=np.float64)
        if other.shape != self.covariance_.shape:
            raise DataError(
                f"{type(self).__name__}: comp_cov must have shape {self.covariance_.shape}; got "
                f"{other.shape}."
            )
        if norm not in ("frobenius", "spectral"):
            raise UnknownNormError(
                f"{type(self).__name__}: norm must be 'frobenius' or 'spectral'; got {norm!r}."
            )
        centred = other - self.covariance_
        size = float((centred**2).sum() if norm == "frobenius" else np.linalg.norm(centred, 2) ** 2)
        size = size / len(centred) if scaling else size
        return size if squared else float(np.sqrt(size))

    def _squared_distances(self, table: Matrix) -> Floats:
        centred = table.astype(np.float64) - self.location_
        squares: Floats = (product(centred, self.get_precision()) * centred).sum(axis=1)
        return np.maximum(squares, 0.0)


class _Inverse(NamedTuple):
    """The (pseudo)inverse of a covariance, its rank, and its log (pseudo)determinant."""

    inverse: Floats
    rank: int
    log_determinant: float


def _invert(covariance: Matrix) -> _Inverse:
    """Return the inverse of a covariance, whose entries are rounded to its dtype.

    The rank is that of the correlations, which do not depend on the units of the columns; an
    inverse of full rank is computed from them too.
    """
    S = covariance.astype(np.float64)
    d = len(S)
    sizes, values, V, rank = correlations(S, float(np.finfo(covariance.dtype).eps))
    if rank < d:
        sizes = np.ones(d)
        values, V = lapack.eigh(S)
        values, V = values[d - rank :], V[:, d - rank :]
    scaled_vectors = V / sizes[:, None]
    inverse = product(scaled_vectors / values, scaled_vectors.T)
    return _Inverse(inverse, rank, float(np.log(values).sum() + 2 * np.log(sizes).sum()))


def power_of_two(size: float) -> float:
    """Return the largest power of two up to a size, 1 for 0; dividing by it does not round.

    Examples
    --------
    >>> power_of_two(5.0), power_of_two(0.0)
    (4.0, 1.0)
    """
    return float(np.ldexp(1.0, int(np.frexp(size)[1]) - 1)) if size > 0 else 1.0


def shrink_to_identity(S: Floats, shrinkage: float) -> Floats:
    """Return (1 - a) S + a mean(variances) I."""
    shrunk = (1 - shrinkage) * S
    shrunk[np.diag_indices_from(shrunk)] += shrinkage * np.trace(S) / len(S)
    return np.asarray(shrunk)
