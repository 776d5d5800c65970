"""Classification by the neighbours within a radius."""

from typing import Annotated, Any
from warnings import warn

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Instance, NonNegative, params
from gramian.base.targets import Classes, Codes
from gramian.neighbors.neighbors_estimator import RadiusNeighbors
from gramian.neighbors.structures.radius_results import Balls
from gramian.neighbors.supervised import NeighborsClassifier
from gramian.neighbors.votes import (
    Weights,
    WeightsField,
    count_balls,
    of_balls,
    proportions,
)

_LABELS = (str, int, float, np.generic, list, tuple, np.ndarray)
OutlierLabel = Annotated[Any, Instance(_LABELS, "a label, a list of labels or 'most_frequent'")]


@params(first=("weights", "algorithm", "leaf_size", "p", "metric", "outlier_label"))
class RadiusNeighborsClassifier(NeighborsClassifier, RadiusNeighbors):
    """Classify by the vote of all neighbours within a radius.

    The probability of class c at q is its proportion of the weights of the rows within distance r
    of q. The most probable class is predicted, the first in sorted order in a tie; `outlier_label`
    is predicted if no row is within the radius.

    Parameters
    ----------
    outlier_label
        The label of a query without neighbours, one for each output if there are several;
        "most_frequent" for the most frequent class of the training data; None to raise an error. If
        it is not one of the classes, the probabilities of such a query are all 0.

    Attributes
    ----------
    outlier_label_ : label, or a list of them for several outputs
        The label of queries without neighbours.

    Examples
    --------
    >>> import warnings
    >>> from gramian.neighbors import RadiusNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> model = RadiusNeighborsClassifier(radius=1.5, outlier_label=-1).fit(X, y)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     model.predict([[0.2], [9.0]])
    array([ 0, -1])
    """

    radius: NonNegative = 1.0
    _: KW_ONLY
    weights: WeightsField = "uniform"
    outlier_label: OutlierLabel | None = None

    def _fit_outliers(self) -> None:
        labels = [_plain(self._outlier_label(*output)) for output in self._outputs()]
        self.outlier_label_ = labels if self.outputs_2d_ else labels[0]

    def _outputs(self) -> list[tuple[int, Codes, Classes]]:
        """List index, codes and classes of each output."""
        if not self.outputs_2d_:
            return [(0, self._y, self.classes_)]
        columns = zip(self._y.T, self.classes_, strict=True)
        return [(i, codes, classes) for i, (codes, classes) in enumerate(columns)]

    def _outlier_label(self, output: int, codes: Codes, classes: Classes) -> Any:
        label = self.outlier_label
        if label is None:
            return None
        if isinstance(label, str) and label == "most_frequent":
            return classes[np.bincount(codes).argmax()]
        if isinstance(label, list | tuple | np.ndarray) and np.ndim(label):
            n_outputs = len(self._outputs())
            if len(label) != n_outputs:
                raise ParameterError(
                    f"{type(self).__name__}: The length of outlier_label: {len(label)} is "
                    f"inconsistent with the number of outputs, {n_outputs}; give one label for "
                    "each."
                )
            label = label[output]
        if not np.isscalar(label) or np.asarray(label).dtype.kind not in _kinds_like(classes):
            raise TypeError(
                f"{type(self).__name__}: outlier_label {label!r} must have the type of the "
                f"classes, {classes.dtype}."
            )
        return label

    def predict(self, X: npt.ArrayLike | None) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None means the fitted rows, each without itself as a neighbour.

        Returns
        -------
        y : array of shape (m,) or (m, n_outputs)
        """
        found, votes = self._votes(X)
        alone = np.diff(found.offsets) == 0
        columns = []
        for (_, _, classes), counted, label in zip(
            self._outputs(), votes, self._outlier_labels(), strict=True
        ):
            y = classes[counted.argmax(axis=1)]
            if alone.any():
                y = y.astype(np.result_type(y.dtype, np.asarray(label).dtype))
                y[alone] = label
            columns.append(y)
        return np.column_stack(columns) if self.outputs_2d_ else columns[0]

    def predict_proba(self, X: npt.ArrayLike | None) -> Weights | list[Weights]:
        """Return the proportion of each class in the neighbours' weights.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None means the fitted rows, each without itself as a neighbour.

        Returns
        -------
        p : array of shape (m, n_classes), or a list of them for several outputs
            Columns in the order of ``classes_``.
        """
        found, votes = self._votes(X)
        alone = np.diff(found.offsets) == 0
        probabilities = [proportions(counted) for counted in votes]
        for (_, _, classes), p, label in zip(
            self._outputs(), probabilities, self._outlier_labels(), strict=True
        ):
            if not alone.any():
                continue
            known = classes == label
            p[alone] = known
            if not known.any():
                warn(
                    f"{type(self).__name__}: Outlier label {label} is not in training classes. "
                    "All class probabilities of outliers will be assigned with 0.",
                    UserWarning,
                    stacklevel=2,
                )
        return probabilities if self.outputs_2d_ else probabilities[0]

    def _outlier_labels(self) -> list[Any]:
        return list(self.outlier_label_) if self.outputs_2d_ else [self.outlier_label_]

    def _votes(self, X: npt.ArrayLike | None) -> tuple[Balls, list[Weights]]:
        found = self._within(self._queries(X))
        alone = np.flatnonzero(np.diff(found.offsets) == 0)
        if len(alone) and self.outlier_label is None:
            raise DataError(
                f"{type(self).__name__}: No neighbors found for test samples {alone[:10]} "
                f"({len(alone)} in all), within radius {self.radius:g}; give an outlier_label or "
                "a larger radius, or remove them from your dataset."
            )
        weights = of_balls(self.weights, found)
        return found, [
            count_balls(codes, found, weights, len(classes))
            for _, codes, classes in self._outputs()
        ]


def _plain(label: Any) -> Any:
    """Return a NumPy scalar as a Python scalar."""
    return label.item() if isinstance(label, np.generic) else label


def _kinds_like(classes: Classes) -> str:
    """Return the dtype kinds that a label of these classes may have."""
    return "biuf" if classes.dtype.kind in "biuf" else "UOST"
