"""Bagging of regressors."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.utils import get_tags

from gramian.base.fields import (
    params,
)
from gramian.base.kinds import Regressor, Tags
from gramian.base.targets import check_target_size, check_targets
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.bagging.bagging_base import Bagging, require_known
from gramian.ensemble.common.input_checks import check_new_rows, prediction_dtype
from gramian.tree import DecisionTreeRegressor


@params
class BaggingRegressor(Regressor, Bagging):
    """Bagging of regressors: the mean of learners on bootstrap samples.

    Each of T members is fitted to n' rows drawn with replacement, passed as weights if the learner
    supports them. A sample contains 1 - (1 - 1/n)^n', about 63 %, of the rows; the others are out
    of the bag and can test the member. The mean of T predictions with variance s^2 and correlation
    r has variance r s^2 + (1 - r) s^2 / T (`average_variance`). Breiman 1996.

    Attributes
    ----------
    oob_score_ : float
        R^2 of the out-of-bag predictions.
    oob_prediction_ : array of shape (n,)
        Out-of-bag predictions; NaN for a row that every member was fitted to.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import BaggingRegressor
    >>> X = np.arange(50.0)[:, None]
    >>> BaggingRegressor(random_state=0).fit(X, X[:, 0]).score(X, X[:, 0]) > 0.98
    True
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": lambda self: self._several()}

    def _several(self) -> bool:
        """Return whether the learner takes several outputs."""
        (learner,) = self._learners()
        return hasattr(learner, "__sklearn_tags__") and bool(
            get_tags(learner).target_tags.multi_output
        )

    def _check_targets(self, table: Data, y: npt.ArrayLike) -> npt.NDArray[Any]:
        n = table.shape[0]
        targets: npt.NDArray[Any] = check_targets(self, y, n, columns=self._several())
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
        more = self._arguments("predict", params)
        said = [member.predict(part, **more) for member, part in self._parts(table)]
        mean = np.mean(said, axis=0)
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
        for count, (member, part) in enumerate(self._parts(table), start=1):
            total = total + member.predict(part)
            yield (total / count).astype(prediction_dtype(table), copy=False)

    def _default(self) -> Any:
        return DecisionTreeRegressor()

    def _score_left_out(self, table: Data, y: npt.NDArray[Any]) -> None:
        found = self._left_out(
            [np.asarray(m.predict(p), dtype=float) for m, p in self._parts(table)]
        )
        known = np.asarray(~np.isnan(found.reshape(len(found), -1)).any(axis=1))
        require_known(known, type(self).__name__)
        self.oob_prediction_ = found
        spread = ((y[known] - y[known].mean(axis=0)) ** 2).sum(axis=0)
        missed = ((y[known] - found[known]) ** 2).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.oob_score_ = float(np.mean(np.where(spread > 0, 1 - missed / spread, np.nan)))
