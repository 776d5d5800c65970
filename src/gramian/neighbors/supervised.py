"""Base classes of neighbour classifiers and regressors: `fit` and `predict`."""

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from gramian.base.inputs.targets import (
    Classes,
    Codes,
    check_label_outputs,
    check_targets,
    float_type_of,
)
from gramian.base.kinds import Classifier, Regressor, Tags
from gramian.base.types import Matrix, Table
from gramian.neighbors.neighbors_estimator import NeighborsEstimator
from gramian.neighbors.search_parameters import SearchParameters
from gramian.neighbors.votes import Votes, Weights, check_codes, proportions


class NeighborsClassifier(Classifier, SearchParameters, NeighborsEstimator):
    """Base class of classifiers that predict by votes of the neighbours.

    Parameters
    ----------
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from distances to weights >= 0, not
        all of them 0. Radius models call the function once per query with neighbours.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of arrays for several outputs
        The class labels, sorted.
    outputs_2d_ : bool
        Whether y had several columns.
    """

    tags: ClassVar[Tags] = {"classifier_tags.multi_label": True, "target_tags.multi_output": True}
    model_family = "discriminative"

    def fit(self, X: Table, y: npt.ArrayLike) -> Self:
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
        """Set the label of queries without neighbours, if they can occur."""

    def _outlier_labels(self) -> list[Any]:
        """List the label of queries without neighbours for each output."""
        return [None] * len(self._outputs())

    @abstractmethod
    def _votes(self, X: npt.ArrayLike | None) -> Votes:
        """Find the neighbours of the rows and add up their weights by class."""

    def predict(self, X: Table | None) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None means the fitted rows, each without itself as a neighbour.

        Returns
        -------
        y : array of shape (m,) or (m, n_outputs)
        """
        votes, alone = self._votes(X)
        columns = []
        for (_, classes), counted, label in zip(
            self._outputs(), votes, self._outlier_labels(), strict=True
        ):
            y = classes[counted.argmax(axis=1)]
            if alone.any():
                y = y.astype(np.result_type(y.dtype, np.asarray(label).dtype))
                y[alone] = label
            columns.append(y)
        return np.column_stack(columns) if self.outputs_2d_ else columns[0]

    def predict_proba(self, X: Table | None) -> Weights | list[Weights]:
        """Return the proportion of each class in the neighbours' weights.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None means the fitted rows, each without itself as a neighbour.

        Returns
        -------
        p : array of shape (m, n_classes), or a list of arrays for several outputs
            Columns in the order of ``classes_``.
        """
        votes, alone = self._votes(X)
        probabilities = [proportions(counted) for counted in votes]
        for (_, classes), p, label in zip(
            self._outputs(), probabilities, self._outlier_labels(), strict=True
        ):
            if alone.any():
                p[alone] = classes == label
        return probabilities if self.outputs_2d_ else probabilities[0]

    def _outputs(self) -> list[tuple[Codes, Classes]]:
        """List codes and classes of each output."""
        if not self.outputs_2d_:
            return [(self._y, self.classes_)]
        return list(zip(self._y.T, self.classes_, strict=True))

    def _check_loaded(self) -> None:
        super()._check_loaded()
        check_codes(self._y, self.classes_, self.outputs_2d_)


class NeighborsRegressor(Regressor, SearchParameters, NeighborsEstimator):
    """Base class of regressors that predict the mean target of the neighbours.

    Parameters
    ----------
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from distances to weights whose sum
        is not 0. Radius models call the function once per query with neighbours.
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    def fit(self, X: Table, y: npt.ArrayLike) -> Self:
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

    @abstractmethod
    def _means(self, X: npt.ArrayLike | None) -> Matrix:
        """Find the neighbours of the rows and return the weighted means of their targets."""

    def predict(self, X: Table | None) -> Matrix:
        """Predict the target of each row.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None means the fitted rows, each without itself as a neighbour.

        Returns
        -------
        y : array of shape (m,) or (m, n_outputs)
        """
        return self._means(X).astype(self._y.dtype, copy=False)
