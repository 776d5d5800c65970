"""Bagging: copies of a learner, each fitted to a bootstrap sample."""

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.members import Members
from gramian.base.randomness import seed_of, stream
from gramian.base.routing import for_rows, routed
from gramian.base.rows.taking import take
from gramian.base.runtime.threads import jobs_for
from gramian.base.types import Data, Floats, Table, Weights
from gramian.base.weights import check_weights
from gramian.ensemble.bagging.bagging_parameters import BaggingParameters
from gramian.ensemble.common.input_checks import check_fit_rows, columns_of
from gramian.ensemble.common.members import asks_for_weights, fit_weighted, member_of, naming
from gramian.ensemble.common.one_learner import OneLearner
from gramian.ensemble.common.sequence import MemberSequence
from gramian.ensemble.common.tree_sums import over_classes, over_columns, tree_of
from gramian.tree.structure.tree_sum import Link, TreeSum

_ROWS, _COLUMNS = 4, 5  # streams of random numbers
_MOST_DRAWN = 2**31  # rows of a member


class Bagging(BaggingParameters, MemberSequence, CallbackSupportMixin, OneLearner, Members):
    """Fits members on samples of rows and features."""

    estimators_: list[Any]
    _seed: int

    @abstractmethod
    def _default(self) -> Any:
        """Return the default learner."""

    @abstractmethod
    def _score_left_out(self, table: Data, y: npt.NDArray[Any]) -> None:
        """Set the out-of-bag attributes."""

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit the members.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Rows are drawn in proportion to their weights.
        **fit_params : dict
            Further arguments of the members' `fit`, with scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = self._check_targets(table, y)
        weights = check_weights(self, sample_weight, table.shape[0])
        if weights is not None and not self.bootstrap:
            _warn(
                f"When fitting {type(self).__name__} with sample_weight it is recommended to use "
                f"bootstrap=True, got {self.bootstrap}."
            )
        more = routed(self, "fit", fit_params).estimator["fit"]
        self._fit(table, targets, weights, more)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments the members take."""
        (learner,) = self._learners()
        passed = MethodMapping().add(caller="fit", callee="fit")
        passed = passed.add(caller="decision_function", callee="decision_function")
        said = "predict_proba" if hasattr(learner, "predict_proba") else "predict"
        for caller in ("predict", "predict_proba", "predict_log_proba"):
            passed = passed.add(caller=caller, callee=said)
        return MetadataRouter(owner=self).add(estimator=learner, method_mapping=passed)

    def _arguments(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return what the members are given beside rows, by whichever of their methods answers."""
        found = routed(self, method, given).estimator
        return {name: value for own in found.values() for name, value in own.items()}

    @abstractmethod
    def _check_targets(self, table: Data, y: npt.ArrayLike) -> npt.NDArray[Any]:
        """Check targets of n rows and return them as passed to the members."""

    def _learners(self) -> list[Any]:
        return [self._default() if self.estimator is None else self.estimator]

    def _fit(
        self, table: Data, y: npt.NDArray[Any], weights: Weights | None, more: dict[str, Any]
    ) -> None:
        n, d = table.shape
        owner = type(self).__name__
        if self.oob_score and not self.bootstrap:
            raise ParameterError(
                f"{owner}: oob_score needs bootstrap=True: only then are rows left out at random."
            )
        if not self.bootstrap and weights is not None:
            kept = np.flatnonzero(weights)
            more = for_rows(more, kept, n)
            table, y, weights = take(table, kept), y[kept], weights[kept]
            n = len(kept)
        if self.warm_start and self.oob_score:
            raise ParameterError(
                f"{owner}: Out of bag estimate only available if warm_start=False."
            )
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
            self.__dict__.pop(name, None)
        self._n_drawn = self._number_drawn(n, weights)
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
        if again and self.n_estimators == len(before):
            _warn(
                f"{owner}: Warm-start fitting without increasing n_estimators does not fit new "
                "trees."
            )
        (learner,) = self._learners()
        self._n_rows, self._weights = n, weights
        task = Task.of(
            self,
            steps=self.n_estimators - len(before),
            X=table,
            y=y,
            verbose=self.verbose,
        )
        numbers = range(len(before), self.n_estimators)
        columns = [self._columns(number) for number in range(self.n_estimators)]
        jobs = jobs_for(self.n_jobs, len(numbers))
        fits = Parallel(n_jobs=jobs, prefer="threads", return_as="generator")(
            delayed(self._member)(learner, table, y, columns[number], number, more)
            for number in numbers
        )
        members = before
        for member in fits:
            members.append(member)
            if task.iteration(lambda: self._state(members, columns), name="member"):
                break
        self.estimators_ = members
        self.estimators_features_ = columns[: len(members)]
        task.done(lambda: self._state(members, columns))
        if self.oob_score:
            self._score_left_out(table, y)

    def _number_drawn(self, n: int, weights: Weights | None) -> int:
        """Return how many rows a member gets: a fraction is one of the total weight."""
        owner, given = type(self).__name__, self.max_samples
        if weights is None or given is None or isinstance(given, Integral):
            return _number(given, n, "max_samples", owner)
        total = float(weights.sum())
        if not given * total < _MOST_DRAWN:
            raise DataError(
                f"{owner}: max_samples={given} is a fraction of the sum of sample_weight, and must "
                f"be fewer than {_MOST_DRAWN:.3g} rows; the sum is {total:.3g}. Divide "
                "sample_weight by a constant, or give max_samples as an integer."
            )
        number = max(1, int(given * total))
        if number < max(10, n ** (1 / 3)):
            _warn(
                f"{owner}: Using the fractional value max_samples={given} when the total sum of "
                f"sample weights is {total} results in a low number ({number}) of bootstrap "
                "samples. We recommend passing `max_samples` as an integer."
            )
        return number

    def _member(
        self,
        learner: Any,
        table: Data,
        y: npt.ArrayLike,
        columns: npt.NDArray[Any],
        number: int,
        more: dict[str, Any],
    ) -> Any:
        member = member_of(learner, self._seed + number)
        part = _part(table, columns)
        counts = self._counts(number)
        if asks_for_weights(member) and self._weights is not None and not self.bootstrap:
            counts = counts * self._weights
        with naming(self, member):
            return fit_weighted(member, part, y, counts, more)

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
        """The rows drawn for each member, with repetitions."""
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

    def _parts(self, table: Data) -> Any:
        """Yield each member with the rows, restricted to its features."""
        for member, columns in zip(self.estimators_, self.estimators_features_, strict=True):
            yield member, _part(table, columns)

    def _tree_sum(self) -> TreeSum:
        """Return the members as a sum of trees, for `gramian.to_onnx`."""
        classes = getattr(self, "classes_", None)
        parts = zip(self.estimators_, self.estimators_features_, strict=True)
        trees = [over_columns(tree_of(m, self), own, self.n_features_in_) for m, own in parts]
        if classes is not None:
            members = zip(trees, self.estimators_, strict=True)
            trees = [over_classes(tree, m.classes_, classes) for tree, m in members]
        link: Link = "identity" if classes is None else "probabilities"
        return TreeSum(trees, scale=1 / len(trees), link=link)

    def _left_out(self, predictions: list[Floats]) -> Floats:
        """Average over the members for which the row is out of bag; NaN if there are none."""
        total, count = np.zeros_like(predictions[0]), np.zeros(len(predictions[0]))
        for number, answer in enumerate(predictions):
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


def _number(given: float | None, of: int, name: str, owner: str) -> int:
    """Return a number of rows or columns, given as an integer, a fraction, or None for all."""
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
            f"{owner}: Effective max_samples={drawn} must be <= n_samples={n} to be able to sample "
            "without replacement."
        )


def _warn(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=caller_level())


def require_known(known: npt.NDArray[np.bool_], owner: str) -> None:
    """Raise if no member has out-of-bag rows; warn if some rows are in every member's sample."""
    if known.any() and not known.all():
        _warn(
            f"{owner}: Some inputs do not have OOB scores. This probably means too few estimators "
            f"were used to compute any reliable oob estimates. {int((~known).sum())} rows were "
            "drawn for every member; raise n_estimators."
        )
    if not known.any():
        raise DataError(
            f"{owner}: every member saw every row; raise n_estimators or drop oob_score."
        )


def _part(table: Data, columns: npt.NDArray[Any]) -> Data:
    """Return the columns drawn for a member; the table itself if they are all columns in order."""
    whole = len(columns) == table.shape[1] and (np.diff(columns) == 1).all()
    return table if whole else columns_of(table, columns)
