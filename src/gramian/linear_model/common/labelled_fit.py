"""Fitting linear classifiers to labelled rows: `fit` and the checks of its arguments."""

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import check_weights, weigh_classes
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Floats, Table, Weights
from gramian.linear_model.common.class_targets import check_classes

if TYPE_CHECKING:
    from gramian.base.kinds import Classifier as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class LabelledRows(NamedTuple):
    """Checked rows with their classes and weights."""

    X: Data
    targets: npt.NDArray[Any]  # class codes, or class probabilities
    classes: Classes
    weights: Weights | None  # sample weights times class weights; None if all are 1
    class_totals: Floats  # total weight of each class

    def row_weights(self) -> Floats:
        """Return the weight of each row, ones if no weights are given."""
        return np.ones(self.X.shape[0]) if self.weights is None else self.weights


def check_labelled_rows(
    estimator: Estimator, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> LabelledRows:
    """Return the rows, the class codes and the weights, multiplied by `class_weight` if any."""
    name = type(estimator).__name__
    table = check_fit(estimator, X)
    codes, classes = check_labels(estimator, y, table.shape[0])
    weights = check_weights(estimator, sample_weight, table.shape[0])
    class_weight = getattr(estimator, "class_weight", None)
    weights = weigh_classes(name, class_weight, codes, classes, weights)
    totals = np.bincount(codes, weights, len(classes)).astype(float)
    check_classes(name, classes, totals)
    return LabelledRows(table, codes, classes, weights, totals)


class LabelledFit(_Mixed):
    """Mixin that adds `fit` to labelled rows with weights."""

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        rows = check_labelled_rows(self, X, y, sample_weight)
        return self._fit_labelled(rows, {"X": X, "y": y})

    def _fit_labelled(self, rows: LabelledRows, data: dict[str, Any]) -> Self:
        """Fit to checked rows; `data` is X and y as passed, for callbacks."""
        raise NotImplementedError
