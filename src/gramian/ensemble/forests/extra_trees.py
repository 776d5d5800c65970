"""Extremely randomised trees."""

from typing import ClassVar

from gramian.base.fields import KW_ONLY, params
from gramian.ensemble.forests.forest_classifier import ForestClassifier
from gramian.ensemble.forests.forest_parameters import CLASSIFIER_ORDER, REGRESSOR_ORDER
from gramian.ensemble.forests.forest_regressor import ForestRegressor


@params(first=CLASSIFIER_ORDER)
class ExtraTreesClassifier(ForestClassifier):
    """Extremely randomised trees: an average of trees with random thresholds.

    Each node draws m features and, for each of them, one threshold between its minimum and maximum
    in the node, and uses the best of these m splits. No sorting is needed. Each tree uses all rows,
    unless `bootstrap` is True. Geurts, Ernst and Wehenkel 2006.

    Examples
    --------
    >>> from gramian.ensemble import ExtraTreesClassifier
    >>> model = ExtraTreesClassifier(n_estimators=20, random_state=0)
    >>> model.fit([[0.0], [1.0], [2.0], [3.0]], ["low", "low", "high", "high"]).predict([[0.2]])
    array(['low'], dtype='<U4')
    """

    _: KW_ONLY
    bootstrap: bool = False

    splitter: ClassVar[str] = "random"


@params(first=REGRESSOR_ORDER)
class ExtraTreesRegressor(ForestRegressor):
    """Extremely randomised trees for regression; see `ExtraTreesClassifier`.

    Examples
    --------
    >>> from gramian.ensemble import ExtraTreesRegressor
    >>> model = ExtraTreesRegressor(n_estimators=20, random_state=0)
    >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]).predict([[3.0]])
    array([5.])
    """

    _: KW_ONLY
    bootstrap: bool = False

    splitter: ClassVar[str] = "random"
