"""Regression by the combined predictions of different learners."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import TransformerMixin
from sklearn.model_selection import cross_val_predict

from gramian.base.fields import KW_ONLY, Array, Jobs, params
from gramian.base.folds import Folds, check_splits
from gramian.base.gate import check_size
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Floats
from gramian.base.weights import check_weights
from gramian.ensemble.common.input_checks import answer_type, check_fit_rows, check_new_rows
from gramian.ensemble.common.members import naming
from gramian.ensemble.common.named import Named, NamedEnsemble, fresh, weights_of
from gramian.ensemble.voting.voting_base import fit_member, kept_weights, model_posterior


@params
class VotingRegressor(TransformerMixin, Regressor, NamedEnsemble):
    """Regression by the combined predictions of different learners.

    "mean": the weighted mean. "median": the weighted median, which is robust to one outlying
    learner. "bayes": the mean with weights P(M_j | data), where the evidence for a learner is the
    Gaussian likelihood of its cross-validated residuals; `weights` are then the prior.

    Parameters
    ----------
    estimators
        Pairs of a name and a learner; "drop" in place of a learner omits it.
    weights
        Weights >= 0 of the learners; None for equal ones.
    n_jobs
        Ignored; present for scikit-learn compatibility.
    verbose
        Ignored; present for scikit-learn compatibility.
    combine
        How predictions are combined.
    cv
        Folds of the cross-validation of "bayes".

    Attributes
    ----------
    estimators_ : list of regressors
        The fitted learners.
    named_estimators_ : Bunch
        The fitted learners by name.
    weights_ : array of shape (n_estimators,)
        Their weights in the prediction.
    log_evidence_ : array of shape (n_estimators,)
        For "bayes", the log likelihood of each.

    Examples
    --------
    >>> from gramian import KNeighborsRegressor, Ridge, VotingRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> members = [("near", KNeighborsRegressor(1)), ("line", Ridge(alpha=0.0))]
    >>> VotingRegressor(members).fit(X, y).predict([[0.5]]).round(3)
    array([0.25])
    """

    estimators: Named
    _: KW_ONLY
    weights: Array | None = None
    n_jobs: Jobs = None
    verbose: bool = False
    combine: Literal["mean", "median", "bayes"] = "mean"
    cv: Folds = 5

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit the learners.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Numeric targets.
        sample_weight : array of shape (n,), optional
            Weights of the rows; all learners must support them.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        given = check_weights(self, sample_weight, table.shape[0])
        check_size(self, "y", targets)
        kept = self._members()
        owner = type(self).__name__
        own = kept_weights(self.weights, self.estimators, owner)
        weights = weights_of(own, len(kept), owner)
        if self.combine == "bayes":
            folds = check_splits(owner, self.cv, table, targets, classifier=False)
            self.log_evidence_ = np.array(
                [self._log_likelihood(member, table, targets, folds) for _, member in kept]
            )
            weights = model_posterior(self.log_evidence_, weights)
        self.weights_ = weights
        self._remember(kept, [fit_member(self, fresh(m), table, targets, given) for _, m in kept])
        return self

    def _log_likelihood(self, member: Any, table: Any, y: Floats, folds: Any) -> float:
        with naming(self, member):
            missed = y - cross_val_predict(fresh(member), table, y, cv=folds)
        variance = max(float(np.mean(missed**2)), np.finfo(float).tiny)
        return float(-0.5 * len(y) * (np.log(2 * np.pi * variance) + 1))

    def predict(self, X: npt.ArrayLike) -> Floats:
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
            combined = _middle(predictions, self.weights_)
        else:
            combined = np.sum(predictions * self.weights_, axis=1)
        return combined.astype(answer_type(table), copy=False)

    def transform(self, X: npt.ArrayLike) -> Floats:
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
        return self._member_predictions(table).astype(answer_type(table), copy=False)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the names of the columns of `transform`.

        Parameters
        ----------
        input_features : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        names : array of strings
        """
        del input_features
        return np.array([f"votingregressor_{name}" for name in self._names], dtype=object)

    def _member_predictions(self, table: Any) -> Floats:
        parts = [np.asarray(m.predict(table), dtype=np.float64) for m in self.estimators_]
        return np.column_stack(parts)


def _middle(predictions: Floats, weights: Floats) -> Floats:
    """Return the weighted median of each row, the midpoint in a tie."""
    order = np.argsort(predictions, axis=1, kind="stable")
    ranked = np.take_along_axis(predictions, order, axis=1)
    up_to = np.cumsum(weights[order], axis=1)
    low = (up_to >= 0.5 - 1e-12).argmax(axis=1)
    high = (up_to > 0.5 + 1e-12).argmax(axis=1)
    rows = np.arange(len(predictions))
    return np.asarray((ranked[rows, low] + ranked[rows, high]) / 2)
