"""Gradient boosting in function space, for classification."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    params,
)
from gramian.base.targets import check_labels
from gramian.base.types import Floats
from gramian.ensemble.common.boosted_scores import BoostedClassifier
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.functional_boosting.function_boosting import FunctionBoosting


@params
class FunctionalGradientBoostingClassifier(BoostedClassifier, FunctionBoosting):
    """Gradient boosting for classification, with any regressor as the base learner.

    f_1 is the best constant; iteration m fits a learner h (one per score) to the negative gradient
    of the loss at the current f and adds eta gamma h, gamma by line search; a tree gets a gamma of
    its own in every leaf, by one Newton step. With y = -1 or 1 and the score z = 2f, "log_loss" is
    log(1 + e^(-2yf)), less sensitive to outliers than "exponential", e^(-yz), AdaBoost's loss.
    `HistGradientBoostingClassifier` is faster for trees. Friedman 2001.

    Parameters
    ----------
    loss
        "log_loss", "exponential" (two classes), or a custom one: see
        `HistGradientBoostingClassifier`.

    Attributes
    ----------
    n_classes_ : int
        Number of classes.

    Examples
    --------
    >>> from gramian import FunctionalGradientBoostingClassifier, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> FunctionalGradientBoostingClassifier(estimator=Ridge(), n_estimators=5).fit(X, y).predict(X)
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _: KW_ONLY
    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def _encode(self, y: npt.ArrayLike, n: int) -> Floats:
        codes, self.classes_ = check_labels(self, y, n)
        if len(self.classes_) == 1:
            raise DataError(
                f"{type(self).__name__}: y contains 1 class; the number of classes must be greater "
                "than one. Give rows of another class."
            )
        return codes.astype(np.float64)
