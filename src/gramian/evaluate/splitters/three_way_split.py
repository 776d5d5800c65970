"""Train, validation and test: fit, choose, and only then judge.

Every candidate is fitted on the training rows and judged on the validation rows; the best one is
fitted again on both, and its error on the test rows, looked at once, is the error to report. The
validation error of the winner is too small, since it was chosen for being small.
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
from gramian.base.rows import number_of_rows, take

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ThreeWaySplit:
    """Indices of the training, validation and test rows.

    Attributes
    ----------
    train, validation, test
        Row numbers, in rising order.
    """

    train: Rows
    validation: Rows
    test: Rows

    @property
    def development(self) -> Rows:
        """Training rows, then validation rows: what the chosen model is fitted on at the end."""
        return np.concatenate([self.train, self.validation])

    def cv(self) -> PredefinedSplit:
        """Return a splitter of the development rows, for scikit-learn's searches.

        With ``refit=True``, their default, ``GridSearchCV(model, grid, cv=split.cv())`` fitted to
        the development rows chooses on the validation rows and fits the best on both.
        """
        return PredefinedSplit(
            np.concatenate([np.full(len(self.train), -1), np.zeros(len(self.validation), int)])
        )


def three_way_split(
    X: Any,
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
        The table; only its number of rows matters.
    y
        Classes, where `stratify` asks for them.
    validation, test
        Shares of the rows; the rest is for training.
    stratify
        Whether classes keep their shares in all three.
    random_state
        Seed of the split.

    Returns
    -------
    ThreeWaySplit
        Row numbers.

    Examples
    --------
    >>> split = three_way_split(range(10), random_state=0)
    >>> len(split.train), len(split.validation), len(split.test)
    (6, 2, 2)
    """
    n = number_of_rows(X)
    if not (validation > 0 and test > 0 and validation + test < 1):
        raise ParameterError(
            "three_way_split: validation and test must be shares above 0 with a sum below 1; "
            f"got {validation!r} and {test!r}."
        )
    if stratify and y is None:
        raise ParameterError("three_way_split: stratify=True needs the classes y.")
    n_test, n_validation = round(test * n), round(validation * n)
    if min(n_test, n_validation, n - n_test - n_validation) < 1:
        raise DataError(
            f"three_way_split: {n} rows are too few for three parts with shares {validation} and "
            f"{test}; give more rows or use cross-validation."
        )
    labels = np.asarray(y) if stratify else None
    rest, last = _parted("three_way_split", np.arange(n), n_test, labels, random_state)
    first, middle = _parted("three_way_split", rest, n_validation, labels, random_state)
    return ThreeWaySplit(np.sort(first), np.sort(middle), np.sort(last))


@dataclass(frozen=True)
class Choice:
    """What validation chose and what the test rows say of it.

    Attributes
    ----------
    best
        Name of the winner.
    model
        The winner, fitted on training and validation rows.
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
    X: Any,
    y: ArrayLike,
    split: ThreeWaySplit,
    *,
    scoring: Any = None,
) -> Choice:
    """Choose the candidate of best validation score and fit it again on train + validation.

    Parameters
    ----------
    candidates
        Estimators by name; they are cloned.
    X, y
        All rows.
    split
        Which rows serve what, from `three_way_split`.
    scoring
        A scorer or its name; None is the estimator's own score. Greater is better.

    Returns
    -------
    Choice
        Winner, scores, and the refitted model.

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
        raise ParameterError("choose_on_validation: give at least one candidate.")
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
    return Choice(best, final, train, validation, float(score(final, *parts["test"])))


def _parted(
    owner: str, rows: Rows, size: int, labels: NDArray[Any] | None, random_state: Any
) -> tuple[Rows, Rows]:
    classes = None if labels is None else labels[rows]
    try:
        rest, part = train_test_split(
            rows, test_size=size, stratify=classes, random_state=random_state
        )
    except ValueError as error:
        raise DataError(
            f"{owner}: {error} Set stratify=False, or give more rows of the rare class."
        ) from None
    return rest, part
