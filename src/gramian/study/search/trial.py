"""One setting of one model on one split: prepare, fit, predict, score."""

import warnings
from collections import OrderedDict
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal, Protocol, overload

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from gramian.base.cached import cached_property
from gramian.base.catalogue import ESTIMATORS
from gramian.base.inputs.gate import is_float32
from gramian.base.models import Model
from gramian.base.rows.taking import take
from gramian.base.types import Floats, Matrix, RowNumbers, Table
from gramian.data.columns import numbers_of
from gramian.data.preparer import TablePreparer
from gramian.study.problem.costs import DecisionRule
from gramian.study.problem.metrics import Metric, Predicted
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.splits import Split
from gramian.study.search.spaces import Space, space_of

BASELINE = "baseline"
_KEPT_BYTES = 400_000_000  # maximum size of cached prepared folds
_MAX_LEVELS = {"matrix": 30, "codes": 250}
_TERM_CELLS = 10_000_000  # maximum number of cells of a text's matrix: rows times terms
_LEAST_TERMS, _MOST_TERMS = 300, 3000
_WIDE, _LARGE = 300, 500_000  # columns and cells from which a matrix is wide, or large
_MOST_SEEN = 10_000  # maximum number of training rows for the training score


@dataclass(frozen=True)
class Candidate:
    """One model at one setting."""

    family: str
    params: dict[str, Any]


@dataclass(frozen=True)
class Trial:
    """Result of a candidate on one split.

    Attributes
    ----------
    scores
        Value of each metric by name, without metrics that need missing probabilities.
    train_score
        Value of the main metric on training rows, or a sample of them; NaN if not requested.
    seconds
        Seconds of fit and predict.
    warnings
        Distinct warnings of the fit.
    """

    scores: dict[str, float]
    train_score: float
    seconds: tuple[float, float]
    warnings: tuple[str, ...]


class FittedPipeline(Protocol):
    """A preparer, and a model fitted to what it prepares."""

    @overload
    def __getitem__(self, step: Literal[0], /) -> TablePreparer: ...
    @overload
    def __getitem__(self, step: Literal[-1], /) -> Model: ...


