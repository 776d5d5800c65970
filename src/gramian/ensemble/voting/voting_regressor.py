"""Regression by the combined predictions of different learners."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import TransformerMixin
from sklearn.model_selection import cross_val_predict
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.kinds import Regressor
from gramian.base.models import Model
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.common.input_checks import check_new_rows, prediction_dtype
from gramian.ensemble.common.members import prefixed_errors
from gramian.ensemble.common.named_ensemble import unfitted_copy
from gramian.ensemble.voting.voting_base import Voting


@params(first=("weights", "n_jobs", "verbose", "combine", "cv"))
class VotingRegressor(TransformerMixin, Regressor, Voting):
    """Regression by the combined predictions of different learners.

    "mean": the weighted mean. "median": the weighted median, which is robust to one outlying
    learner. "bayes": the mean with weights P(M_j | data), where the evidence for a learner is the
    Gaussian likelihood of its cross-validated residuals; `weights` are then the prior.

    Parameters
    ----------
    combine
        Rule that combines the predictions.

    Examples
    --------
    >>> from gramian import KNeighborsRegressor, Ridge, VotingRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> members = [("near", KNeighborsRegressor(1)), ("line", Ridge(alpha=0.0))]
    >>> VotingRegressor(members).fit(X, y).predict([[0.5]]).round(3)
    array([0.25])
    """

    _: KW_ONLY
    combine: Literal["mean", "median", "bayes"] = "mean"

    def _check_targets(self, y: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
        targets = np.asarray(check_targets(self, y, n), dtype=np.float64)
        check_size(self, "y", targets)
        return targets

    def _is_bayesian(self) -> bool:
        return self.combine == "bayes"

    def _log_likelihood(self, member: Model, table: Data, y: npt.NDArray[Any], folds: Any) -> float:
        with prefixed_errors(self, member):
            missed = y - cross_val_predict(unfitted_copy(member), table, y, cv=folds)
        variance = max(float(np.mean(missed**2)), np.finfo(float).tiny)
        return float(-0.5 * len(y) * (np.log(2 * np.pi * variance) + 1))

    def predict(self, X: Table) -> Floats:
        """Predict by combining the learners' predictions.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        predictions = self._member_predictions(table)
        if self.combine == "median":
            combined = _weighted_median(predictions, self.weights_)
        else:
            combined = np.sum(predictions * self.weights_, axis=1)
        return combined.astype(prediction_dtype(table), copy=False)

    def transform(self, X: Table) -> Floats:
        """Return the predictions of the learners.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        predictions : array of shape (m, n_estimators)
        """
        table = check_new_rows(self, X)
        return self._member_predictions(table).astype(prediction_dtype(table), copy=False)

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return the names of the columns of `transform`.

        Parameters
        ----------
        input_features : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        names : array of strings
        """
        check_is_fitted(self)
        del input_features
        return np.array([f"votingregressor_{name}" for name in self._names], dtype=object)

    def _member_predictions(self, table: Any) -> Floats:
        parts = [np.asarray(m.predict(table), dtype=np.float64) for m in self.estimators_]
        return np.column_stack(parts)


def _weighted_median(predictions: Floats, weights: Floats) -> Floats:
    """Return the weighted median of each row; the midpoint if it is not unique."""
    order = np.argsort(predictions, axis=1, kind="stable")
    ranked = np.take_along_axis(predictions, order, axis=1)
    up_to = np.cumsum(weights[order], axis=1)
    low: npt.NDArray[np.intp] = (up_to >= 0.5 - 1e-12).argmax(axis=1)
    high: npt.NDArray[np.intp] = (up_to > 0.5 + 1e-12).argmax(axis=1)
    rows = np.arange(len(predictions))
    return np.asarray((ranked[rows, low] + ranked[rows, high]) / 2)
