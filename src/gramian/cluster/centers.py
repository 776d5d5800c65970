"""Base class of the k-means models."""

from abc import abstractmethod
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from gramian import _native
from gramian.base.callbacks import CallbackSupportMixin
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Clusterer
from gramian.base.rows.distances import distance_matrix
from gramian.base.types import Matrix, Table
from gramian.cluster.rows import as_float64, rows_of

Labels = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


class CenterModel(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, CallbackSupportMixin, Clusterer
):
    """A clustering whose clusters are the Voronoi cells of ``cluster_centers_``.

    Parameters
    ----------
    n_clusters
        The number of clusters, k.
    init
        Initial centres: "k-means++" (greedy; drawn in proportion to the squared distance from
        earlier centres), "random" (Forgy: k rows), "partition" (means of a random partition), an
        array of shape (k, d), or a function of X, k and ``random_state=``.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    cluster_centers_ : array of shape (k, d)
        Centres of the clusters.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    parametric = True
    takes_sparse = True

    cluster_centers_: Matrix
    labels_: Labels

    @abstractmethod
    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Find the centres."""

    def predict(self, X: Table) -> Labels:
        """Return the nearest centre of each row, the one of lowest index in a tie.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            New rows.

        Returns
        -------
        labels : array of shape (n,)
            Indices of centres.
        """
        table = check_new(self, X)
        labels = np.empty(table.shape[0], dtype=np.int32)
        _native.kmeans_assign(rows_of(table), as_float64(self.cluster_centers_), None, labels)
        return labels

    def fit_predict(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> Labels:
        """Fit, and return the cluster of each row.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        labels : array of shape (n,)
            Indices of centres.
        """
        return self.fit(X, y, sample_weight).labels_

    def fit_transform(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> Matrix:
        """Fit, and return the distance of each row to each centre.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        distances : array of shape (n, k)
            Euclidean distances, not squared.
        """
        return self.fit(X, y, sample_weight).transform(X)

    def transform(self, X: Table) -> Matrix:
        """Return the distance of each row to each centre.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            New rows.

        Returns
        -------
        distances : array of shape (n, k)
            Euclidean, not squared.
        """
        table = check_new(self, X)
        distances = np.empty((table.shape[0], len(self.cluster_centers_)), dtype=table.dtype)
        if sp.issparse(table):
            _native.kmeans_transform(rows_of(table), as_float64(self.cluster_centers_), distances)
        else:
            distance_matrix(table, as_float64(self.cluster_centers_), distances)
        return distances

    def score(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Return minus the objective J of new rows; higher is better.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            New rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        score : float
            Minus the weighted sum of squared distances.
        """
        table = check_new(self, X)
        weights = check_weights(self, sample_weight, table.shape[0])
        labels = np.empty(table.shape[0], dtype=np.int32)
        centers = as_float64(self.cluster_centers_)
        return -float(_native.kmeans_assign(rows_of(table), centers, weights, labels))
