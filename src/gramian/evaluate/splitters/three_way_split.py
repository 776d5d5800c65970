"""Training, validation and test sets: fit, select, then estimate the error once.

Every candidate is fitted on the training rows and scored on the validation rows; the best one is
refitted on both, and its error on the test rows, used only once, is the error to report. The
validation error of the best candidate is too optimistic, since it was selected by it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import PredefinedSplit, train_test_split

from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.taking import number_of_rows, take
from gramian.base.types import Table

Rows = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


@dataclass(frozen=True, eq=False)
class ThreeWaySplit:
    """Indices of the training, validation and test rows.

    Attributes
    ----------
    train, validation, test
        Row indices, in ascending order.
    """

    train: Rows
    validation: Rows
    test: Rows

    @property
    def development(self) -> Rows:
        """Training rows, then validation rows: the selected model is refitted on them."""
        return np.concatenate([self.train, self.validation])

    def cv(self) -> PredefinedSplit:
        """Return a splitter of the development rows, for scikit-learn's searches.

        With ``refit=True``, their default, ``GridSearchCV(model, grid, cv=split.cv())`` fitted to
        the development rows selects on the validation rows and refits the best on both.
        """
        return PredefinedSplit(
            np.concatenate([np.full(len(self.train), -1), np.zeros(len(self.validation), int)])
        )


def three_way_split(
    X: Table,
    y: ArrayLike | None = None,
    *,
    validation: float = 0.2,
    test: float = 0.2,
    stratify: bool = False,
    random_state: Any = None,
) -> ThreeWaySplit:
    """Split rows at random into training, validation and test rows.

    Parameters
    ----------
    X
        The rows to split; only their number is used.
    y
        Class labels, needed if `stratify` is true.
    validation, test
        Fractions of the rows; the rest is for training.
    stratify
        Whether to keep class proportions in all three.
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    ThreeWaySplit
        Row indices.

    Examples
    --------
    >>> split = three_way_split(range(10), random_state=0)
    >>> len(split.train), len(split.validation), len(split.test)
    (6, 2, 2)
    """
    n = number_of_rows(X)
    if not (validation > 0 and test > 0 and validation + test < 1):
        raise ParameterError(
            "three_way_split: validation and test must be fractions above 0 with a sum below 1; "
            f"got {validation!r} and {test!r}."
        )
    if stratify and y is None:
        raise ParameterError("three_way_split: stratify=True needs class labels; pass y.")
    n_test, n_validation = round(test * n), round(validation * n)
    if min(n_test, n_validation, n - n_test - n_validation) < 1:
        raise DataError(
            f"three_way_split: {n} rows are too few for three sets with fractions {validation} and "
            f"{test}; pass more rows or use cross-validation."
        )
    labels = np.asarray(y) if stratify else None
    rest, last = _split_off("three_way_split", np.arange(n), n_test, labels, random_state)
    first, middle = _split_off("three_way_split", rest, n_validation, labels, random_state)
    return ThreeWaySplit(np.sort(first), np.sort(middle), np.sort(last))


@dataclass(frozen=True)
class ValidationChoice:
    """The candidate selected on validation rows, and its test score.

    Attributes
    ----------
    best
        Name of the best candidate.
    model
        The best candidate, refitted on training and validation rows.
    train_scores, validation_scores
        Scores of every candidate fitted on the training rows, by name.
    test_score
        Score of `model` on the test rows.
    """

    best: str
    model: Any
    train_scores: dict[str, float]
    validation_scores: dict[str, float]
    test_score: float


def choose_on_validation(
    candidates: Mapping[str, Any],
    X: Table,
    y: ArrayLike,
    split: ThreeWaySplit,
    *,
    scoring: Any = None,
) -> ValidationChoice:
    """Select the candidate with the best validation score and refit it on train + validation.

    Parameters
    ----------
    candidates
        Estimators by name; they are cloned.
    X, y
        All rows.
    split
        The split, from `three_way_split`.
    scoring
        A scorer or its name; None uses the estimator's own score. Higher is better.

    Returns
    -------
    ValidationChoice
        The best candidate, all scores, and the refitted model.

    Examples
    --------
    >>> from gramian import KNeighborsClassifier
    >>> X, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    >>> split = three_way_split(X, y, stratify=True, random_state=0)
    >>> few = {f"k = {k}": KNeighborsClassifier(k) for k in (1, 24)}
    >>> choose_on_validation(few, X, y, split).best
    'k = 1'
    """
    if not candidates:
        raise ParameterError("choose_on_validation: pass at least one candidate.")
    target = np.asarray(y)
    parts = {
        part: (take(X, rows), target[rows])
        for part, rows in (
            ("train", split.train),
            ("validation", split.validation),
            ("development", split.development),
            ("test", split.test),
        )
    }
    train, validation = {}, {}
    for name, candidate in candidates.items():
        score = check_scoring(candidate, scoring=scoring)
        model = clone(candidate).fit(*parts["train"])
        train[name] = float(score(model, *parts["train"]))
        validation[name] = float(score(model, *parts["validation"]))
    best = max(validation, key=lambda name: validation[name])
    final = clone(candidates[best]).fit(*parts["development"])
    score = check_scoring(final, scoring=scoring)
    return ValidationChoice(best, final, train, validation, float(score(final, *parts["test"])))


def _split_off(
    owner: str, rows: Rows, size: int, labels: NDArray[Any] | None, random_state: Any
) -> tuple[Rows, Rows]:
    classes = None if labels is None else labels[rows]
    try:
        rest, part = train_test_split(
            rows, test_size=size, stratify=classes, random_state=random_state
        )
    except ValueError as error:
        raise DataError(
            f"{owner}: {error} Set stratify=False, or pass more rows of the rare class."
        ) from None
    return rest, part
