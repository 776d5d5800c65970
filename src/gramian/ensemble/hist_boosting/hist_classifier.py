"""Histogram gradient boosting for classification."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    params,
)
from gramian.base.inputs.targets import check_labels
from gramian.base.inputs.weights import weigh_classes
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosted_scores import BoostedClassifier
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting
from gramian.ensemble.hist_boosting.hist_parameters import KEYWORDS


@params(first=(*KEYWORDS, "class_weight"))
class HistGradientBoostingClassifier(BoostedClassifier, HistGradientBoosting):
    """Histogram-based gradient boosting for classification.

    Adds trees f_t, each a step of Newton's method in function space, to a constant,

        z(x) = z_0 + eta sum_t f_t(x);

    tree t fits the gradient of the loss at the current scores. Two classes have one score, and
    P(1 | x) = 1 / (1 + e^-z); more classes have one score and one tree per iteration each, and the
    probabilities are the softmax of the scores. Features are binned into at most 255 bins, so a
    split costs one pass over the rows of its smaller child. Missing values go to the child with the
    greater gain; categories are split into two sets. The trees do not depend on the number of
    threads. Friedman 2001; Ke et al. 2017.

    Parameters
    ----------
    loss
        "log_loss"; "exponential" (two classes: AdaBoost's loss, less robust to wrong labels); or
        a function of targets (0 or 1, or class indices) and scores that returns gradient and
        hessian, or a loss of `gramian.objectives`.
    class_weight
        Class weights as a dict, or "balanced".

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import HistGradientBoostingClassifier
    >>> X = np.arange(100.0)[:, None]
    >>> model = HistGradientBoostingClassifier().fit(X, np.where(X[:, 0] < 50, "low", "high"))
    >>> model.predict([[10.0], [90.0]])
    array(['low', 'high'], dtype='<U4')
    """

    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"
    _: KW_ONLY
    class_weight: dict[Any, float] | Literal["balanced"] | None = None

    def _encode(self, y: npt.ArrayLike, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        earlier_classes = getattr(self, "classes_", classes) if self.warm_start else classes
        if not np.array_equal(earlier_classes, classes):
            raise DataError(
                f"{type(self).__name__}: with warm_start the classes must equal those of the "
                f"previous fit, {earlier_classes.tolist()}; got {classes.tolist()}."
            )
        self.classes_ = classes
        return codes.astype(np.float64)

    def _total_weights(self, weights: Weights | None, y: Floats) -> Weights | None:
        owner, codes = type(self).__name__, y.astype(np.intp)
        return weigh_classes(owner, self.class_weight, codes, self.classes_, weights)

    def _labels(self, y: Floats) -> npt.NDArray[Any]:
        labels: npt.NDArray[Any] = self.classes_[y.astype(np.intp)]
        return labels
