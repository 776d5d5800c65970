"""Classifiers of several target columns of one table, fitted together if work can be shared.

A target is a column of class codes 0 .. K - 1. An estimator can share work between columns by one
of these methods; any other classifier is cloned for each column.

``_fits_columns_jointly(n_classes)``
    Whether one joint fit gives the same models as a fit per column. Nearest neighbours are then
    searched once, and ridge models share a factorisation.
``fit_columns(X, Y, sample_weight)``
    Returns a fitted copy for each column. Kernel machines share their kernel matrix, and logistic
    models on sparse X one product with X.
``_column_probabilities(models, X)``
    Returns the probabilities of class 1 of many fitted copies at once.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from gramian.base.errors import DataError, ParameterError
from gramian.base.models import Model
from gramian.base.types import Data, Floats, Weights

_MAX_CLASSES = 2**20  # per column; a model file with more is damaged
Codes = np.ndarray[tuple[int, ...], np.dtype[np.intp]]  # (n, columns)
Sizes = np.ndarray[tuple[int, ...], np.dtype[np.int64]]  # (columns,)


@dataclass(frozen=True, eq=False)
class ColumnModels:
    """Fitted classifiers of the columns.

    Attributes
    ----------
    n_classes : array (columns,)
        The number of classes of each column.
    members : list
        A fitted classifier per column, or the code of a column with a single class. If `joint`, a
        single classifier of all columns.
    joint : bool
        Whether a single classifier predicts all columns.
    probable : bool
        Whether the classifiers have `predict_proba`.
    """

    record_name: ClassVar[str] = "column_models"

    n_classes: Sizes
    members: list[Model]
    joint: bool = False
    has_probabilities: bool = True

    def __post_init__(self) -> None:
        wanted = 1 if self.joint else len(self.n_classes)
        if len(self.members) != wanted:
            raise DataError(
                f"ColumnModels: members must be {wanted} classifiers; got {len(self.members)}."
            )
        if np.max(self.n_classes, initial=0) > _MAX_CLASSES:
            raise DataError(
                f"ColumnModels: a column may have at most {_MAX_CLASSES:,} classes; got "
                f"{np.max(self.n_classes):,}."
            )
        known = self.members
        if self.joint:
            classes = getattr(self.members[0], "classes_", None)
            known = classes if isinstance(classes, list) else []
        for k, member in zip(self.n_classes, known, strict=False):
            codes = np.asarray(getattr(member, "classes_", member))
            if codes.dtype.kind not in "iu" or ((codes < 0) | (codes >= k)).any():
                raise DataError(
                    f"ColumnModels: the classes of a column must be integers from 0 to {k - 1}; "
                    f"got {codes!r:.60}."
                )

    def scores(self, table: Data, columns: npt.NDArray[np.intp] | None = None) -> Floats:
        """Return the probability, or the score, of class 1 of two-class columns."""
        if self.joint:
            every = _scores_of_joint_model(self.members[0], table)
            return every if columns is None else every[:, columns]
        members = self.members if columns is None else [self.members[j] for j in columns]
        fitted = [member for member in members if not isinstance(member, int)]
        together = getattr(fitted[0], "_column_probabilities", None) if len(fitted) > 1 else None
        if together is not None:
            found = iter(together(fitted, table).T)
        else:
            found = iter([positive_score(member, table) for member in fitted])
        proba = self.has_probabilities
        made = [
            np.full(table.shape[0], float(member) if proba else 2.0 * member - 1)
            if isinstance(member, int)
            else next(found)
            for member in members
        ]
        return np.column_stack(made)

    def codes(self, table: Data) -> Codes:
        """Return the predicted class of every column."""
        if self.joint:
            return np.asarray(self.members[0].predict(table)).reshape(table.shape[0], -1)
        made = [
            np.full(table.shape[0], member) if isinstance(member, int) else member.predict(table)
            for member in self.members
        ]
        return np.column_stack(made).astype(np.intp)

    def probabilities(self, table: Data) -> list[Floats]:
        """Return the probabilities of the classes of every column."""
        if self.joint:
            model = self.members[0]
            found = list(zip(model.predict_proba(table), model.classes_, strict=True))
        else:
            found = [
                (np.ones((table.shape[0], 1)), [member])
                if isinstance(member, int)
                else (member.predict_proba(table), member.classes_)
                for member in self.members
            ]
        made = []
        for k, (p, codes) in zip(self.n_classes, found, strict=True):
            full = np.zeros((table.shape[0], int(k)))
            full[:, np.asarray(codes, dtype=np.intp)] = p
            made.append(full)
        return made


def positive_score(member: Model, table: Data) -> Floats:
    """Return the probability of the second class, its score, or its prediction as 1 or -1."""
    if hasattr(member, "predict_proba"):
        return np.asarray(member.predict_proba(table)[:, 1], dtype=float)
    if hasattr(member, "decision_function"):
        return np.asarray(member.decision_function(table), dtype=float)
    return 2.0 * np.asarray(member.predict(table)) - 1


def _scores_of_joint_model(model: Model, table: Data) -> Floats:
    if not hasattr(model, "predict_proba"):
        return np.asarray(model.decision_function(table), dtype=float).reshape(table.shape[0], -1)
    columns = [
        p[:, 1] if len(classes) == 2 else np.full(len(p), float(classes[0]))
        for p, classes in zip(model.predict_proba(table), model.classes_, strict=True)
    ]
    return np.column_stack(columns)


# --- fitting ----------------------------------------------------------------------------------


def fit_columns(
    estimator: Model, table: Data, codes: Codes, weights: Weights | None = None
) -> ColumnModels:
    """Fit a classifier to every column of class codes."""
    more = weight_argument(estimator, weights)
    n_classes = codes.max(axis=0).astype(np.int64) + 1
    sizes, has_probabilities = np.maximum(n_classes, 2), hasattr(estimator, "predict_proba")
    several = codes.shape[1] > 1
    jointly = getattr(estimator, "_fits_columns_jointly", None)
    if several and jointly is not None and jointly(n_classes):
        model = clone(estimator).fit(table, codes, **more)
        return ColumnModels(sizes, [model], joint=True, has_probabilities=has_probabilities)
    if not (several and hasattr(estimator, "fit_columns")):
        members = [fit_column(estimator, table, column, more) for column in codes.T]
        return ColumnModels(sizes, members, has_probabilities=has_probabilities)
    constants = [constant_code(column) for column in codes.T]
    varied = codes[:, [constant is None for constant in constants]]
    fitted = iter(estimator.fit_columns(table, varied, **more) if varied.shape[1] else [])
    members = [next(fitted) if constant is None else constant for constant in constants]
    return ColumnModels(sizes, members, has_probabilities=has_probabilities)


def weight_argument(estimator: Model, weights: Weights | None) -> dict[str, Weights]:
    """Return the keyword argument that passes weights to the estimator's `fit`."""
    if weights is None:
        return {}
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ParameterError(
            f"{type(estimator).__name__}.fit does not support sample_weight; omit it, or use an "
            "estimator that does."
        )
    return {"sample_weight": weights}


def constant_code(column: npt.NDArray[np.intp]) -> int | None:
    """Return the code common to all rows, or None."""
    if column[0] == column[-1] and (column == column[0]).all():
        return int(column[0])
    return None


def fit_column(
    estimator: Model, table: Data, column: npt.NDArray[np.intp], more: dict[str, Weights]
) -> Any:
    """Return a classifier fitted to one column, or its only code."""
    constant = constant_code(column)
    return clone(estimator).fit(table, column, **more) if constant is None else constant
