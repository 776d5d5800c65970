"""Classification by the k nearest neighbours."""

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, params
from gramian.neighbors.neighbors_estimator import KNeighbors
from gramian.neighbors.supervised import NeighborsClassifier
from gramian.neighbors.votes import (
    Votes,
    WeightsField,
    nearest_votes,
    nearest_weights,
)


@params(first=("weights",))
class KNeighborsClassifier(NeighborsClassifier, KNeighbors):
    """Classify by the vote of the k nearest neighbours.

    The probability of class c at q is its proportion of the weights of the neighbours N_k(q),

        p(c | q) = sum_{i in N_k(q), y_i = c} w_i / sum_{i in N_k(q)} w_i,

    with w_i = 1 or 1 / d(q, x_i). The most probable class is predicted; in a tie, the first in
    sorted order. Among rows at equal distance the lower index comes first. The search costs as much
    as in `NearestNeighbors`, the vote O(k). Fix and Hodges 1951; Cover and Hart 1967.

    Examples
    --------
    >>> from gramian.neighbors import KNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["low", "low", "high", "high"]
    >>> model = KNeighborsClassifier(n_neighbors=3).fit(X, y)
    >>> model.predict([[1.1]])
    array(['low'], dtype='<U4')
    >>> model.predict_proba([[0.9]])
    array([[0.33333333, 0.66666667]])
    """

    n_neighbors: Count = 5
    _: KW_ONLY
    weights: WeightsField = "uniform"

    def _votes(self, X: npt.ArrayLike | None) -> Votes:
        distances, indices = self._nearest(self._queries(X))
        weights = nearest_weights(type(self).__name__, self.weights, distances, negative=False)
        counted = [
            nearest_votes(codes, indices, weights, len(classes))
            for codes, classes in self._outputs()
        ]
        return Votes(counted, np.zeros(len(indices), dtype=bool))

    def _fits_columns_jointly(self, n_classes: npt.NDArray[np.int64]) -> bool:
        """Return True: one fit works for several label columns, which share their neighbours."""
        return True
