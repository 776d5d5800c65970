"""Base class of the forest regressors."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.metrics import r2_score

from gramian.base.fields import KW_ONLY, params
from gramian.base.kinds import Regressor
from gramian.base.scores import score_number
from gramian.base.types import Matrix
from gramian.ensemble.forests.forest_estimator import ForestEstimator
from gramian.ensemble.forests.forest_parameters import ForestParameters
from gramian.ensemble.forests.forest_prediction import Floats
from gramian.tree.decision_tree_regressor import DecisionTreeRegressor
from gramian.tree.growth.grow import MaxFeatures, Targets
from gramian.tree.leaf_values import LeafValues


@params
class ForestRegressor(LeafValues, ForestEstimator, ForestParameters, Regressor):
    """A forest that averages the trees' predictions.

    Parameters
    ----------
    criterion
        The error criterion; see `DecisionTreeRegressor`.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
        The trees, created on access.
    oob_prediction_ : array of shape (n,) or (n, n_outputs)
        Out-of-bag predictions, if `oob_score`.
    """

    _: KW_ONLY
    criterion: Literal["squared_error", "absolute_error", "worst_error", "poisson"] = (
        "squared_error"
    )
    max_features: MaxFeatures = 1.0

    _tree_class: ClassVar[Any] = DecisionTreeRegressor

    def _score_out_of_bag(self, table: Matrix, targets: Targets, y: npt.ArrayLike) -> None:
        self.oob_prediction_ = self._outputs(self._out_of_bag_with_warning(table))
        score = self.oob_score if callable(self.oob_score) else r2_score
        observed = np.asarray(y, dtype=np.float64).reshape(self.oob_prediction_.shape)
        found = score(observed, self.oob_prediction_)
        self.oob_score_ = score_number(type(self).__name__, "oob_score", found)

    def _scorer(self, y: npt.ArrayLike) -> Callable[[Floats], float]:
        truth = np.asarray(y, dtype=np.float64)
        return lambda values: float(r2_score(truth, self._outputs(values).reshape(truth.shape)))
