"""Bagging: many copies of a learner, each on rows drawn with replacement."""

from abc import abstractmethod
from numbers import Integral, Real
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    Jobs,
    Learner,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.gate import Matrix, Weights, check_fit, check_new, check_weights
from gramian.base.kinds import Classifier, Estimator, Regressor
from gramian.base.labels import check_labels, check_targets
from gramian.base.randomness import seed_of, stream
from gramian.ensembles.members import (
    fit_weighted,
    member_of,
    naming,
    posterior_of,
    takes_weights,
)
from gramian.trees import DecisionTreeClassifier, DecisionTreeRegressor
from gramian.trees.tree import Floats

Share = Annotated[float, Interval(Real, 0, 1, open_low=True)]
_ROWS, _COLUMNS = 4, 5  # streams of random numbers


class Bagging(CallbackSupportMixin, Estimator):
    """What the classifier and the regressor share."""

    estimator: Any
    n_estimators: int
    max_samples: Any
    max_features: Any
    bootstrap: bool
    bootstrap_features: bool
    oob_score: Any
    warm_start: bool
    n_jobs: int | None
    random_state: Any
    verbose: int
    estimators_: list[Any]
    _seed: int

    @abstractmethod
    def _default(self) -> Any:
        """Return the learner that None stands for."""

    @abstractmethod
    def _score_left_out(self, table: Matrix, y: npt.NDArray[Any]) -> None:
        """Set the out-of-bag attributes."""

    def _fit(self, table: Matrix, y: npt.NDArray[Any], weights: Weights | None) -> None:
        n, d = table.shape
        owner = type(self).__name__
        if self.oob_score and not self.bootstrap:
            raise ParameterError(
                f"{owner}: oob_score needs bootstrap=True: only then are rows left out at random."
            )
        if not self.bootstrap and weights is not None:
            kept = np.flatnonzero(weights)
            table, y, weights = table[kept], y[kept], weights[kept]
            n = len(kept)
        if self.warm_start and self.oob_score and hasattr(self, "estimators_"):
            raise ParameterError(f"{owner}: oob_score is not available with warm_start.")
        self._n_drawn = _number(self.max_samples, n, "max_samples", owner)
        _check_drawn(self._n_drawn, n, bool(self.bootstrap), owner)
        self._n_columns = _number(self.max_features, d, "max_features", owner)
        again = self.warm_start and hasattr(self, "estimators_")
        before = list(self.estimators_) if again else []
        self._seed = self._seed if again else seed_of(self.random_state)
        if self.n_estimators < len(before):
            raise ParameterError(
                f"{owner}: n_estimators={self.n_estimators} must be larger or equal to "
                f"len(estimators_)={len(before)} when warm_start=True."
            )
        learner = self._default() if self.estimator is None else self.estimator
        self._n_rows, self._weights = n, weights
        task = Task.of(self, steps=self.n_estimators - len(before), X=table, y=y)
        numbers = range(len(before), self.n_estimators)
        columns = [self._columns(number) for number in range(self.n_estimators)]
        fits = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator")(
            delayed(self._member)(learner, table, y, columns[number], number) for number in numbers
        )
        members = before
        for member in fits:
            members.append(member)
            if task.turn(lambda: self._state(members, columns)):
                break
        self.estimators_ = members
        self.estimators_features_ = columns[: len(members)]
        task.done(lambda: self._state(members, columns))
        if self.oob_score:
            self._score_left_out(table, y)

    def _member(
        self, learner: Any, table: Matrix, y: Any, columns: npt.NDArray[Any], number: int
    ) -> Any:
        member = member_of(learner, self._seed + number)
        part = table if len(columns) == table.shape[1] else np.ascontiguousarray(table[:, columns])
        counts = self._counts(number)
        if takes_weights(member) and self._weights is not None and not self.bootstrap:
            counts = counts * self._weights
        with naming(self, member):
            return fit_weighted(member, part, y, counts)

    def _counts(self, number: int) -> Weights:
        """Return how often each row is drawn for a member."""
        random = stream((self._seed + number) % 2**64, _ROWS)
        n, weights = self._n_rows, self._weights
        if self.bootstrap:
            if weights is None:
                drawn = random.integers(n, size=self._n_drawn)
            else:
                drawn = random.choice(n, size=self._n_drawn, p=weights / weights.sum())
        else:
            drawn = random.choice(n, size=self._n_drawn, replace=False)
        return np.bincount(drawn, minlength=n).astype(np.float64)

    def _columns(self, number: int) -> npt.NDArray[np.intp]:
        d = self.n_features_in_
        if self._n_columns == d and not self.bootstrap_features:
            return np.arange(d)
        random = stream((self._seed + number) % 2**64, _COLUMNS)
        drawn = random.choice(d, size=self._n_columns, replace=bool(self.bootstrap_features))
        return np.sort(drawn).astype(np.intp)

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.intp]]:
        """The rows drawn for each member, as often as they were drawn."""
        counts = (self._counts(number) for number in range(len(self.estimators_)))
        return [np.repeat(np.arange(self._n_rows), c.astype(np.intp)) for c in counts]

    def _state(self, members: list[Any], columns: list[Any]) -> dict[str, Any]:
        names = ("classes_", "n_features_in_", "_seed", "_n_rows", "_n_drawn", "_n_columns")
        kept = {name: getattr(self, name) for name in names if hasattr(self, name)}
        return {
            **kept,
            "estimators_": list(members),
            "estimators_features_": columns[: len(members)],
        }

    def _parts(self, table: Matrix) -> Any:
        """Yield each member with the columns of the rows that it knows."""
        for member, columns in zip(self.estimators_, self.estimators_features_, strict=True):
            whole = len(columns) == table.shape[1] and (np.diff(columns) == 1).all()
            yield member, table if whole else np.ascontiguousarray(table[:, columns])

    def _left_out(self, answers: list[Floats]) -> Floats:
        """Average the members' answers over those that did not see the row; NaN for none."""
        total, count = np.zeros_like(answers[0]), np.zeros(len(answers[0]))
        for number, answer in enumerate(answers):
            unseen = self._counts(number) == 0
            total[unseen] += answer[unseen]
            count += unseen
        shape = (-1, *[1] * (total.ndim - 1))
        return np.divide(
            total,
            count.reshape(shape),
            out=np.full_like(total, np.nan),
            where=count.reshape(shape) > 0,
        )


