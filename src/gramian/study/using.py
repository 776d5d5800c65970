"""Predictions and explanations of a saved model for a new table."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

import gramian
from gramian.base.errors import DataError, ModelFileError
from gramian.base.randomness import stream
from gramian.base.rows.taking import take
from gramian.data.columns import labels_of
from gramian.data.preparer import TablePreparer
from gramian.decision.bayes_decision import BayesDecision
from gramian.study.findings.importances import explain_row

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
    notes
        Ignored columns and unseen levels.
    """

    values: NDArray[Any]
    proba: NDArray[np.float64] | None
    classes: list[str]
    rejected: NDArray[np.bool_] | None
    notes: list[str] = field(default_factory=list)


def load_model(path: Path) -> Any:
    """Load a model file; errors are one line."""
    try:
        return gramian.load(path)
    except FileNotFoundError:
        raise ModelFileError(f"{path}: no such file.") from None
    except IsADirectoryError:
        raise ModelFileError(f"{path}: this is a folder; give the model.gram inside it.") from None


def predict_table(model: Any, table: Any) -> Predictions:
    """Return the predictions of a model for a table.

    Columns are found by name, in any order; extra columns are ignored, and a missing one raises an
    error.
    """
    table, notes = _readable(model, table)
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
    classes = [] if proba is None else [str(c) for c in _classes(model).tolist()]
    return Predictions(np.asarray(values), proba, classes, rejected, notes)


def explain(model: Any, table: Any, row: int) -> tuple[Any, list[dict[str, Any]]]:
    """Return the prediction for one row, and the effect of each column on it."""
    n = len(nw.from_native(table, eager_only=True))
    if not 0 <= row < n:
        raise DataError(f"row must be between 0 and {n - 1}; got {row}.")
    preparer = _preparer(model)
    if preparer is None:
        raise ModelFileError("explain needs a model of a study, such as one made by `gramian fit`.")
    table, _ = _readable(model, table)

    def predict(frame: Any) -> NDArray[np.float64]:
        if hasattr(model, "predict_proba"):
            return np.asarray(model.predict_proba(frame), dtype=np.float64)
        return np.asarray(model.predict(frame), dtype=np.float64)

    try:
        found = predict_table(model, take(table, np.array([row])))
        return found, explain_row(predict, table, row, list(preparer.kinds_))
    except _BROKEN as error:
        raise _broken(error) from None


def base_value(model: Any, table: Any) -> NDArray[np.float64]:
    """Return the mean prediction over rows of a table: a number, or one for each class."""
    rows = stream(0, 5).permutation(len(nw.from_native(table, eager_only=True)))[:_BASE_ROWS]
    found = predict_table(model, take(table, rows))
    values = found.values if found.proba is None else found.proba
    return np.asarray(values, dtype=np.float64).mean(axis=0)  # type: ignore[no-any-return]


def _broken(error: Exception) -> ModelFileError:
    return ModelFileError(f"the model cannot predict ({error!r}); fit and save it again.")


def _classes(model: Any) -> NDArray[Any]:
    inner = model.estimator if isinstance(model, BayesDecision) else model
    return np.asarray(inner.classes_)


def _preparer(model: Any) -> TablePreparer | None:
    inner = model.estimator if isinstance(model, BayesDecision) else model
    if isinstance(inner, Pipeline) and isinstance(inner.steps[0][1], TablePreparer):
        return inner.steps[0][1]
    return None


def _readable(model: Any, table: Any) -> tuple[Any, list[str]]:
    """Return the table with its strings read as in fit, and what to say about it."""
    preparer = _preparer(model)
    if preparer is None:
        return table, []
    try:
        read = preparer.read(table)
    except _BROKEN as error:
        raise _broken(error) from None
    return read.frame, read.notes + _notes(preparer, read.frame)


def _notes(preparer: TablePreparer, table: Any) -> list[str]:
    frame = nw.from_native(table, eager_only=True)
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
