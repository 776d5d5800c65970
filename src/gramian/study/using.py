"""Predictions and explanations of a saved model for a new table."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_clusterer
from sklearn.pipeline import Pipeline

import gramian
from gramian.base.errors import DataError, ModelFileError, ParameterError
from gramian.base.models import Model
from gramian.base.randomness import stream
from gramian.base.rows.taking import take
from gramian.data.columns import labels_of
from gramian.data.preparer import TablePreparer
from gramian.decision.bayes_decision import BayesDecision
from gramian.study.contents.explanation import RowEffect
from gramian.study.findings.importances import explain_row
from gramian.study.problem.costs import class_index, costs_in_order

_BASE_ROWS = 200
# What a model with inconsistent arrays may raise.
_BROKEN = (AttributeError, IndexError, KeyError, TypeError)


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of a model for the rows of a table.

    Attributes
    ----------
    values
        A class, a number or a cluster for each row.
    proba
        Probabilities, one column for each of `classes`, or None.
    classes
        Labels of the classes, as strings.
    rejected
        Whether each row is rejected, for a model with a reject option; else None.
    labels
        The classes as the model has them.
    notes
        Ignored columns and unseen levels.
    table
        The rows as the model took them.
    """

    values: NDArray[Any]
    proba: NDArray[np.float64] | None
    classes: list[str]
    rejected: NDArray[np.bool_] | None
    labels: NDArray[Any] = field(default_factory=lambda: np.array([]))
    notes: list[str] = field(default_factory=list)
    table: Any = None


def model_path(path: Path) -> Path:
    """Return the model file of a run directory; the path of a model file is returned as it is."""
    if not path.is_dir():
        return path
    inside = path / "model.gram"
    if inside.is_file():
        return inside
    if (path / "run.toml").is_file():
        raise ModelFileError(
            f"{path}: the run is not finished (no model.gram); resume it first with "
            f"`gramian fit --resume {path}`."
        )
    raise ModelFileError(f"{path}: this folder is not a run directory; it has no model.gram.")


def load_model(path: Path) -> Any:
    """Load a model file, or the one in a run directory; errors are one line."""
    path = model_path(path)
    try:
        return gramian.load(path)
    except FileNotFoundError:
        raise ModelFileError(f"{path}: no such file.") from None


def predict_table(
    model: Model,
    table: Any,
    *,
    threshold: float | None = None,
    positive: str | None = None,
    costs: Any = None,
    cost_classes: Sequence[str] | None = None,
    reject: float | None = None,
) -> Predictions:
    """Return the predictions of a model for a table.

    Columns are found by name, in any order; extra columns are ignored, and a missing one raises an
    error. A threshold, costs or a cost of rejection replace the decisions of the model.

    Parameters
    ----------
    model
        A fitted model.
    table
        A frame.
    threshold
        Predict `positive` when its probability is at least this; needs two classes.
    positive
        The class that `threshold` applies to; None uses the second of the sorted classes.
    costs
        ``costs[i][k]`` is the cost of predicting class i when the true class is k.
    cost_classes
        The classes in the order of `costs`; None uses the sorted order.
    reject
        Cost of rejecting a row.
    """
    if positive is not None and threshold is None:
        raise ParameterError(
            "positive must come with threshold; it is the class that the threshold applies to."
        )
    if threshold is not None and (costs is not None or reject is not None):
        raise ParameterError("threshold and costs cannot both be set; choose one.")
    if threshold is not None:
        return _by_threshold(predict_table(_probabilistic(model), table), threshold, positive)
    if costs is not None or reject is not None:
        inner = _probabilistic(model)
        known = np.asarray(inner.classes_)
        model = BayesDecision(
            inner,
            costs=None if costs is None else costs_in_order(costs, cost_classes, known),
            reject=reject,
            reject_label=-1 if known.dtype.kind in "iuf" else "reject",
        )
    table, notes = readable(model, table)
    proba: NDArray[np.float64] | None = None
    try:
        if isinstance(model, BayesDecision):
            proba = model.predict_proba(table)
            rejected = model.decide(table) < 0 if model.reject is not None else None
            values = model.predict(table)
        else:
            values, rejected = model.predict(table), None
            if hasattr(model, "predict_proba"):
                proba = model.predict_proba(table)
    except _BROKEN as error:
        raise _broken(error) from None
    values = np.asarray(values)
    if values.ndim == 2:
        return _label_sets(model, values, proba, notes, table)
    labels = np.array([]) if proba is None else _classes(model)
    classes = [str(c) for c in labels.tolist()]
    return Predictions(values, proba, classes, rejected, labels, notes, table)