@params
class BaggingClassifier(Classifier, Bagging):
    """Bagging of classifiers: the mean of posteriors of learners on bootstrap samples.

    Each of T members is fitted to n' rows drawn with replacement, given as counts where the
    learner takes weights; a share of 1 - (1 - 1/n)^n', about 63 %, of the rows is in it, the others
    are out of its bag and can judge it. Averaging lowers the variance of unstable learners, the
    more the less their answers are correlated (`average_variance`). Breiman 1996.

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
    estimators_ : list of classifiers
        The members.
    estimators_features_ : list of arrays
        The columns of each.
    estimators_samples_ : list of arrays
        The rows of each.
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    oob_score_ : float
        Share of rows that the members that did not see them get right.
    oob_decision_function_ : array of shape (n, n_classes)
        These members' mean posteriors; NaN for a row that all saw.

    Examples
    --------
    >>> from gramian import BaggingClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> BaggingClassifier(random_state=0).fit(X, y).predict([[0.0], [3.0]])
    array(['a', 'b'], dtype='<U1')
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
            Their classes.
        sample_weight : array of shape (n,), optional
            In proportion to which rows are drawn.

        Returns
        -------
        self : BaggingClassifier
            The fitted model.
        """
        table = check_fit(self, X)
        codes, self.classes_ = check_labels(self, y, len(table))
        self._fit(table, self.classes_[codes], check_weights(self, sample_weight, len(table)))
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class with the greatest mean posterior.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        posterior = self.predict_proba(X)
        predicted: npt.NDArray[Any] = self.classes_[posterior.argmax(axis=1)]
        return predicted

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Return the mean of the members' posteriors, or of their votes where they have none.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        table = check_new(self, X)
        total = np.zeros((len(table), len(self.classes_)))
        for member, part in self._parts(table):
            total += posterior_of(member, part, self.classes_)
        return total / len(self.estimators_)

    def _default(self) -> Any:
        return DecisionTreeClassifier()

    def _score_left_out(self, table: Matrix, y: npt.NDArray[Any]) -> None:
        answers = [posterior_of(m, part, self.classes_) for m, part in self._parts(table)]
        p = self._left_out(answers)
        known = ~np.isnan(p[:, 0])
        _require_known(known, type(self).__name__)
        self.oob_decision_function_ = p
        self.oob_score_ = float((self.classes_[p[known].argmax(axis=1)] == y[known]).mean())


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
        table = check_fit(self, X)
        targets = check_targets(self, y, len(table))
        self._fit(table, targets, check_weights(self, sample_weight, len(table)))
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
        table = check_new(self, X)
        total = np.zeros(len(table))
        for member, part in self._parts(table):
            total += member.predict(part)
        return (total / len(self.estimators_)).astype(table.dtype, copy=False)

    def _default(self) -> Any:
        return DecisionTreeRegressor()

    def _score_left_out(self, table: Matrix, y: npt.NDArray[Any]) -> None:
        found = self._left_out(
            [np.asarray(m.predict(p), dtype=float) for m, p in self._parts(table)]
        )
        known = ~np.isnan(found)
        _require_known(known, type(self).__name__)
        self.oob_prediction_ = found
        spread = float(((y[known] - y[known].mean()) ** 2).sum())
        missed = float(((y[known] - found[known]) ** 2).sum())
        self.oob_score_ = 1 - missed / spread if spread > 0 else float("nan")


def _number(given: float | None, of: int, name: str, owner: str) -> int:
    """Return a number of rows or columns, given as such, as a share, or as None for all."""
    if given is None:
        return of
    whole = isinstance(given, Integral)
    number = int(given) if whole else max(int(given * of), 1)
    if number > of and name == "max_features":
        raise ParameterError(
            f"{owner}: {name} must be at most {of}, the columns of X; got {given}."
        )
    return number


def _check_drawn(drawn: int, n: int, bootstrap: bool, owner: str) -> None:
    if not bootstrap and drawn > n:
        raise ParameterError(
            f"{owner}: max_samples={drawn} must be at most n_samples={n} where bootstrap=False."
        )


def _require_known(known: npt.NDArray[np.bool_], owner: str) -> None:
    if not known.any():
        raise DataError(
            f"{owner}: every member saw every row; raise n_estimators or drop oob_score."
        )
