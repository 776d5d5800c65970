"""Bagging of regressors."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.utils import get_tags

from gramian.base.fields import (
    params,
)
from gramian.base.inputs.targets import check_target_size, check_targets
from gramian.base.kinds import Regressor, Tags
from gramian.base.models import Model
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.bagging.bagging_base import Bagging, check_out_of_bag
from gramian.ensemble.common.input_checks import check_new_rows, prediction_dtype
from gramian.tree import DecisionTreeRegressor


@params
class BaggingRegressor(Regressor, Bagging):
    """Bagging of regressors: the mean of learners on bootstrap samples.

    Each of T members is fitted to n' rows drawn with replacement, passed as weights if the learner
    supports them. A sample contains 1 - (1 - 1/n)^n', about 63%, of the rows; the others are out
    of the bag and can test the member. The mean of T predictions with variance s^2 and correlation
    r has variance r s^2 + (1 - r) s^2 / T (`average_variance`). Breiman 1996.

    Attributes
    ----------
    oob_score_ : float
        R^2 of the out-of-bag predictions.
    oob_prediction_ : array of shape (n,)
        Out-of-bag predictions; NaN for a row in every member's sample.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import BaggingRegressor
    >>> X = np.arange(50.0)[:, None]
    >>> BaggingRegressor(random_state=0).fit(X, X[:, 0]).score(X, X[:, 0]) > 0.98
    True
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": lambda self: self._supports_multioutput()}

    def _supports_multioutput(self) -> bool:
        """Return whether the learner supports several outputs."""
        (learner,) = self._learners()
        return hasattr(learner, "__sklearn_tags__") and bool(
            get_tags(learner).target_tags.multi_output
        )

    def _check_targets(self, table: Data, y: npt.ArrayLike) -> npt.NDArray[Any]:
        n = table.shape[0]
        targets: npt.NDArray[Any] = check_targets(self, y, n, columns=self._supports_multioutput())
        check_target_size(self, table, targets)
        return targets

    def predict(self, X: Table, **params: Any) -> Floats:
        """Predict the mean of the members' predictions.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        **params : dict
            Further arguments of the members' `predict`, with scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        arguments = self._routed_arguments("predict", params)
        predictions = [
            member.predict(part, **arguments) for member, part in self._members_with_features(table)
        ]
        mean = np.mean(predictions, axis=0)
        return np.asarray(mean, dtype=prediction_dtype(table))

    def staged_predict(self, X: Table) -> Iterator[Floats]:
        """Predict with the first 1, 2, ... members.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        total: Any = 0.0
        for count, (member, part) in enumerate(self._members_with_features(table), start=1):
            total = total + member.predict(part)
            yield (total / count).astype(prediction_dtype(table), copy=False)

    def _default_learner(self) -> Model:
        return DecisionTreeRegressor()

    def _score_out_of_bag(self, table: Data, y: npt.NDArray[Any]) -> None:
        prediction = self._out_of_bag_mean(
            [np.asarray(m.predict(p), dtype=float) for m, p in self._members_with_features(table)]
        )
        has_prediction = np.asarray(~np.isnan(prediction.reshape(len(prediction), -1)).any(axis=1))
        check_out_of_bag(has_prediction, type(self).__name__)
        self.oob_prediction_ = prediction
        total_squares = ((y[has_prediction] - y[has_prediction].mean(axis=0)) ** 2).sum(axis=0)
        squared_errors: Floats = ((y[has_prediction] - prediction[has_prediction]) ** 2).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.oob_score_ = float(
                np.mean(np.where(total_squares > 0, 1 - squared_errors / total_squares, np.nan))
            )
