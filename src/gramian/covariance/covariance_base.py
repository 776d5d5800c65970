"""What the estimators of a covariance share: one pass over the rows, distances, densities."""

from abc import abstractmethod
from typing import Any, Literal, NamedTuple, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, caller_level
from gramian.base.gate import check_fit, check_new, check_size
from gramian.base.kinds import Density
from gramian.base.rows.moments import Rows
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.linalg.symmetric import correlations


class UnknownNormError(DataError, NotImplementedError):
    """`error_norm` has no such norm; scikit-learn's raises NotImplementedError."""


class CovarianceEstimator(Density):
    """A mean and a covariance matrix: one normal distribution."""

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
        check_size(self, "X", table, 1e76)  # whose fourth powers can be added up
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
        """Return the inverse of the covariance, or its pseudoinverse where that is singular."""
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
        return self._squares(table).astype(table.dtype)

    def score_samples(self, X: Table) -> Floats:
        """Return the logarithm of the normal density of each row.

        Of a singular covariance it is the density on the plane of the training rows, at the
        point of that plane nearest to the row.

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
        return np.asarray(-(self._squares(table) + constant) / 2).astype(table.dtype)

    def score(self, X_test: Table, y: object = None) -> float:
        """Return the mean logarithm of the normal density of the rows.

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
        """Return how far another covariance is from this one.

        Parameters
        ----------
        comp_cov
            The other matrix (d, d).
        norm
            "frobenius", the sum of squares, or "spectral", the largest singular value.
        scaling
            Whether the squared norm is divided by d.
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
        away = other - self.covariance_
        size = float((away**2).sum() if norm == "frobenius" else np.linalg.norm(away, 2) ** 2)
        size = size / len(away) if scaling else size
        return size if squared else float(np.sqrt(size))

    def _squares(self, table: Matrix) -> Floats:
        away = table.astype(np.float64) - self.location_
        squares: Floats = ((away @ self.get_precision()) * away).sum(axis=1)
        return np.maximum(squares, 0.0)


class _Inverse(NamedTuple):
    """The inverse of a covariance or its pseudoinverse, and the determinant where it is not 0."""

    inverse: Floats
    rank: int
    log_determinant: float


def _invert(covariance: Matrix) -> _Inverse:
    """Return the inverse of a covariance, whose entries are rounded to their type.

    The rank is that of the correlations, which no unit of a column changes; so is the inverse of
    one of full rank.
    """
    S = covariance.astype(np.float64)
    d = len(S)
    sizes, values, V, rank = correlations(S, float(np.finfo(covariance.dtype).eps))
    if rank < d:
        sizes = np.ones(d)
        values, V = np.linalg.eigh(S)
        values, V = values[d - rank :], V[:, d - rank :]
    turned = V / sizes[:, None]
    inverse = (turned / values) @ turned.T
    return _Inverse(inverse, rank, float(np.log(values).sum() + 2 * np.log(sizes).sum()))


def power_of_two(size: float) -> float:
    """Return the power of two next below a size, 1 for 0: dividing by it changes no digit.

    Examples
    --------
    >>> power_of_two(5.0), power_of_two(0.0)
    (4.0, 1.0)
    """
    return float(np.ldexp(1.0, int(np.frexp(size)[1]) - 1)) if size > 0 else 1.0


def toward_identity(S: Floats, shrinkage: float) -> Floats:
    """Return (1 - a) S + a mean(variances) I."""
    shrunk = (1 - shrinkage) * S
    shrunk[np.diag_indices_from(shrunk)] += shrinkage * np.trace(S) / len(S)
    return np.asarray(shrunk)