def _label_sets(
    model: Model,
    values: NDArray[Any],
    proba: NDArray[np.float64] | None,
    notes: list[str],
    table: Any,
) -> Predictions:
    """Return predictions of several labels: their names, joined by commas."""
    last: Any = model[-1] if isinstance(model, Pipeline) else model
    names = np.asarray(last.label_names_)
    joined = [", ".join(map(str, names[row > 0])) for row in values]
    labels = np.array([]) if proba is None else names
    classes = [str(name) for name in labels.tolist()]
    return Predictions(np.array(joined, dtype=object), proba, classes, None, labels, notes, table)


def _probabilistic(model: Model) -> Any:
    """Return the classifier whose probabilities decide, without the costs of a study."""
    inner = model.estimator if isinstance(model, BayesDecision) else model
    if not hasattr(inner, "predict_proba"):
        last = inner[-1] if isinstance(inner, Pipeline) else inner
        raise ParameterError(
            "threshold, costs and reject need a classifier with probabilities; "
            f"{type(last).__name__} has none."
        )
    return inner


def _by_threshold(found: Predictions, threshold: float, positive: str | None) -> Predictions:
    if not 0 <= threshold <= 1:
        raise ParameterError(f"threshold must be between 0 and 1; got {threshold:g}.")
    listed = ", ".join(found.classes)
    if len(found.classes) != 2 or found.proba is None:
        raise ParameterError(
            f"threshold must be used with two classes; the model has {len(found.classes)} "
            f"({listed}). Use costs instead."
        )
    k = 1 if positive is None else class_index(positive, found.labels)
    if k is None:
        raise ParameterError(f"positive must be one of {listed}; got {positive!r}.")
    chosen = np.where(found.proba[:, k] >= threshold, k, 1 - k)
    note = f"predicting {found.classes[k]!r} where its probability is at least {threshold:g}"
    return replace(found, values=found.labels[chosen], notes=[*found.notes, note])


def explain(model: Model, table: Any, row: int) -> tuple[Predictions, tuple[RowEffect, ...]]:
    """Return the prediction for one row, and the effect of each column on it."""
    if is_clusterer(model):
        raise ParameterError("the model finds clusters and makes no predictions to explain.")
    if not isinstance(row, Integral):
        raise ParameterError(f"row must be an integer; got {row!r}.")
    n = len(nw.from_native(table, eager_only=True))
    if not 0 <= row < n:
        raise DataError(f"row must be between 0 and {n - 1}; got {row}.")
    preparer = preparer_of(model)
    if preparer is None:
        raise ModelFileError("explain needs a model of a study, as `gramian fit` writes it.")
    table, _ = readable(model, table)

    def predict(frame: Any) -> NDArray[np.float64]:
        if hasattr(model, "predict_proba"):
            return np.asarray(model.predict_proba(frame), dtype=np.float64)
        return np.asarray(model.predict(frame), dtype=np.float64)

    try:
        found = predict_table(model, take(table, np.array([row])))
        return found, explain_row(predict, table, row, list(preparer.kinds_))
    except _BROKEN as error:
        raise _broken(error) from None


def base_value(model: Model, table: Any) -> NDArray[np.float64]:
    """Return the mean prediction over rows of a table: a number, or one for each class."""
    rows = stream(0, 5).permutation(len(nw.from_native(table, eager_only=True)))[:_BASE_ROWS]
    found = predict_table(model, take(table, rows))
    values = found.values if found.proba is None else found.proba
    return np.asarray(values, dtype=np.float64).mean(axis=0)


def _broken(error: Exception) -> ModelFileError:
    return ModelFileError(f"the model cannot predict ({error!r}); fit and save it again.")


def _classes(model: Model) -> NDArray[Any]:
    inner = model.estimator if isinstance(model, BayesDecision) else model
    return np.asarray(inner.classes_)


def preparer_of(model: Model) -> TablePreparer | None:
    """Return the first step of a model of a study; None of another model."""
    inner = model.estimator if isinstance(model, BayesDecision) else model
    if isinstance(inner, Pipeline) and isinstance(inner.steps[0][1], TablePreparer):
        return inner.steps[0][1]
    return None


def readable(model: Model, table: Any) -> tuple[Any, list[str]]:
    """Return the table with its strings read as in fit, and what to say about it."""
    preparer = preparer_of(model)
    if preparer is None:
        return table, []
    try:
        read = preparer.read(table)
    except _BROKEN as error:
        raise _broken(error) from None
    return read.frame, read.notes + _notes(preparer, read.frame)


def _notes(preparer: TablePreparer, table: Any) -> list[str]:
    frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
    notes = []
    extra = [name for name in frame.columns if name not in preparer.kinds_]
    if extra:
        shown = ", ".join(map(repr, extra[:5])) + (", ..." if len(extra) > 5 else "")
        notes.append(f"columns ignored by the model: {shown}")
    for name, levels in preparer.levels_.items():
        if name in frame.columns:
            unseen = set(labels_of(frame[name])) - set(levels) - {None}
            if unseen and name not in preparer._others:
                notes.append(f"{len(unseen)} unseen values in {name!r}")
    return notes
