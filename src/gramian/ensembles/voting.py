"""Voting: different learners answer, their answers are combined."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp
from sklearn.base import TransformerMixin
from sklearn.model_selection import cross_val_predict

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, Jobs, Splitter, params
from gramian.base.gate import check_fit, check_new, check_weights
from gramian.base.kinds import Classifier, Regressor
from gramian.base.labels import check_labels, check_targets
from gramian.ensembles.members import naming, posterior_of, takes_weights
from gramian.ensembles.named import Named, NamedEnsemble, fresh, weights_of
from gramian.trees.tree import Floats


def model_posterior(log_evidence: npt.ArrayLike, prior: npt.ArrayLike | None = None) -> Floats:
    """Return P(M_j | data), in proportion to prior times evidence.

    Parameters
    ----------
    log_evidence
        log P(data | M_j) of each model.
    prior
        P(M_j), up to a factor; None for equal ones.

    Returns
    -------
    array
        Shares that sum to 1.

    Examples
    --------
    >>> from gramian.ensembles import model_posterior
    >>> model_posterior([-1000.0, -1000.0 - 1.0986122886681098]).round(3)
    array([0.75, 0.25])
    """
    logs = np.asarray(log_evidence, dtype=float)
    shares = weights_of(prior, len(logs), "model_posterior")
    with np.errstate(divide="ignore"):
        logs = logs + np.log(shares)
    return np.asarray(np.exp(logs - logsumexp(logs)))


@params
class VotingClassifier(TransformerMixin, Classifier, NamedEnsemble):
    """Classification by the combined answers of different learners.

    "hard": each learner has a vote of its weight for one class. "soft": the weighted mean of their
    posteriors. "median": the median of their posteriors, normalised, which one wild learner cannot
    move. "bayes": Bayesian model combination, sum_j P(C | x, M_j) P(M_j | data), where the evidence
    for a learner is the likelihood it gives, in cross-validation, to the classes of rows it did not
    see; `weights` are then the prior. Kittler, Hatef, Duin and Matas 1998.

    Parameters
    ----------
    estimators
        Pairs of a name and a learner; "drop" in place of a learner leaves it out.
    voting
        How answers are combined.
    weights
        Weights >= 0 of the learners; None for equal ones.
    n_jobs
        Kept for scikit-learn's sake: the learners are fitted one after the other.
    flatten_transform
        Whether transform returns the posteriors of all learners side by side.
    verbose
        Kept for scikit-learn's sake.
    cv
        Folds of the cross-validation of "bayes".

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted learners.
    named_estimators_ : Bunch
        The same by name.
    weights_ : array of shape (n_estimators,)
        Their shares in the answer.
    log_evidence_ : array of shape (n_estimators,)
        For "bayes", the log likelihood of each.
    classes_ : array of shape (n_classes,)
        The classes, sorted.

    Examples
    --------
    >>> from gramian import KNeighborsClassifier, LogisticRegression, VotingClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> members = [("near", KNeighborsClassifier(1)), ("line", LogisticRegression())]
    >>> VotingClassifier(members, voting="soft").fit(X, y).predict([[0.4], [2.9]])
    array([0, 1])
    """

    estimators: Named
    _: KW_ONLY
    voting: Literal["hard", "soft", "median", "bayes"] = "hard"
    weights: Array | None = None
    n_jobs: Jobs = None
    flatten_transform: bool = True
    verbose: bool = False
    cv: Splitter | Array = 5

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # votes are labels
        return tags

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit the learners.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their classes.
        sample_weight : array of shape (n,), optional
            How much each row counts, for learners that all take it.

        Returns
        -------
        self : VotingClassifier
            The fitted model.
        """
        table = check_fit(self, X)
        codes, self.classes_ = check_labels(self, y, len(table))
        given = check_weights(self, sample_weight, len(table))
        labels = self.classes_[codes]
        kept = self._members()
        shares = weights_of(self._kept_weights(), len(kept), type(self).__name__)
        if self.voting == "bayes":
            self.log_evidence_ = np.array(
                [self._log_likelihood(member, table, labels, codes) for _, member in kept]
            )
            shares = model_posterior(self.log_evidence_, shares)
        self.weights_ = shares
        self._remember(kept, [_fit(self, fresh(m), table, labels, given) for _, m in kept])
        return self

    def _kept_weights(self) -> Any:
        return kept_weights(self.weights, self.estimators, type(self).__name__)

    def _log_likelihood(self, member: Any, table: Any, labels: Any, codes: Any) -> float:
        """Return the log likelihood of the classes under a learner that did not see them."""
        with naming(self, member):
            p = cross_val_predict(fresh(member), table, labels, cv=self.cv, method="predict_proba")
        own = p[np.arange(len(codes)), codes]
        return float(np.log(np.maximum(own, 1e-15)).sum())

    def _posteriors(self, X: npt.ArrayLike) -> Floats:
        """Return the learners' posteriors, of shape (n_estimators, m, n_classes)."""
        table = check_new(self, X)
        return np.stack([posterior_of(m, table, self.classes_) for m in self.estimators_])

    def _votes(self, X: npt.ArrayLike) -> Floats:
        """Return each learner's share of the votes for each class, of shape (m, n_classes)."""
        table = check_new(self, X)
        votes = np.zeros((len(table), len(self.classes_)))
        rows = np.arange(len(table))
        for member, weight in zip(self.estimators_, self.weights_, strict=True):
            votes[rows, np.searchsorted(self.classes_, member.predict(table))] += weight
        return votes

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class that the combined answers favour, the first of equal ones.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        votes = self._votes(X) if self.voting == "hard" else self.predict_proba(X)
        # Sums of weights that are equal but for rounding are equal votes.
        decided: npt.NDArray[Any] = self.classes_[np.round(votes, 12).argmax(axis=1)]
        return decided

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Return the combined posteriors; for "hard" the shares of the votes.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        if self.voting == "hard":
            return self._votes(X)
        p = self._posteriors(X)
        if self.voting == "median":
            middle = np.median(p, axis=0)
            total = middle.sum(axis=1, keepdims=True)
            shares: Floats = np.divide(middle, total, out=p.mean(axis=0), where=total > 0)
            return shares
        return np.asarray(np.tensordot(self.weights_, p, axes=1))

    def transform(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the answers of the learners: predictions for "hard", posteriors otherwise.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        answers : array of shape (m, n_estimators), or (m, n_estimators * n_classes) of posteriors
        """
        table = check_new(self, X)
        if self.voting == "hard":
            return np.column_stack([m.predict(table) for m in self.estimators_])
        p = self._posteriors(X).astype(table.dtype, copy=False)
        return np.hstack(list(p)) if self.flatten_transform else p

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the names of the columns of `transform`.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's sake.

        Returns
        -------
        names : array of strings
        """
        del input_features
        prefix = type(self).__name__.lower()
        if self.voting == "hard":
            return np.array([f"{prefix}_{name}" for name in self._names], dtype=object)
        if not self.flatten_transform:
            raise ParameterError(
                "VotingClassifier: get_feature_names_out is not supported when `voting='soft'` and "
                "`flatten_transform=False`."
            )
        classes = range(len(self.classes_))
        return np.array([f"{prefix}_{n}{c}" for n in self._names for c in classes], dtype=object)


@params
class VotingRegressor(TransformerMixin, Regressor, NamedEnsemble):
    """Regression by the combined answers of different learners.

    "mean": the weighted mean. "median": the weighted median, which one wild learner cannot move.
    "bayes": the mean with weights P(M_j | data), where the evidence for a learner is the Gaussian
    likelihood of its cross-validated residuals; `weights` are then the prior.

    Parameters
    ----------
    estimators
        Pairs of a name and a learner; "drop" in place of a learner leaves it out.
    weights
        Weights >= 0 of the learners; None for equal ones.
    n_jobs
        Kept for scikit-learn's sake: the learners are fitted one after the other.
    verbose
        Kept for scikit-learn's sake.
    combine
        How answers are combined.
    cv
        Folds of the cross-validation of "bayes".

    Attributes
    ----------
    estimators_ : list of regressors
        The fitted learners.
    named_estimators_ : Bunch
        The same by name.
    weights_ : array of shape (n_estimators,)
        Their shares in the answer.
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
    cv: Splitter | Array = 5

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit the learners.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their targets.
        sample_weight : array of shape (n,), optional
            How much each row counts, for learners that all take it.

        Returns
        -------
        self : VotingRegressor
            The fitted model.
        """
        table = check_fit(self, X)
        targets = np.asarray(check_targets(self, y, len(table)), dtype=np.float64)
        given = check_weights(self, sample_weight, len(table))
        kept = self._members()
        owner = type(self).__name__
        own = kept_weights(self.weights, self.estimators, owner)
        shares = weights_of(own, len(kept), owner)
        if self.combine == "bayes":
            self.log_evidence_ = np.array(
                [self._log_likelihood(member, table, targets) for _, member in kept]
            )
            shares = model_posterior(self.log_evidence_, shares)
        self.weights_ = shares
        self._remember(kept, [_fit(self, fresh(m), table, targets, given) for _, m in kept])
        return self

    def _log_likelihood(self, member: Any, table: Any, y: Floats) -> float:
        with naming(self, member):
            missed = y - cross_val_predict(fresh(member), table, y, cv=self.cv)
        variance = max(float(np.mean(missed**2)), np.finfo(float).tiny)
        return float(-0.5 * len(y) * (np.log(2 * np.pi * variance) + 1))

    def predict(self, X: npt.ArrayLike) -> Floats:
        """Predict by combining the learners' answers.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = check_new(self, X)
        answers = self._answers(table)
        if self.combine == "median":
            combined = _middle(answers, self.weights_)
        else:
            combined = np.sum(answers * self.weights_, axis=1)
        return combined.astype(table.dtype, copy=False)

    def transform(self, X: npt.ArrayLike) -> Floats:
        """Return the answers of the learners.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        answers : array of shape (m, n_estimators)
        """
        table = check_new(self, X)
        return self._answers(table).astype(table.dtype, copy=False)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the names of the columns of `transform`.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's sake.

        Returns
        -------
        names : array of strings
        """
        del input_features
        return np.array([f"votingregressor_{name}" for name in self._names], dtype=object)

    def _answers(self, table: Any) -> Floats:
        parts = [np.asarray(m.predict(table), dtype=np.float64) for m in self.estimators_]
        return np.column_stack(parts)


def kept_weights(weights: Any, estimators: Any, owner: str) -> Any:
    """Return the weights of the learners that are not dropped."""
    if weights is None:
        return None
    given = np.asarray(weights, dtype=float)
    if len(given) != len(estimators):
        raise ParameterError(
            f"{owner}: Number of `estimators` and weights must be equal; got {len(given)} "
            f"weights, {len(estimators)} estimators"
        )
    drop = [isinstance(member, str) for _, member in estimators]
    return given[~np.array(drop)]


def _fit(owner: object, member: Any, X: Any, y: Any, weights: Any) -> Any:
    if weights is None:
        with naming(owner, member):
            return member.fit(X, y)
    if not takes_weights(member):
        raise TypeError(
            f"{type(owner).__name__}: underlying estimator {type(member).__name__} does not "
            "support sample weights; leave sample_weight out."
        )
    with naming(owner, member):
        return member.fit(X, y, sample_weight=weights)


def _middle(answers: Floats, weights: Floats) -> Floats:
    """Return the weighted median of each row, half-way where half of the weight is reached."""
    order = np.argsort(answers, axis=1, kind="stable")
    ranked = np.take_along_axis(answers, order, axis=1)
    up_to = np.cumsum(weights[order], axis=1)
    low = (up_to >= 0.5 - 1e-12).argmax(axis=1)
    high = (up_to > 0.5 + 1e-12).argmax(axis=1)
    rows = np.arange(len(answers))
    return np.asarray((ranked[rows, low] + ranked[rows, high]) / 2)
