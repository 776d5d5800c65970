"""Models of several targets of one table: fitted together where the work can be shared.

A target is a column of class codes 0 .. K - 1. Nearest neighbours are searched once for all
columns; ridge models share their Gram matrix and its factorisation, kernel machines their kernel
matrix; logistic models of wide sparse rows take their steps together, so that one product with X
serves all, others are fitted in threads side by side; all predict by one product. Other classifiers
are cloned for each column.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from gramian.base.errors import DataError, ParameterError
from gramian.base.runtime.threads import get_num_threads, one_blas_thread
from gramian.base.types import Data, Floats, Weights
from gramian.linear_model import LogisticRegression, RidgeClassifier
from gramian.linear_model.glm.logistic_columns import can_fit_columns, fit_logistic_columns
from gramian.neighbors import KNeighborsClassifier
from gramian.svm import SVC

_TOGETHER = 4  # columns from which logistic models take their steps together
_MOST_CLASSES = 2**20  # of a column; a model file that says more is damaged
Codes = npt.NDArray[np.intp]  # (n, columns)
Sizes = npt.NDArray[np.int64]  # (columns,)


@dataclass(frozen=True, eq=False)
class ColumnModels:
    """Fitted models of the columns.

    Attributes
    ----------
    n_classes : array (columns,)
        The number of classes of each column.
    members : list
        A fitted classifier of each column; the code of a column that has one class only. If
        `joint`, a single classifier of all columns.
    joint : bool
        Whether there is a single classifier.
    probable : bool
        Whether the classifiers give probabilities.
    """

    n_classes: Sizes
    members: list[Any]
    joint: bool = False
    probable: bool = True

    def __post_init__(self) -> None:
        wanted = 1 if self.joint else len(self.n_classes)
        if len(self.members) != wanted:
            raise DataError(
                f"ColumnModels: members must be {wanted} classifiers; got {len(self.members)}."
            )
        if np.max(self.n_classes, initial=0) > _MOST_CLASSES:
            raise DataError(
                f"ColumnModels: a column may have {_MOST_CLASSES:,} classes; got "
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
        """Return the probability of class 1 of two-class columns, or its score."""
        if self.joint:
            every = _joint_scores(self.members[0], table)
            return every if columns is None else every[:, columns]
        members = self.members if columns is None else [self.members[j] for j in columns]
        fitted = [member for member in members if not isinstance(member, int)]
        if len(fitted) > 1 and all(type(member) is LogisticRegression for member in fitted):
            found = iter(_logistic_probabilities(fitted, table).T)
        else:
            found = iter([score_of(member, table) for member in fitted])
        proba = self.probable
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
        found: Iterable[tuple[Any, Any]]
        if self.joint:
            model = self.members[0]
            found = zip(model.predict_proba(table), model.classes_, strict=True)
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


def score_of(member: Any, table: Data) -> Floats:
    """Return the probability of the second class, its score, or 1 and -1 for its prediction."""
    if hasattr(member, "predict_proba"):
        return np.asarray(member.predict_proba(table)[:, 1], dtype=float)
    if hasattr(member, "decision_function"):
        return np.asarray(member.decision_function(table), dtype=float)
    return 2.0 * np.asarray(member.predict(table)) - 1


def _joint_scores(model: Any, table: Data) -> Floats:
    if isinstance(model, RidgeClassifier):
        return np.asarray(model.decision_function(table), dtype=float).reshape(table.shape[0], -1)
    columns = [
        p[:, 1] if len(classes) == 2 else np.full(len(p), float(classes[0]))
        for p, classes in zip(model.predict_proba(table), model.classes_, strict=True)
    ]
    return np.column_stack(columns)


def _logistic_probabilities(members: list[Any], table: Data) -> Floats:
    """Return the probabilities of class 1 of logistic models by one product."""
    W = np.vstack([member.coef_ for member in members]).T
    b = np.concatenate([member.intercept_ for member in members])
    return np.asarray(expit(np.asarray(table @ np.ascontiguousarray(W), dtype=float) + b))


# --- fitting ----------------------------------------------------------------------------------


def fit_columns(
    estimator: Any, table: Data, codes: Codes, weights: Weights | None = None
) -> ColumnModels:
    """Fit a classifier to every column of class codes."""
    more = weight_argument(estimator, weights)
    n_classes = codes.max(axis=0).astype(np.int64) + 1
    shared = _SHARED.get(type(estimator))
    if shared is not None and codes.shape[1] > 1:
        made = shared(estimator, table, codes, n_classes, more)
        if made is not None:
            return made
    members = [fit_column(estimator, table, column, more) for column in codes.T]
    probable = hasattr(estimator, "predict_proba")
    return ColumnModels(np.maximum(n_classes, 2), members, probable=probable)


def weight_argument(estimator: Any, weights: Weights | None) -> dict[str, Weights]:
    """Return the argument that gives an estimator's `fit` the weights of the rows."""
    if weights is None:
        return {}
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ParameterError(
            f"{type(estimator).__name__}.fit takes no sample_weight; leave it out, or use an "
            "estimator that weighs rows."
        )
    return {"sample_weight": weights}


