"""Classification by the neighbours within a radius."""

from typing import Annotated, Any
from warnings import warn

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, Instance, Jobs, NonNegative, Positive, params
from gramian.base.kinds import Classifier
from gramian.base.targets import Classes, Codes
from gramian.neighbors.neighbors_estimator import RadiusNeighbors
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.radius_results import Balls
from gramian.neighbors.structures.search import Algorithm
from gramian.neighbors.votes import (
    Weights,
    WeightsField,
    check_codes,
    count_balls,
    fit_labels,
    of_balls,
    share,
)

_LABELS = (str, int, float, np.generic, list, tuple, np.ndarray)
OutlierLabel = Annotated[Any, Instance(_LABELS, "a label, a list of labels or 'most_frequent'")]


@params
class RadiusNeighborsClassifier(Classifier, RadiusNeighbors):
    """Classify by the vote of all neighbours within a radius.

    The posterior of class c at q is the share of the weights of the rows within distance r of q
    that c has; the class with the greatest is predicted, the first in sorted order of equal
    ones. What is predicted where no row is within the radius, `outlier_label` says.

    Parameters
    ----------
    radius
        r; a row at distance r counts.
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from the distances of one ball to
        weights.
    algorithm
        How to search; see `NearestNeighbors`.
    leaf_size
        Most rows in a leaf of the tree; in more than four dimensions five times as many.
    p
        The order of the Minkowski metric, from 1 to infinity.
    metric
        The distance; see `NearestNeighbors`.
    outlier_label
        The label of a query without neighbours, one for each output if there are several;
        "most_frequent" for the commonest of the training data; None to raise an error. If it is
        none of the classes, the probabilities of such a query are all 0.
    metric_params
        More parameters of the metric.
    n_jobs
        Threads; None and -1 mean the pool's size. Answers do not depend on it.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of them for several outputs
        The classes, sorted.
    outlier_label_ : label, or a list of them for several outputs
        The label of queries without neighbours.
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
    algorithm: Algorithm = "auto"
    leaf_size: Count = 30
    p: Positive = 2
    metric: MetricField = "minkowski"
    outlier_label: OutlierLabel | None = None
    metric_params: dict[str, Any] | None = None
    n_jobs: Jobs = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> "RadiusNeighborsClassifier":
        """Keep the rows and their classes, and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Their classes.

        Returns
        -------
        self : RadiusNeighborsClassifier
        """
        table = self._fit_search(X)
        self._y, self.classes_, self.outputs_2d_ = fit_labels(self, y, table.shape[0])
        labels = [_plain(self._outlier_label(*output)) for output in self._outputs()]
        self.outlier_label_ = labels if self.outputs_2d_ else labels[0]
        return self

    def _outputs(self) -> list[tuple[int, Codes, Classes]]:
        """List number, codes and classes of each output."""
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
        found, votes = self._votes(X)
        alone = np.diff(found.offsets) == 0
        shares = [share(counted) for counted in votes]
        for (_, _, classes), p, label in zip(
            self._outputs(), shares, self._outlier_labels(), strict=True
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
        return shares if self.outputs_2d_ else shares[0]

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
    """Return a scalar of NumPy's as one of Python's."""
    return label.item() if isinstance(label, np.generic) else label


def _kinds_like(classes: Classes) -> str:
    """List the kinds of type that a label of these classes may have."""
    return "biuf" if classes.dtype.kind in "biuf" else "UOST"
