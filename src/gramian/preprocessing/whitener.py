"""Centring, decorrelation and whitening."""

from numbers import Real
from typing import Annotated, Literal, Self
from warnings import warn

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import dense_of
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_finite, check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.rows.moments import Rows
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import product
from gramian.base.types import Floats, Matrix, Table
from gramian.linalg.symmetric import correlations, eigenpairs


@params
class Whitener(ClassNamePrefixFeaturesOutMixin, Transformer):
    r"""Whiten rows: map them to w = W (x - m) with W S W' = I, so that their covariance is I.

    With S = V L V' the covariance of the training rows,

    ============= ======================== ============================================
    "zca"         W = V L^(-1/2) V'        nearest to the rows: S^(-1/2), sphering
    "pca"         W = L^(-1/2) V'          along the principal axes
    "cholesky"    W = R^-1, S = R R'       each column given those before it
    "decorrelate" W = V'                   covariance L: a rotation only
    ============= ======================== ============================================

    Directions without variance become 0.

    Parameters
    ----------
    method
        Name of the map in the table above.
    ridge
        Multiple of the mean variance added to the variances L, against noise in small ones.

    Attributes
    ----------
    mean_ : array (d,)
        The mean m.
    covariance_ : array (d, d)
        S, with 1/(n - 1).
    whitening_ : array (d, d)
        The whitening matrix W.
    colouring_ : array (d, d)
        Its inverse, or pseudoinverse.

    Examples
    --------
    >>> from gramian.preprocessing import Whitener
    >>> X = [[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> np.cov(Whitener().fit_transform(X).T).round(9).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    parametric = True

    method: Literal["zca", "pca", "cholesky", "decorrelate"] = "zca"
    _: KW_ONLY
    ridge: Annotated[float, Interval(Real, 0, 1e100)] = 0.0

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the whitening transform.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows, at least two.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2)
        check_size(self, "X", table)
        n, d = table.shape
        rows = Rows.of(table, np.empty((n, 0)), None)
        summary = rows.summarise(shift=rows.summarise().means)
        S = summary.centred() / (n - 1)
        S = (S + S.T) / 2
        S[np.diag_indices(d)] += self.ridge * np.trace(S) / d
        whitening, colouring = self._whitening_maps(S)
        self.mean_ = summary.means.astype(table.dtype)
        self.covariance_ = S.astype(table.dtype)
        self.whitening_ = whitening.astype(table.dtype)
        self.colouring_ = colouring.astype(table.dtype)
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the mapped rows; the mean of the training rows is subtracted first.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        rows : array of shape (m, d)
        """
        table = check_new(self, X)
        with np.errstate(over="ignore", invalid="ignore"):
            mapped = product(table - self.mean_.astype(table.dtype), self.whitening_.T)
        check_terms(self, mapped)
        return np.asarray(mapped, dtype=table.dtype)

    def inverse_transform(self, X: Table) -> Matrix:
        """Map whitened rows back.

        Parameters
        ----------
        X : array of shape (m, d)
            Mapped rows.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        Z = dense_of("Whitener", "X", X)
        if Z.ndim != 2 or Z.shape[1] != len(self.mean_):
            raise DataError(
                f"Whitener: inverse_transform needs rows of {len(self.mean_)} columns; got shape "
                f"{Z.shape}."
            )
        check_finite("Whitener", "X", np.ascontiguousarray(Z))
        rows = product(Z, self.colouring_.T.astype(Z.dtype))
        return np.asarray(rows + self.mean_.astype(Z.dtype))

    @property
    def _n_features_out(self) -> int:
        return len(self.mean_)

    def _whitening_maps(self, S: Floats) -> tuple[Floats, Floats]:
        """Return W and its inverse."""
        d = len(S)
        values, V = eigenpairs(S)
        kept = values > d * np.finfo(float).eps * max(values[0], 0.0)
        if self.method == "decorrelate":
            return V.T, V
        sizes, _, _, rank = correlations(S)
        if self.method == "cholesky":
            if rank < d:
                raise DataError(
                    f"Whitener: method='cholesky' needs a covariance of full rank; got rank "
                    f"{rank} of {d}. Remove dependent or constant columns, set ridge, "
                    "or use method='zca'."
                )
            root = lapack.cholesky(S / sizes / sizes[:, None])[0]
            return lapack.inverse_of_lower(root) / sizes, root * sizes[:, None]
        if kept.sum() < rank:
            warn(
                f"Whitener: the columns have standard deviations from {sizes.min():.3g} to "
                f"{sizes.max():.3g}, too far apart for float64: {rank - int(kept.sum())} "
                "directions become 0. Scale the columns first, see "
                "sklearn.preprocessing.StandardScaler.",
                UserWarning,
                stacklevel=caller_level(),
            )
        roots = np.sqrt(np.where(kept, values, 0.0))
        inverse = np.divide(1.0, roots, out=np.zeros(d), where=kept)
        if self.method == "pca":
            return (V * inverse).T, V * roots
        return product(V * inverse, V.T), product(V * roots, V.T)