def constant_or_none(column: npt.NDArray[np.intp]) -> int | None:
    """Return the code that all rows have, or None."""
    if column[0] == column[-1] and (column == column[0]).all():
        return int(column[0])
    return None


def fit_column(
    estimator: Any, table: Data, column: npt.NDArray[np.intp], more: dict[str, Weights]
) -> Any:
    """Return a fitted classifier of one column, or its only code."""
    constant = constant_or_none(column)
    return clone(estimator).fit(table, column, **more) if constant is None else constant


def _fit_neighbors(
    estimator: Any, table: Data, codes: Codes, n_classes: Sizes, more: dict[str, Weights]
) -> ColumnModels:
    """One search for all columns: a vote of the same neighbours for each."""
    model = clone(estimator).fit(table, codes, **more)
    return ColumnModels(np.maximum(n_classes, 2), [model], joint=True)


def _fit_ridge(
    estimator: Any, table: Data, codes: Codes, n_classes: Sizes, more: dict[str, Weights]
) -> ColumnModels | None:
    """One factorisation for all columns of two classes."""
    if n_classes.max() > 2 or estimator.class_weight is not None:
        return None
    model = clone(estimator).fit(table, codes, **more)
    return ColumnModels(np.maximum(n_classes, 2), [model], joint=True, probable=False)


def _fit_kernel_machines(
    estimator: Any, table: Data, codes: Codes, n_classes: Sizes, more: dict[str, Weights]
) -> ColumnModels | None:
    """One kernel matrix for all columns, if no row is weighed."""
    if more:
        return None
    constants = [constant_or_none(column) for column in codes.T]
    varied = codes[:, [constant is None for constant in constants]]
    fitted = iter(estimator.fit_columns(table, varied) if varied.shape[1] else [])
    members = [next(fitted) if constant is None else constant for constant in constants]
    return ColumnModels(np.maximum(n_classes, 2), members, probable=False)


def _fit_logistic(
    estimator: Any, table: Data, codes: Codes, n_classes: Sizes, more: dict[str, Weights]
) -> ColumnModels:
    """Take the steps of all columns together for wide sparse rows; else one thread per column."""
    constants = [constant_or_none(column) for column in codes.T]
    varied = codes[:, [constant is None for constant in constants]]
    together = varied.shape[1] >= _TOGETHER and n_classes.max() <= 2
    if together and can_fit_columns(estimator, table):
        fitted = iter(fit_logistic_columns(estimator, table, varied, more.get("sample_weight")))
        members = [next(fitted) if constant is None else constant for constant in constants]
    else:
        with one_blas_thread(), ThreadPoolExecutor(get_num_threads()) as pool:
            members = list(pool.map(lambda y: fit_column(estimator, table, y, more), codes.T))
    return ColumnModels(np.maximum(n_classes, 2), members)


_SharedFit = Callable[[Any, Data, Codes, Sizes, dict[str, Weights]], ColumnModels | None]
_SHARED: dict[type, _SharedFit] = {
    KNeighborsClassifier: _fit_neighbors,
    LogisticRegression: _fit_logistic,
    RidgeClassifier: _fit_ridge,
    SVC: _fit_kernel_machines,
}
