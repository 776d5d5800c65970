"""Gradient boosting of exact trees, or of any regressor, for classification."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.targets import check_labels
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosted_scores import BoostedClassifier
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.gradient_boosting.gradient_base import GradientBoosting


@params(first=("loss",))
class GradientBoostingClassifier(BoostedClassifier, GradientBoosting):
    """Gradient boosting of exact regression trees, or of any regressor, for classification.

    Each iteration grows a tree, or one tree per class if there are more than two, on the negative
    slopes of the loss and takes a Newton step in every leaf (Friedman 2001). Any other `estimator`
    is fitted to the slopes in place of the tree, with one step found by line search. With y = -1 or
    1 and the score z = 2f, "log_loss" is log(1 + e^(-2yf)), less sensitive to outliers than
    "exponential", e^(-yz). Splits are exact: the columns are sorted once, and every threshold is
    tried; O(n d) for each level of a tree. `HistGradientBoostingClassifier` bins the columns and is
    faster on many rows.

    Parameters
    ----------
    loss
        "log_loss": logistic for two classes, softmax for more; "exponential": AdaBoost's, for two;
        or a custom loss: see `HistGradientBoostingClassifier`.

    Attributes
    ----------
    n_classes_ : int
        Number of classes.

    Examples
    --------
    >>> from gramian import GradientBoostingClassifier, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> model = GradientBoostingClassifier(n_estimators=5).fit(X, y)
    >>> model.predict(X), model.estimators_.shape
    (array(['a', 'a', 'b', 'b'], dtype='<U1'), (5, 1))
    >>> GradientBoostingClassifier(estimator=Ridge(), n_estimators=5).fit(X, y).predict(X)
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _: KW_ONLY
    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def _encode(self, y: npt.ArrayLike, n: int, weights: Weights | None) -> Floats:
        codes, self.classes_ = check_labels(self, y, n)
        mass = np.bincount(codes, weights, minlength=len(self.classes_))
        if (mass > 0).sum() < 2:
            raise DataError(
                f"{type(self).__name__}: y contains {int((mass > 0).sum())} class after "
                "sample_weight trimmed classes with zero weights, while a minimum of 2 classes are "
                "required. Add rows of another class."
            )
        return codes.astype(np.float64)
