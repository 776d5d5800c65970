"""Incremental PCA: principal components from batches of rows, in little memory."""

from typing import Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, check_params, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.runtime import lapack
from gramian.base.types import Data, Floats, Table, is_sparse
from gramian.decomposition.number_of_components import warn_above_rank
from gramian.decomposition.projection import Projection
from gramian.linalg.symmetric import largest_entry_positive


@params
class IncrementalPCA(Projection):
    r"""Incremental PCA: principal components updated batch by batch.

    The new components are the right singular vectors of the k old ones scaled by their singular
    values, the centred batch, and one row for the distance of the two means,
    sqrt(n n_b / (n + n_b)) (m - m_b), stacked (Ross, Lim, Lin and Yang 2008). Memory is
    (k + batch) d for any number of rows. The part of a batch outside the first k components is
    discarded: with k = d nothing is, otherwise the result depends slightly on the batches. For the
    exact result from chunks see `PCA.fit_chunks`, which needs memory for d^2 numbers.

    Parameters
    ----------
    n_components
        Number k of components; None uses the smaller of columns and rows of the first batch.
    whiten
        Whether coordinates are divided by their standard deviation.
    copy
        Ignored; present for scikit-learn compatibility: X is never changed.
    batch_size
        Rows per batch in `fit`; None for five times the number of columns.

    Attributes
    ----------
    components_ : array (k, d)
        Orthonormal rows; the entry of largest size of each is positive.
    explained_variance_, explained_variance_ratio_, singular_values_ : array (k,)
        Variances, their proportions of the total, and singular values.
    mean_, var_ : array (d,)
        Means and variances (with 1/n) of the columns so far.
    noise_variance_ : float
        Mean variance of the discarded components.
    n_components_, n_samples_seen_ : int
        k and n.
    batch_size_ : int
        Rows per batch.

    Examples
    --------
    >>> from gramian import IncrementalPCA
    >>> X = [[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> IncrementalPCA(batch_size=2).fit(X).explained_variance_ratio_.round(6).tolist()
    [0.8, 0.2]
    """

    n_components: Count | None = None
    _: KW_ONLY
    whiten: bool = False
    copy: bool = True
    batch_size: Count | None = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the components, one batch of rows after another.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
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
        self.batch_size_ = int(self.batch_size or 5 * d)
        least = int(self.n_components or 1)
        self._forget()
        for start in _starts(n, self.batch_size_, least):
            stop = n if n - start - self.batch_size_ < least else start + self.batch_size_
            self._add(table[start:stop])
        if self.n_components is not None:
            values = self.singular_values_.astype(np.float64)
            warn_above_rank("IncrementalPCA", values, (n, d), table.dtype, rows="the centred rows")
        return self

    def partial_fit(self, X: Table, y: object = None, check_input: bool = True) -> Self:
        """Update the components with one batch.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows of the batch; the first batch must have at least `n_components` rows.
        y
            Ignored; present for scikit-learn compatibility.
        check_input
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        check_params(self)
        first = not hasattr(self, "components_")
        table = check_fit(self, X) if first else check_new(self, X)
        check_size(self, "X", table)
        if first:
            self._forget()
        self._add(table)
        return self

    def _forget(self) -> None:
        d = self.n_features_in_
        self.n_samples_seen_ = 0
        self._mean, self._squares = np.zeros(d), np.zeros(d)
        self._scaled = np.zeros((0, d))

    def _add(self, table: Data) -> None:
        batch = table.toarray() if is_sparse(table) else table
        dtype = batch.dtype
        batch = batch.astype(np.float64)
        k = self._number(batch)
        n, rows = self.n_samples_seen_, len(batch)
        mean = batch.mean(axis=0)
        centred = batch - mean
        away = self._mean - mean
        bridge = np.sqrt(n * rows / (n + rows)) * away
        stack = np.vstack([self._scaled, centred, bridge[None]])
        _, values, Vt = lapack.svd(stack)
        values, V = values[:k], largest_entry_positive(Vt[:k].T)
        self.n_samples_seen_ = n + rows
        self._squares = self._squares + (centred**2).sum(axis=0) + bridge**2
        self._mean = self._mean - away * rows / (n + rows)
        self._scaled = values[:, None] * V.T
        self._set(values, V.T, dtype)

    def _number(self, batch: Floats) -> int:
        rows, d = batch.shape
        if self.n_samples_seen_ and hasattr(self, "n_components_"):
            asked = self.n_components_ if self.n_components is None else int(self.n_components)
            if asked == self.n_components_:
                return asked
            raise ParameterError(
                f"IncrementalPCA: n_components={asked} must be the same for every batch; it was "
                f"{self.n_components_}."
            )
        asked = min(rows, d) if self.n_components is None else int(self.n_components)
        if asked > d:
            raise ParameterError(
                f"IncrementalPCA: n_components={asked} must be at most n_features={d}."
            )
        if asked > rows:
            raise DataError(
                f"IncrementalPCA: the first batch must have at least n_components={asked} rows; "
                f"got n_samples={rows}. Use a larger batch."
            )
        return asked

    def _set(self, values: Floats, Vt: Floats, dtype: npt.DTypeLike) -> None:
        n, d = self.n_samples_seen_, len(self._mean)
        freedom = max(1, n - 1)
        variances = values**2 / freedom
        whole = float(self._squares.sum()) / freedom
        left = min(n, d) - len(values)
        rest = max(0.0, whole - float(variances.sum()))
        self.components_ = np.ascontiguousarray(Vt, dtype=dtype)
        self.explained_variance_ = variances.astype(dtype)
        ratio = variances / whole if whole > 0 else np.zeros_like(variances)
        self.explained_variance_ratio_ = ratio.astype(dtype)
        self.singular_values_ = values.astype(dtype)
        self.mean_, self.var_ = self._mean.astype(dtype), (self._squares / n).astype(dtype)
        self.noise_variance_ = rest / left if left > 0 else 0.0
        self.n_components_ = len(values)


def _starts(n: int, size: int, least: int) -> list[int]:
    """Return the starts of the batches; a last batch that is too small joins the one before."""
    starts = list(range(0, n, size))
    return starts[:-1] if len(starts) > 1 and n - starts[-1] < least else starts
