"""Classification by the k nearest neighbours."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, Jobs, Positive, params
from gramian.base.kinds import Classifier
from gramian.base.targets import check_label_outputs
from gramian.neighbors.neighbors_estimator import KNeighbors
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.radius_results import Indices
from gramian.neighbors.structures.search import Algorithm
from gramian.neighbors.votes import (
    Weights,
    WeightsField,
    check_codes,
    check_some_weight,
    count_nearest,
    of_nearest,
    share,
)


@params
class KNeighborsClassifier(Classifier, KNeighbors):
    """Classify by the vote of the k nearest neighbours.

    The posterior of class c at q is the share of the weights of the neighbours N_k(q) that c has,

        p(c | q) = sum_{i in N_k(q), y_i = c} w_i / sum_{i in N_k(q)} w_i,

    with w_i = 1 or 1 / d(q, x_i); the class with the greatest is predicted, the first in sorted
    order of equal ones. Equal distances are decided by the lower index. A search costs what
    `NearestNeighbors` says, the vote O(k). Fix and Hodges 1951; Cover and Hart 1967.

    Parameters
    ----------
    n_neighbors
        k.
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from distances to weights.
    algorithm
        How to search; see `NearestNeighbors`.
    leaf_size
        Most rows in a leaf of the tree; in more than four dimensions five times as many.
    p
        The order of the Minkowski metric, from 1 to infinity.
    metric
        The distance; see `NearestNeighbors`.
    metric_params
        More parameters of the metric.
    n_jobs
        Threads; None and -1 mean the pool's size. Answers do not depend on it.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of them for several outputs
        The classes, sorted.
    outputs_2d_ : bool
        Whether y had several columns.
    effective_metric_ : str or function
        The metric in use.
    effective_metric_params_ : dict
        Its parameters.
    n_samples_fit_ : int
        Number of rows.
    n_features_in_ : int
        Number of columns.

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
    algorithm: Algorithm = "auto"
    leaf_size: Count = 30
    p: Positive = 2
    metric: MetricField = "minkowski"
    metric_params: dict[str, Any] | None = None
    n_jobs: Jobs = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Keep the rows and their classes, and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Their classes.

        Returns
        -------
        self : KNeighborsClassifier
        """
        table = self._fit_search(X)
        self._y, self.classes_, self.outputs_2d_ = check_label_outputs(self, y, table.shape[0])
        return self

    def _check_loaded(self) -> None:
        super()._check_loaded()
        check_codes(self._y, self.classes_, self.outputs_2d_)

    def predict(self, X: npt.ArrayLike | None) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None stands for the fitted rows, of which none is its own neighbour.

        Returns
        -------
        y : array of shape (m,) or (m, n_outputs)
        """
        indices, weights = self._neighborhood(X)
        if not self.outputs_2d_:
            votes = count_nearest(self._y, indices, weights, len(self.classes_))
            labels: npt.NDArray[Any] = self.classes_[votes.argmax(axis=1)]
            return labels
        columns = [
            classes[count_nearest(codes, indices, weights, len(classes)).argmax(axis=1)]
            for codes, classes in zip(self._y.T, self.classes_, strict=True)
        ]
        return np.column_stack(columns)

    def predict_proba(self, X: npt.ArrayLike | None) -> Weights | list[Weights]:
        """Return the share that each class has of the neighbours' weights.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None stands for the fitted rows, of which none is its own neighbour.

        Returns
        -------
        p : array of shape (m, n_classes), or a list of them for several outputs
            Columns in the order of ``classes_``.
        """
        indices, weights = self._neighborhood(X)
        if not self.outputs_2d_:
            return share(count_nearest(self._y, indices, weights, len(self.classes_)))
        return [
            share(count_nearest(codes, indices, weights, len(classes)))
            for codes, classes in zip(self._y.T, self.classes_, strict=True)
        ]

    def _neighborhood(self, X: npt.ArrayLike | None) -> tuple[Indices, Weights | None]:
        distances, indices = self._nearest(self._queries(X))
        weights = of_nearest(self.weights, distances)
        check_some_weight(type(self).__name__, weights)
        return indices, weights
