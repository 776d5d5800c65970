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
from gramian.base.inputs.weights import check_weights
from gramian.base.members import Members
from gramian.base.models import Model
from gramian.base.randomness import seed_of, stream
from gramian.base.routing import for_rows, routed
from gramian.base.rows.taking import take
from gramian.base.runtime.threads import jobs_for
from gramian.base.types import Data, Floats, Table, Weights
from gramian.ensemble.bagging.bagging_parameters import BaggingParameters
from gramian.ensemble.common.input_checks import check_fit_rows, select_columns
from gramian.ensemble.common.members import (
    fit_weighted,
    prefixed_errors,
    requests_weights,
    seeded_clone,
)
from gramian.ensemble.common.one_learner import OneLearner
from gramian.ensemble.common.sequence import MemberSequence
from gramian.ensemble.common.tree_sums import member_tree, over_classes, over_columns
from gramian.tree.structure.tree_sum import Link, TreeSum

_ROWS, _COLUMNS = 4, 5  # random streams
_MAX_ROWS_DRAWN = 2**31  # upper limit of the rows drawn for a member


class Bagging(BaggingParameters, MemberSequence, CallbackSupportMixin, OneLearner, Members):
    """Fits members on samples of rows and features."""

    estimators_: list[Any]
    _seed: int

    @abstractmethod
    def _default_learner(self) -> Model:
        """Return the default learner."""

    @abstractmethod
    def _score_out_of_bag(self, table: Data, y: npt.NDArray[Any]) -> None:
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
            Weights of the rows: rows are drawn in proportion to them.
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
        more: dict[str, Any] = routed(self, "fit", fit_params).estimator["fit"]
        self._fit(table, targets, weights, more)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing: the arguments that the members accept."""
        (learner,) = self._learners()
        mapping = MethodMapping().add(caller="fit", callee="fit")
        mapping = mapping.add(caller="decision_function", callee="decision_function")
        predict_method = "predict_proba" if hasattr(learner, "predict_proba") else "predict"
        for caller in ("predict", "predict_proba", "predict_log_proba"):
            mapping = mapping.add(caller=caller, callee=predict_method)
        return MetadataRouter(owner=self).add(estimator=learner, method_mapping=mapping)

    def _routed_arguments(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the extra arguments routed to the members for a method."""
        routed_params: dict[str, dict[str, Any]] = routed(self, method, params).estimator
        return {
            name: value
            for member_params in routed_params.values()
            for name, value in member_params.items()
        }

    @abstractmethod
    def _check_targets(self, table: Data, y: npt.ArrayLike) -> npt.NDArray[Any]:
        """Check the targets and return them as the members expect them."""

    def _learners(self) -> list[Model]:
        return [self._default_learner() if self.estimator is None else self.estimator]

    def _fit(
        self, table: Data, y: npt.NDArray[Any], weights: Weights | None, fit_params: dict[str, Any]
    ) -> None:
        n, d = table.shape
        owner = type(self).__name__
        if self.oob_score and not self.bootstrap:
            raise ParameterError(
                f"{owner}: oob_score needs bootstrap=True: without it no rows are out of bag."
            )
        if not self.bootstrap and weights is not None:
            positive = np.flatnonzero(weights)
            fit_params = for_rows(fit_params, positive, n)
            table, y, weights = take(table, positive), y[positive], weights[positive]
            n = len(positive)
        if self.warm_start and self.oob_score:
            raise ParameterError(
                f"{owner}: Out of bag estimate only available if warm_start=False."
            )
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
            self.__dict__.pop(name, None)
        self._n_drawn = self._n_rows_drawn(n, weights)
        _check_drawn(self._n_drawn, n, bool(self.bootstrap), owner)
        self._n_columns = _resolve_number(self.max_features, d, "max_features", owner)
        continues = self.warm_start and hasattr(self, "estimators_")
        members = list(self.estimators_) if continues else []
        self._seed = self._seed if continues else seed_of(self.random_state)
        if self.n_estimators < len(members):
            raise ParameterError(
                f"{owner}: n_estimators={self.n_estimators} must be larger or equal to "
                f"len(estimators_)={len(members)} when warm_start=True."
            )
        if continues and self.n_estimators == len(members):
            _warn(
                f"{owner}: Warm-start fitting without increasing n_estimators does not fit new "
                "trees."
            )
        (learner,) = self._learners()
        self._n_rows, self._weights = n, weights
        task = Task.of(
            self,
            steps=self.n_estimators - len(members),
            X=table,
            y=y,
            verbose=self.verbose,
        )
        numbers = range(len(members), self.n_estimators)
        columns = [self._columns(number) for number in range(self.n_estimators)]
        jobs = jobs_for(self.n_jobs, len(numbers))
        fits = Parallel(n_jobs=jobs, prefer="threads", return_as="generator")(
            delayed(self._member)(learner, table, y, columns[number], number, fit_params)
            for number in numbers
        )
        for member in fits:
            members.append(member)
            if task.iteration(lambda: self._state(members, columns), name="member"):
                break
        self.estimators_ = members
        self.estimators_features_ = columns[: len(members)]
        task.done(lambda: self._state(members, columns))
        if self.oob_score:
            self._score_out_of_bag(table, y)

    def _n_rows_drawn(self, n: int, weights: Weights | None) -> int:
        """Return the number of rows drawn for a member; a fraction refers to the total weight."""
        owner, max_samples = type(self).__name__, self.max_samples
        if weights is None or max_samples is None or isinstance(max_samples, Integral):
            return _resolve_number(max_samples, n, "max_samples", owner)
        total = float(weights.sum())
        if not max_samples * total < _MAX_ROWS_DRAWN:
            raise DataError(
                f"{owner}: max_samples={max_samples} is a fraction of the sum of "
                "sample_weight and must "
                f"be fewer than {_MAX_ROWS_DRAWN:.3g} rows; the sum is {total:.3g}. Divide "
                "sample_weight by a constant, or pass max_samples as an integer."
            )
        number = max(1, int(max_samples * total))
        if number < max(10, n ** (1 / 3)):
            _warn(
                f"{owner}: Using the fractional value max_samples={max_samples} when the "
                "total sum of "
                f"sample weights is {total} results in a low number ({number}) of bootstrap "
                "samples. We recommend passing `max_samples` as an integer."
            )
        return number

    def _member(
        self,
        learner: Model,
        table: Data,
        y: npt.ArrayLike,
        columns: npt.NDArray[Any],
        number: int,
        fit_params: dict[str, Any],
    ) -> Any:
        member = seeded_clone(learner, self._seed + number)
        features = _select_features(table, columns)
        counts = self._counts(number)
        if requests_weights(member) and self._weights is not None and not self.bootstrap:
            counts = counts * self._weights
        with prefixed_errors(self, member):
            return fit_weighted(member, features, y, counts, fit_params)

    def _counts(self, number: int) -> Weights:
        """Return the number of times each row is drawn for a member."""
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
        d: int = self.n_features_in_
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

    def _state(self, members: list[Model], columns: list[Any]) -> dict[str, Any]:
        names = ("classes_", "n_features_in_", "_seed", "_n_rows", "_n_drawn", "_n_columns")
        state = {name: getattr(self, name) for name in names if hasattr(self, name)}
        return {
            **state,
            "estimators_": list(members),
            "estimators_features_": columns[: len(members)],
        }

    def _members_with_features(self, table: Data) -> Any:
        """Yield each member with the features it was fitted on."""
        for member, columns in zip(self.estimators_, self.estimators_features_, strict=True):
            yield member, _select_features(table, columns)

    def _tree_sum(self) -> TreeSum:
        """Return the members as a sum of trees, for `gramian.to_onnx`."""
        classes = getattr(self, "classes_", None)
        pairs = zip(self.estimators_, self.estimators_features_, strict=True)
        trees = [
            over_columns(member_tree(m, self), features, self.n_features_in_)
            for m, features in pairs
        ]
        if classes is not None:
            members = zip(trees, self.estimators_, strict=True)
            trees = [over_classes(tree, m.classes_, classes) for tree, m in members]
        link: Link = "identity" if classes is None else "probabilities"
        return TreeSum(trees, scale=1 / len(trees), link=link)

    def _out_of_bag_mean(self, predictions: list[Floats]) -> Floats:
        """Average over the members for which the row is out of bag; NaN if there are none."""
        total, count = np.zeros_like(predictions[0]), np.zeros(len(predictions[0]))
        for number, prediction in enumerate(predictions):
            out_of_bag = self._counts(number) == 0
            total[out_of_bag] += prediction[out_of_bag]
            count += out_of_bag
        shape = (-1, *[1] * (total.ndim - 1))
        return np.divide(
            total,
            count.reshape(shape),
            out=np.full_like(total, np.nan),
            where=count.reshape(shape) > 0,
        )


