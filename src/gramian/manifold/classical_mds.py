"""Classical multidimensional scaling."""

from typing import ClassVar, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, caller_level
from gramian.base.fields import KW_ONLY, Count, Function, params
from gramian.base.inputs.gate import check_fit, check_new, check_size, check_stored
from gramian.base.kinds import Tags, Transformer
from gramian.base.types import Floats, Matrix, Table
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.number_of_components import warn_above_rank, warn_of_rank
from gramian.decomposition.singular_triplets import best_solver, by_full, by_gram, by_krylov
from gramian.manifold.dissimilarities import check_given, measure
from gramian.manifold.double_centring import coordinates_of, double_centred, least_eigenvalue

_ROUNDING = 1e-7  # relative to the largest eigenvalue: larger negative ones are not rounding errors


@params
class ClassicalMDS(ClassNamePrefixFeaturesOutMixin, Transformer):
    r"""Classical multidimensional scaling: points with given distances (Torgerson 1952).

    The inner products about the centre follow from squared distances,
    b_rs = (d_r.^2 + d_.s^2 - d_..^2 - d_rs^2) / 2, and B = C D C' gives the coordinates
    sqrt(l_j) c_j. Euclidean distances of points in k dimensions are reproduced exactly; other
    dissimilarities give negative eigenvalues, with a warning. For rows with Euclidean distances
    these are the coordinates of PCA, computed without a distance matrix. A new row is placed by its
    distances from the training rows (Gower 1968).

    Parameters
    ----------
    n_components
        Number of coordinates, k.
    metric
        "euclidean", any other of `sklearn.metrics.pairwise_distances`, a function of two rows, or
        "precomputed": X is then the matrix of distances.
    metric_params
        Arguments of the metric.

    Attributes
    ----------
    embedding_ : array (n, k)
        The points.
    eigenvalues_ : array (k,)
        The largest eigenvalues of B.
    least_eigenvalue_ : float
        Smallest eigenvalue of B; negative if the distances are not Euclidean.
    dissimilarity_matrix_ : array (n, n)
        The distances.

    Examples
    --------
    >>> from gramian.manifold import ClassicalMDS
    >>> triangle = [[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]]
    >>> ClassicalMDS(metric="precomputed").fit(triangle).eigenvalues_.round(5).tolist()
    [12.96415, 3.70252]
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False

    n_components: Count = 2
    _: KW_ONLY
    metric: str | Function = "euclidean"
    metric_params: dict | None = None  # type: ignore[type-arg]

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the embedding of the rows.

        Parameters
        ----------
        X : array or frame of shape (n, d), or (n, n) if metric="precomputed"
            The rows, or their distances.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2)
        check_size(self, "X", table)
        n = table.shape[0]
        self._X = table
        k = int(self.n_components)
        if k > n:
            raise DataError(f"ClassicalMDS: n_components={k} must be at most n_samples={n}.")
        if self.metric == "euclidean" and not self.metric_params:
            self._fit_rows(table, k)
        else:
            self._fit_distances(table, k)
        return self

    def fit_transform(self, X: Table, y: object = None) -> Matrix:
        """Compute the embedding of the rows, and return it.

        Parameters
        ----------
        X : array or frame of shape (n, d), or (n, n) if metric="precomputed"
            The rows, or their distances.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        points : array of shape (n, k)
        """
        return self.fit(X).embedding_

    def transform(self, X: Table) -> Matrix:
        """Embed new rows by their distances from the training rows.

        Parameters
        ----------
        X : array or frame of shape (m, d), or (m, n) if metric="precomputed"
            The rows, or their distances from the training rows.

        Returns
        -------
        points : array of shape (m, k)
        """
        table = check_new(self, X)
        if self.metric == "euclidean" and not self.metric_params:
            away = table.astype(np.float64) - self._mean
            return np.asarray(away @ self._directions, dtype=table.dtype)
        precomputed = self.metric == "precomputed"
        D = table if precomputed else measure(self, table, self._X, self.metric, self.metric_params)
        squares = D.astype(np.float64) ** 2
        inner = -(squares - squares.mean(axis=1)[:, None] - self._mean + self._mean.mean()) / 2
        return np.asarray(inner @ self._directions, dtype=table.dtype)

    @property
    def dissimilarity_matrix_(self) -> Matrix:
        """The distances of the training rows."""
        check_is_fitted(self)
        if self.metric == "precomputed":
            return np.asarray(self._X)
        return measure(self, self._X, None, self.metric, self.metric_params)

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _check_loaded(self) -> None:
        check_stored(self, "_X", self._X, self.n_features_in_)

    def _fit_rows(self, table: Matrix, k: int) -> None:
        """Embed rows by their principal axes."""
        n, d = table.shape
        centred = CentredTable.of(table)
        found = min(k, n, d)
        solver = best_solver(n, d, found, sparse=False)
        if solver == "gram":
            values, Vt = by_gram(centred, found)
        elif solver == "krylov":
            values, Vt = by_krylov(centred, found, seed=0)
        else:
            values, Vt = by_full(centred, found)
        V = np.zeros((d, k))
        V[:, :found] = Vt.T
        self._mean, self._directions = centred.mean, V
        points = centred.times(V)
        every = np.append(values, np.zeros(k - found))
        warn_above_rank("ClassicalMDS", every, (n, d), table.dtype, rows="the centred rows")
        self._take(every**2, points, 0.0, table.dtype)

    def _fit_distances(self, table: Matrix, k: int) -> None:
        if self.metric == "precomputed":
            check_given(self, table)
            D = table
        else:
            D = measure(self, table, None, self.metric, self.metric_params)
        B, self._mean, _ = double_centred(D)
        values, points = coordinates_of(B, k)
        some = values > _ROUNDING**2 * max(float(values[0]), 0.0)
        self._directions = np.divide(points, values, out=np.zeros_like(points), where=some)
        least = least_eigenvalue(B)
        largest = max(float(values[0]), 0.0)
        if least < -_ROUNDING * largest or largest <= 0 < -least:
            warn(
                f"ClassicalMDS: the distances are not Euclidean: the inner products have the "
                f"eigenvalue {least:.3g} and the largest is {largest:.3g}. The embedding is "
                "approximate; "
                "see MDS for least squares.",
                UserWarning,
                stacklevel=caller_level(),
            )
        rounding = 10 * (len(D) + 10) * float(np.finfo(table.dtype).eps) * largest
        rank = int(np.sum(values > rounding))
        part = "the positive part of the inner products"
        warn_of_rank("ClassicalMDS", k, rank, part)
        self._take(np.maximum(values, 0.0), points, least, table.dtype)

    def _take(self, values: Floats, points: Floats, least: float, dtype: npt.DTypeLike) -> None:
        self.eigenvalues_ = values.astype(dtype)
        self.embedding_ = np.ascontiguousarray(points, dtype=dtype)
        self.least_eigenvalue_ = float(least)