class Workbench:
    """Fit candidates on rows of a problem; prepared folds are cached up to a size limit."""

    def __init__(
        self,
        problem: LearningProblem,
        metrics: tuple[Metric, ...],
        main: Metric,
        seed: int,
        rule: DecisionRule | None = None,
    ) -> None:
        self.problem, self.metrics, self.main, self.seed = problem, metrics, main, seed
        self.rule = rule
        self._prepared: OrderedDict[tuple[Any, ...], tuple[Matrix, Matrix]] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        """Drop the cache of prepared folds, which may be larger than the table."""
        return {**vars(self), "_prepared": OrderedDict()}

    # --- models --------------------------------------------------------------------------------

    def space(self, family: str) -> Space:
        """Return the search space of a model for a table of this shape."""
        space = space_of(family)
        if self.width > _WIDE:
            return space.for_many_columns()
        if self.width * len(self.problem.rows) > _LARGE:
            return space.for_many_cells()
        return space

    def model(self, candidate: Candidate) -> Any:
        """Return the unfitted estimator of a candidate."""
        if candidate.family == BASELINE:
            if self.problem.task == "classification":
                return DummyClassifier(strategy="prior")
            return DummyRegressor()
        cls = next(e for e in ESTIMATORS if e.name == candidate.family).resolve()
        known: dict[str, object] = cls().get_params(deep=False)
        extra: dict[str, Any] = {}
        if "random_state" in known:
            extra["random_state"] = self.seed
        if "categorical_features" in known and space_of(candidate.family).style == "codes":
            extra["categorical_features"] = list(range(self.n_categories)) or None
        usable = {k: v for k, v in candidate.params.items() if k in known}
        return cls(**extra, **usable)

    @cached_property
    def n_categories(self) -> int:
        """Number of categorical columns; the preparer puts their codes first."""
        return sum(kind == "categorical" for kind in self.problem.kinds.values())

    @property
    def max_terms(self) -> int:
        """Maximum number of terms of a text."""
        wanted = _TERM_CELLS // max(1, len(self.problem.rows))
        return min(_MOST_TERMS, max(_LEAST_TERMS, wanted))

    @cached_property
    def width(self) -> int:
        """Approximate number of columns of the matrix."""
        each = {"numeric": 1, "categorical": 4, "date": 4, "text": self.max_terms}
        return sum(each[kind] for kind in self.problem.kinds.values())

    def preparer(self, candidate: Candidate) -> TablePreparer:
        """Return the unfitted preparer for a candidate."""
        style = "matrix" if candidate.family == BASELINE else space_of(candidate.family).style
        if style == "matrix":
            return TablePreparer(
                self.problem.kinds,
                max_levels=_MAX_LEVELS[style],
                max_terms=self.max_terms,
                formats=self.problem.formats,
            )
        cls = next(e for e in ESTIMATORS if e.name == candidate.family).resolve()
        return TablePreparer(
            self.problem.kinds,
            categories="codes",
            missing="keep" if getattr(cls, "takes_nan", False) else "impute",
            scale=False,
            max_levels=_MAX_LEVELS[style],
            max_terms=self.max_terms,
            formats=self.problem.formats,
        )

    def fitted_pipeline(self, candidate: Candidate, rows: RowNumbers) -> Pipeline:
        """Return preparer and model fitted to rows, with the labels of the table."""
        return self._fitted(candidate, self.preparer(candidate), self.problem.frame, rows)

    def fold_pipeline(self, candidate: Candidate, rows: RowNumbers) -> FittedPipeline:
        """Return a pipeline for `prepared` and `sources`, faster if all columns are numeric."""
        preparer, table = self._for_trials(candidate)
        return self._fitted(candidate, preparer, table, rows)

    def prepared(self, pipeline: FittedPipeline, rows: RowNumbers) -> NDArray[Any]:
        """Return rows of the problem, prepared by a pipeline of either kind."""
        named = hasattr(pipeline[0], "feature_names_in_") or self._numbers is None
        table = self.problem.frame if named else self._numbers
        return np.asarray(pipeline[0].transform(take(table, rows)))

    def sources(self, pipeline: FittedPipeline) -> list[str]:
        """Return the source column in the problem for each prepared column."""
        found = pipeline[0].get_sources()
        if hasattr(pipeline[0], "feature_names_in_"):
            return [str(name) for name in found]
        names = dict(zip(pipeline[0].kinds_, self.problem.kinds, strict=True))
        return [names[name] for name in found]

    def _fitted(
        self, candidate: Candidate, preparer: TablePreparer, table: Any, rows: RowNumbers
    ) -> FittedPipeline:
        X: Matrix = preparer.fit_transform(take(table, rows))
        model: Model = self.model(candidate)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, self.problem.labels[rows], **self._weights_for(model, rows))
        fitted: FittedPipeline = Pipeline([("prepare", preparer), ("model", model)])
        return fitted

    # --- trials --------------------------------------------------------------------------------

    def run(
        self, candidate: Candidate, split: Split, *, on_train: bool = True
    ) -> tuple[Trial, Predicted]:
        """Fit on the training rows; score on the others and, if requested, on training rows."""
        train, held_out = split
        X_train, X_test = self._matrices(candidate, split)
        model: Model = self.model(candidate)
        y = self.problem.y
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            start = perf_counter()
            model.fit(X_train, y[train], **self._weights_for(model, train))
            fitted = perf_counter()
            predicted = self.predict(model, X_test)
            done = perf_counter()
        train_score = float("nan")
        if on_train:
            spread = slice(None, None, -(-len(train) // _MOST_SEEN))
            some = train[spread]
            train_score = self._main_score(y[some], self.predict(model, X_train[spread]), some)
        return (
            Trial(
                scores=self.scores(y[held_out], predicted, held_out),
                train_score=train_score,
                seconds=(fitted - start, done - fitted),
                warnings=tuple(dict.fromkeys(str(w.message) for w in caught)),
            ),
            predicted,
        )

    def predict(self, model: Model, X: Table) -> Predicted:
        """Return predictions and probabilities of a model fitted to class codes or numbers."""
        values = np.asarray(model.predict(X))
        if self.problem.task != "classification":
            return Predicted(values.astype(np.float64), None)
        if not hasattr(model, "predict_proba"):
            return Predicted(values.astype(np.intp), None)
        places = np.asarray(model.classes_, dtype=np.intp)
        return self._decided(values.astype(np.intp), model.predict_proba(X), places)

    def predicted_by(self, pipeline: FittedPipeline, frame: Any) -> Predicted:
        """Return the predictions of a pipeline fitted to labels, see `fitted_pipeline`."""
        return self.predicted_from(pipeline[-1], pipeline[0].transform(frame))

    def predicted_from(self, model: Model, X: Table) -> Predicted:
        """Return the predictions of the last step of such a pipeline, for a prepared table."""
        values = np.asarray(model.predict(X))
        if self.problem.task != "classification":
            return Predicted(values.astype(np.float64), None)
        codes = np.searchsorted(self.problem.classes, values)
        if not hasattr(model, "predict_proba"):
            return Predicted(codes, None)
        places = np.searchsorted(self.problem.classes, model.classes_)
        return self._decided(codes, model.predict_proba(X), places)

    def _decided(self, codes: NDArray[Any], found: Floats, places: NDArray[Any]) -> Predicted:
        """Return predictions with one column per class, decided by the costs if there are any."""
        proba = np.zeros((len(codes), len(self.problem.classes)))
        proba[:, places] = found
        return Predicted(codes if self.rule is None else self.rule.classes(proba), proba)

    def scores(self, y: NDArray[Any], predicted: Predicted, rows: RowNumbers) -> dict[str, float]:
        """Return the value of every metric that applies."""
        weights = None if self.problem.weights is None else self.problem.weights[rows]
        usable = [m for m in self.metrics if predicted.proba is not None or not m.needs_proba]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fold without one of the classes
            found = {m.name: float(m.function(y, predicted, weights)) for m in usable}
        return {name: value for name, value in found.items() if np.isfinite(value)}

    def _main_score(self, y: NDArray[Any], predicted: Predicted, rows: RowNumbers) -> float:
        if predicted.proba is None and self.main.needs_proba:
            return float("nan")
        weights = None if self.problem.weights is None else self.problem.weights[rows]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(self.main.function(y, predicted, weights))

    def _weights_for(self, model: Model, rows: RowNumbers) -> dict[str, Any]:
        if self.problem.weights is None or not has_fit_parameter(model, "sample_weight"):
            return {}
        return {"sample_weight": self.problem.weights[rows]}

    @cached_property
    def _numbers(self) -> NDArray[Any] | None:
        """The table as one array if all its columns are numeric, else None.

        The preparer returns the same matrix for both, but frames with many columns are slow.
        """
        kinds = self.problem.kinds
        if set(kinds.values()) != {"numeric"}:
            return None
        frame: nw.DataFrame[Any] = nw.from_native(self.problem.frame, eager_only=True)[list(kinds)]
        numbers = numbers_of(frame, list(kinds))
        return numbers.astype(np.float32) if is_float32(frame.to_native()) else numbers

    def _for_trials(self, candidate: Candidate) -> tuple[TablePreparer, Any]:
        """Return a preparer and its input: the frame, or the array of its numbers."""
        preparer = self.preparer(candidate)
        if self._numbers is None:
            return preparer, self.problem.frame
        return preparer.set_params(kinds=None, formats=None), self._numbers

    def _matrices(self, candidate: Candidate, split: Split) -> tuple[Matrix, Matrix]:
        preparer, table = self._for_trials(candidate)
        style = (preparer.categories, preparer.missing, preparer.scale)
        key = (split[0].tobytes(), split[1].tobytes(), style)
        if key in self._prepared:
            self._prepared.move_to_end(key)
            return self._prepared[key]
        train, test = (take(table, rows) for rows in split)
        fitted: Matrix = preparer.fit_transform(train)
        matrices = fitted, preparer.transform(test)
        self._prepared[key] = matrices
        while (
            len(self._prepared) > 1
            and sum(a.nbytes + b.nbytes for a, b in self._prepared.values()) > _KEPT_BYTES
        ):
            self._prepared.popitem(last=False)
        return matrices