def _resolve_number(value: float | None, total: int, name: str, owner: str) -> int:
    """Convert an integer, a fraction or None (all) to a number of rows or columns."""
    if value is None:
        return total
    is_integer = isinstance(value, Integral)
    number = int(value) if is_integer else max(int(value * total), 1)
    if number > total and name == "max_features":
        raise ParameterError(
            f"{owner}: {name} must be at most {total}, the number of columns of X; got {value}."
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


def check_out_of_bag(has_prediction: npt.NDArray[np.bool_], owner: str) -> None:
    """Raise if no member has out-of-bag rows; warn if some rows are in every member's sample."""
    if has_prediction.any() and not has_prediction.all():
        _warn(
            f"{owner}: Some inputs do not have OOB scores. This probably means too few estimators "
            "were used to compute any reliable oob estimates. "
            f"{int((~has_prediction).sum())} rows were "
            "drawn for every member; increase n_estimators."
        )
    if not has_prediction.any():
        raise DataError(
            f"{owner}: every row is in every member's sample; increase n_estimators or set "
            "oob_score=False."
        )


def _select_features(table: Data, columns: npt.NDArray[Any]) -> Data:
    """Return the columns drawn for a member; the table itself if they are all columns, in order."""
    is_all = len(columns) == table.shape[1] and (np.diff(columns) == 1).all()
    return table if is_all else select_columns(table, columns)
