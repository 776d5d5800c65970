"""Base class of multi-label classifiers built from copies of a classifier."""

from numbers import Integral
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from gramian.base.fields import Learner, params
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Classifier, Tags, input_tag
from gramian.base.members import Members
from gramian.base.models import Model
from gramian.base.rows.taking import take
from gramian.base.types import Table
from gramian.multilabel.common.label_classifier import LabelClassifier


@params
class LabelMembers(Members, LabelClassifier, Classifier):
    """Base class of multi-label classifiers built from copies of a classifier, with the same input.

    Parameters
    ----------
    estimator
        A classifier, cloned for each problem.
    """

    estimator: Learner

    takes_categories: ClassVar[bool] = False
    tags: ClassVar[Tags] = {
        "input_tags.positive_only": lambda self: input_tag(self.estimator, "positive_only")
    }

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            0s and 1s (n, labels), dense, CSR or a frame; a list of sets of labels; or one label
            per row, shape (n,).
        sample_weight
            Weights >= 0 of the rows, if the estimator supports them.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        Y = self._check_target(y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        if weights is not None and not weights.all() and not self._has_custom_splits():
            counted = np.flatnonzero(weights)  # rows of weight 0 have no effect
            table, Y, weights = take(table, counted), Y[counted], weights[counted]
        self._fit_checked(table, Y, weights)
        return self

    def _has_custom_splits(self) -> bool:
        """Return whether folds come from row indices or a splitter, which may use all rows."""
        splitters = (getattr(self, name, None) for name in ("cv", "threshold_cv"))
        return any(cv is not None and not isinstance(cv, Integral) for cv in splitters)

    def _learners(self) -> list[Model]:
        return [self.estimator]

    def _gives_probabilities(self) -> bool:
        return hasattr(self.estimator, "predict_proba")
