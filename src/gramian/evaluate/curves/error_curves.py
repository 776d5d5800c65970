r"""Errors against the number of rows (learning curve) or a parameter (validation curve).

The fits are scikit-learn's ``learning_curve`` and ``validation_curve``; here their scores become
errors, with the usual choices: the smallest mean validation error, and the simplest
setting within one standard error of it (Breiman et al., Classification and Regression Trees, 1984,
section 3.4.3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import learning_curve, validation_curve

from gramian.base.errors import DataError, ParameterError
from gramian.base.folds import check_splits
from gramian.base.types import Floats, Table


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Training and validation errors against a parameter or the number of rows.

    Attributes
    ----------
    name
        Name of the quantity that varies.
    values
        The m values of the parameter.
    train, validation
        Errors, shape (m, folds).
    """

    name: str
    values: NDArray[Any]
    train: Floats
    validation: Floats

    @property
    def best(self) -> int:
        """Index of the smallest mean validation error; the first if tied."""
        return int(self.validation.mean(axis=1).argmin())

    @property
    def standard_error(self) -> Floats:
        """Standard error of the mean validation error, over the folds."""
        folds = self.validation.shape[1]
        if folds < 2:
            return np.zeros(len(self.validation))
        return np.asarray(self.validation.std(axis=1, ddof=1) / np.sqrt(folds))

    @property
    def simplest_good(self) -> int:
        """Index of the first value whose error is within one standard error of the smallest.

        The values must run from simple to flexible.
        """
        mean, best = self.validation.mean(axis=1), self.best
        return int(np.argmax(mean <= mean[best] + self.standard_error[best]))


def validation_errors(
    estimator: Any,
    X: Table,
    y: ArrayLike,
    *,
    name: str,
    values: Sequence[Any],
    cv: Any = None,
    scoring: str | None = None,
    n_jobs: int | None = None,
) -> ErrorCurve:
    """Return training and validation errors for each value of a parameter.

    Parameters
    ----------
    estimator
        Classifier or regressor; it is cloned.
    X, y
        Rows and targets.
    name, values
        The parameter, as in ``set_params``, and the values to try.
    cv
        Splitter or number of folds, as in scikit-learn.
    scoring
        Name of a scorer, such as ``"neg_log_loss"``; scores are converted to errors, ``-score``
        for names that begin with ``neg_`` and ``1 - score`` otherwise. None uses the error rate
        or the mean squared error.
    n_jobs
        Number of fits in parallel.

    Returns
    -------
    ErrorCurve
        Errors of every value and fold.

    Examples
    --------
    >>> from gramian import KNeighborsClassifier
    >>> X, y = np.arange(30.0)[:, None], np.repeat([0, 1], 15)
    >>> curve = validation_errors(
    ...     KNeighborsClassifier(), X, y, name="n_neighbors", values=[1, 3, 20], cv=3
    ... )
    >>> curve.train.mean(axis=1)[0], curve.best
    (np.float64(0.0), 0)
    """
    chosen = _scoring("validation_errors", estimator, scoring)
    folds = _folds("validation_errors", estimator, X, y, cv)
    train, validation = validation_curve(
        estimator, X, y, param_name=name, param_range=values, cv=folds, scoring=chosen,
        n_jobs=n_jobs, error_score="raise",
    )  # fmt: skip
    return ErrorCurve(name, np.asarray(values), _errors(chosen, train), _errors(chosen, validation))


def learning_errors(
    estimator: Any,
    X: Table,
    y: ArrayLike,
    *,
    sizes: ArrayLike = (0.1, 0.325, 0.55, 0.775, 1.0),
    cv: Any = None,
    scoring: str | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> ErrorCurve:
    """Return training and validation errors for growing numbers of training rows.

    Parameters
    ----------
    estimator, X, y, cv, scoring, n_jobs
        As for `validation_errors`.
    sizes
        Numbers of training rows, or fractions of the training set; drawn at random.
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    ErrorCurve
        Errors of every size and fold.

    Examples
    --------
    >>> from gramian import KNeighborsClassifier
    >>> X, y = np.arange(60.0)[:, None], np.repeat([0, 1], 30)
    >>> learning_errors(KNeighborsClassifier(1), X, y, sizes=[8, 40], cv=3).values
    array([ 8, 40])
    """
    chosen = _scoring("learning_errors", estimator, scoring)
    folds = _folds("learning_errors", estimator, X, y, cv)
    try:
        counts, train, validation = learning_curve(
            estimator, X, y, train_sizes=np.asarray(sizes), cv=folds, scoring=chosen, shuffle=True,
            random_state=random_state, n_jobs=n_jobs, error_score="raise",
        )  # fmt: skip
    except ValueError as error:
        raise DataError(
            f"learning_errors: {error} If the first rows have only one class, start with a larger "
            "size."
        ) from error
    return ErrorCurve("rows", counts, _errors(chosen, train), _errors(chosen, validation))


def _scoring(owner: str, estimator: Any, scoring: str | None) -> str:
    if scoring is not None:
        if not isinstance(scoring, str):
            raise ParameterError(
                f"{owner}: scoring must be the name of a scorer, so that scores can be converted "
                f"to errors, or None; got {scoring!r}."
            )
        return scoring
    return "accuracy" if is_classifier(estimator) else "neg_mean_squared_error"


def _errors(scoring: str, scores: Floats) -> Floats:
    return -scores if scoring.startswith("neg_") else 1 - scores


def _folds(owner: str, estimator: Any, X: Table, y: ArrayLike, cv: Any) -> Any:
    """Return the folds; raise if a classifier's training set has only one class."""
    classify = is_classifier(estimator)
    labels = np.asarray(y)
    folds = check_splits(owner, cv, X, labels, classifier=classify)
    for number, (train, _) in enumerate(folds):
        if classify and len(np.unique(labels[train])) < 2:
            raise DataError(
                f"{owner}: the training set of fold {number} has only one class; use "
                "sklearn.model_selection.StratifiedKFold with shuffle=True, or fewer folds."
            )
    return folds
