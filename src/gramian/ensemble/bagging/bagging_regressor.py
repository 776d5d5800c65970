"""Bagging of regressors."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Jobs,
    Learner,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Data, Floats
from gramian.base.weights import check_weights
from gramian.ensemble.bagging.bagging_base import Bagging, Share, require_known
from gramian.ensemble.common.input_checks import answer_type, check_fit_rows, check_new_rows
from gramian.tree import DecisionTreeRegressor


@params
class BaggingRegressor(Regressor, Bagging):
    """Bagging of regressors: the mean of learners on bootstrap samples.

    Each of T members is fitted to n' rows drawn with replacement, given as counts where the
    learner takes weights; a share of 1 - (1 - 1/n)^n', about 63 %, of the rows is in it, the others
    are out of its bag and can judge it. The variance of the mean of T answers with variance s^2 and
    correlation r is r s^2 + (1 - r) s^2 / T (`average_variance`). Breiman 1996.

    Parameters
    ----------
    estimator
        The learner; None is a decision tree grown out.
    n_estimators
        Number of members, T.
    max_samples
        Rows drawn for a member: a number, a share, or None for as many as there are.
    max_features
        Columns given to a member: a number or a share.
    bootstrap
        Whether rows are drawn with replacement; otherwise each member gets other rows of a
        subset.
    bootstrap_features
        Whether columns are drawn with replacement.
    oob_score
        Whether to judge the ensemble on the rows that members did not see, or a function of
        truth and prediction.
    warm_start
        Whether fit adds members to those of the fit before.
    n_jobs
        Members fitted side by side.
    random_state
        Where chance comes from.
    verbose
        Kept for scikit-learn's sake: progress is shown by callbacks.

    Attributes
    ----------
    estimators_ : list of regressors
        The members.
    estimators_features_ : list of arrays
        The columns of each.
    estimators_samples_ : list of arrays
        The rows of each.
    oob_score_ : float
        R^2 of the answers of members that did not see the row.
    oob_prediction_ : array of shape (n,)
        These answers; NaN for a row that all saw.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import BaggingRegressor
    >>> X = np.arange(50.0)[:, None]
    >>> BaggingRegressor(random_state=0).fit(X, X[:, 0]).score(X, X[:, 0]) > 0.98
    True
    """

    estimator: Learner | None = None
    n_estimators: Count = 10
    _: KW_ONLY
    max_samples: Count | Share | None = None
    max_features: Count | Share = 1.0
    bootstrap: bool = True
    bootstrap_features: bool = False
    oob_score: bool = False
    warm_start: bool = False
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: bool | NonNegativeInt = 0

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit the members.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their targets.
        sample_weight : array of shape (n,), optional
            In proportion to which rows are drawn.

        Returns
        -------
        self : BaggingRegressor
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = check_targets(self, y, table.shape[0])
        self._fit(table, targets, check_weights(self, sample_weight, table.shape[0]))
        return self

    def predict(self, X: npt.ArrayLike) -> Floats:
        """Predict the mean of the members' answers.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        total = np.zeros(table.shape[0])
        for member, part in self._parts(table):
            total += member.predict(part)
        return (total / len(self.estimators_)).astype(answer_type(table), copy=False)

    def staged_predict(self, X: npt.ArrayLike) -> Iterator[Floats]:
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
        total = np.zeros(table.shape[0])
        for count, (member, part) in enumerate(self._parts(table), start=1):
            total += member.predict(part)
            yield (total / count).astype(answer_type(table), copy=False)

    def _default(self) -> Any:
        return DecisionTreeRegressor()

    def _score_left_out(self, table: Data, y: npt.NDArray[Any]) -> None:
        found = self._left_out(
            [np.asarray(m.predict(p), dtype=float) for m, p in self._parts(table)]
        )
        known = ~np.isnan(found)
        require_known(known, type(self).__name__)
        self.oob_prediction_ = found
        spread = float(((y[known] - y[known].mean()) ** 2).sum())
        missed = float(((y[known] - found[known]) ** 2).sum())
        self.oob_score_ = 1 - missed / spread if spread > 0 else float("nan")
