"""Classification by the neighbours within a radius."""

import warnings
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Instance, NonNegative, params
from gramian.base.inputs.targets import Classes, Codes
from gramian.neighbors.neighbors_estimator import RadiusNeighbors
from gramian.neighbors.supervised import NeighborsClassifier
from gramian.neighbors.votes import Votes, WeightsField, radius_votes, radius_weights

_LABELS = (str, int, float, np.generic, list, tuple, np.ndarray)
OutlierLabel = Annotated[Any, Instance(_LABELS, "a label, a list of labels or 'most_frequent'")]


@params(first=("weights", "algorithm", "leaf_size", "p", "metric", "outlier_label"))
class RadiusNeighborsClassifier(NeighborsClassifier, RadiusNeighbors):
    """Classify by the vote of all neighbours within a radius.

    The probability of class c at q is its proportion of the weights of the rows within distance r
    of q. The most probable class is predicted; in a tie, the first in sorted order. If no row is
    within the radius, `outlier_label` is predicted.

    Parameters
    ----------
    outlier_label
        Label of a query without neighbours, one per output if there are several;
        "most_frequent" for the most frequent class of the training data; None to raise an error. If
        it is not one of the classes, the probabilities of such a query are all 0.

    Attributes
    ----------
    outlier_label_ : label, or a list of labels for several outputs
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
        labels = [
            _python_scalar(self._outlier_label(output, codes, classes))
            for output, (codes, classes) in enumerate(self._outputs())
        ]
        self.outlier_label_ = labels if self.outputs_2d_ else labels[0]

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
                    f"inconsistent with the number of outputs, {n_outputs}; pass one label per "
                    "output."
                )
            label = label[output]
        if not np.isscalar(label) or np.asarray(label).dtype.kind not in _dtype_kinds(classes):
            raise TypeError(
                f"{type(self).__name__}: outlier_label {label!r} must have the type of the "
                f"classes, {classes.dtype}."
            )
        return label

    def _outlier_labels(self) -> list[Any]:
        return list(self.outlier_label_) if self.outputs_2d_ else [self.outlier_label_]

    def _votes(self, X: npt.ArrayLike | None) -> Votes:
        found = self._within(self._queries(X))
        alone = np.diff(found.offsets) == 0
        if alone.any() and self.outlier_label is None:
            rows = np.flatnonzero(alone)
            raise DataError(
                f"{type(self).__name__}: No neighbors found for test samples {rows[:10]} "
                f"({len(rows)} in all), within radius {self.radius:g}; set outlier_label, use "
                "a larger radius, or remove them from your dataset."
            )
        for (_, classes), label in zip(self._outputs(), self._outlier_labels(), strict=True):
            if alone.any() and label not in classes:
                warnings.warn(
                    f"{type(self).__name__}: Outlier label {label} is not in training classes. All "
                    "class probabilities of outliers will be assigned with 0.",
                    stacklevel=caller_level(),
                )
        weights = radius_weights(type(self).__name__, self.weights, found, negative=False)
        counted = [
            radius_votes(codes, found, weights, len(classes)) for codes, classes in self._outputs()
        ]
        return Votes(counted, alone)


def _python_scalar(label: Any) -> Any:
    """Return a NumPy scalar as a Python scalar."""
    return label.item() if isinstance(label, np.generic) else label


def _dtype_kinds(classes: Classes) -> str:
    """Return the dtype kinds that a label of these classes may have."""
    return "biuf" if classes.dtype.kind in "biuf" else "UOST"
