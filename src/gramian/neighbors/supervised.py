"""The `fit` methods of neighbour classifiers and regressors."""

from typing import Any, Self

import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.kinds import Classifier, Regressor
from gramian.base.targets import check_label_outputs, check_targets, float_type_of
from gramian.neighbors.neighbors_estimator import NeighborsEstimator
from gramian.neighbors.search_parameters import SearchParameters
from gramian.neighbors.votes import check_codes


class NeighborsClassifier(Classifier, SearchParameters, NeighborsEstimator):
    """Stores class labels with the rows.

    Parameters
    ----------
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from distances to weights; with a
        radius it takes the distances of one query.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of them for several outputs
        The class labels, sorted.
    outputs_2d_ : bool
        Whether y had several columns.
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: npt.ArrayLike | sp.csr_array | sp.csr_matrix, y: npt.ArrayLike) -> Self:
        """Store the rows and their classes, and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Class labels.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        table = self._fit_search(X)
        self._y, self.classes_, self.outputs_2d_ = check_label_outputs(self, y, table.shape[0])
        self._fit_outliers()
        return self

    def _fit_outliers(self) -> None:
        """Choose the label of queries without neighbours, if there can be any."""

    def _check_loaded(self) -> None:
        super()._check_loaded()
        check_codes(self._y, self.classes_, self.outputs_2d_)


class NeighborsRegressor(Regressor, SearchParameters, NeighborsEstimator):
    """Stores numeric targets with the rows.

    Parameters
    ----------
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from distances to weights; with a
        radius it takes the distances of one query.
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: npt.ArrayLike | sp.csr_array | sp.csr_matrix, y: npt.ArrayLike) -> Self:
        """Store the rows and their targets, and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Numeric targets.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        table = self._fit_search(X)
        self._y = check_targets(self, y, table.shape[0], columns=True, dtype=float_type_of(y))
        return self
