"""Regression trees."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.categorical import check_new_columns
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.kinds import Regressor
from gramian.base.types import Table
from gramian.tree.decision_tree import DecisionTree, SplitMarker
from gramian.tree.growth.validation_stop import splits_without_gain
from gramian.tree.leaf_values import Floats, LeafValues


@params(first=("criterion", "splitter"))
class DecisionTreeRegressor(LeafValues, DecisionTree, Regressor):
    """Decision tree regressor: divides the feature space into boxes with one predicted value each.

    Each node S is split into S_l and S_r so that the error J decreases most,

        max  J(S) - (w_l J(S_l) + w_r J(S_r)) / w,

    with w the weight of the rows:

    - squared_error: J = mean (y - mean)^2, a leaf predicts the mean;
    - absolute_error: J = mean abs(y - median), a leaf predicts the median; O(m log m) for a feature
      in a node of m rows;
    - worst_error: J = max abs(y - c), c = (min + max) / 2, which a leaf predicts; a split has the
      error of its worse child;
    - poisson: J = mean y log(y / mean), half the Poisson deviance, a leaf predicts the mean.

    Every feature is sorted once and all nodes use that order, as in `DecisionTreeClassifier`.
    Breiman, Friedman, Olshen and Stone 1984.

    Parameters
    ----------
    criterion
        The error criterion.

    Notes
    -----
    Missing values are tried on both sides of every split and go to the better one. If a node had
    none in training, they go to the child of greater weight, as do categories not seen in `fit`.

    Examples
    --------
    >>> from gramian.tree import DecisionTreeRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 2.0, 9.0, 9.0]
    >>> model = DecisionTreeRegressor(max_depth=1).fit(X, y)
    >>> model.predict([[0.4], [2.6]])
    array([1.5, 9. ])
    """

    _: KW_ONLY
    criterion: Literal["squared_error", "absolute_error", "worst_error", "poisson"] = (
        "squared_error"
    )

    def _validation_rule(self, X_val: Any, y_val: Any) -> SplitMarker | None:
        owner = type(self).__name__
        if not has_validation_rows(owner, X_val, y_val):
            return None
        table = check_new_columns(self, X_val, self._categories)
        truth = check_targets(self, y_val, table.shape[0], columns=True).reshape(table.shape[0], -1)
        if truth.shape[1] != self.n_outputs_:
            raise DataError(
                f"{owner}: y_val must have {self.n_outputs_} columns, like y; got {truth.shape[1]}."
            )

        def loss(rows: npt.NDArray[np.intp], values: Floats) -> Floats:
            error = np.abs(values[:, :, 0] - truth[rows])
            error = error if self.criterion == "absolute_error" else error**2
            total: Floats = error.sum(axis=1)
            return total

        return lambda tree: splits_without_gain(tree, table, loss)

    def predict(self, X: Table, check_input: bool = True) -> Floats:
        """Predict the value of each row's leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        check_input : bool
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
            Predictions; float32 if the targets of `fit` were float32.
        """
        table = self._new_table(X)
        return self._outputs(self.tree_.predict(table))
