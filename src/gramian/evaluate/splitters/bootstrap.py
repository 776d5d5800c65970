r"""The bootstrap: samples of n rows drawn with replacement, and errors estimated from them.

A sample leaves out each row with probability (1 - 1/n)^n, about 0.368. With err the error on the
data fitted, Err1 the mean over rows of the error of those models that did not see the row, and
gamma the error if targets and predictions were independent,

    Err.632  = 0.368 err + 0.632 Err1
    Err.632+ = (1 - w) err + w Err1',   w = 0.632 / (1 - 0.368 R),
               R = (Err1' - err) / (gamma - err),   Err1' = min(Err1, gamma).

R is 0 without overfitting and 1 where the model has only memorised its data; there .632 is too
optimistic and .632+ is not. Reference: Efron and Tibshirani, JASA 92, 1997.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_classifier

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import number_of_rows, take
from gramian.base.types import Floats, Table
from gramian.evaluate.splitters.splitter import Splitter

Rows = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
_IN_SAMPLE = 0.632  # 1 - 1/e: probability that a large sample contains a given row


class Bootstrap(Splitter):
    """Splitter: n rows drawn with replacement to train on, the rows never drawn to test on.

    Parameters
    ----------
    n_splits
        Number of samples.
    stratify
        Whether to draw within each class, so that class proportions are kept.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> train, test = next(Bootstrap(5, random_state=0).split(range(10)))
    >>> len(train), bool(set(train) & set(test))
    (10, False)
    """

    def __init__(
        self, n_splits: int = 50, *, stratify: bool = False, random_state: Any = None
    ) -> None:
        self.n_splits = n_splits
        self.stratify = stratify
        self.random_state = random_state

    def split(
        self, X: Table, y: npt.ArrayLike | None = None, groups: npt.ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield the rows drawn, with their repetitions, and the rows left out.

        Parameters
        ----------
        X
            The rows to split; only their number is used.
        y
            Class labels, needed if `stratify` is true.
        groups
            Ignored; present for scikit-learn compatibility.
        """
        n = number_of_rows(X)
        if n < 2 or self.n_splits < 1:
            raise ParameterError(
                f"Bootstrap: X must have at least 2 rows, and n_splits must be >= 1; got {n} rows "
                f"and n_splits={self.n_splits}."
            )
        if self.stratify and y is None:
            raise ParameterError("Bootstrap: stratify=True needs the classes; call split(X, y).")
        groups_of_rows = (
            [np.flatnonzero(np.asarray(y) == c) for c in np.unique(np.asarray(y))]
            if self.stratify
            else [np.arange(n)]
        )
        if all(len(rows) == 1 for rows in groups_of_rows):
            raise DataError(
                "Bootstrap: every class has only one row, so a stratified sample leaves no row "
                "out; set stratify=False."
            )
        seed = seed_of(self.random_state)
        for number in range(self.n_splits):
            rng = stream(seed, number)
            left_out = np.empty(0, dtype=np.intp)
            # A sample that contains every row (probability n!/n^n) leaves no test rows: draw again.
            while len(left_out) == 0:
                drawn = np.concatenate([rng.choice(rows, len(rows)) for rows in groups_of_rows])
                left_out = np.setdiff1d(np.arange(n), drawn)
            yield drawn, left_out

    def get_n_splits(
        self,
        X: Table | None = None,
        y: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
    ) -> int:
        """Return the number of samples."""
        return self.n_splits


@dataclass(frozen=True)
class BootstrapError:
    """Errors of a model, estimated by bootstrap samples.

    Attributes
    ----------
    apparent
        Error on the training data: too small.
    out_of_bag
        Mean error on rows that were not in the sample: a little too large, since a sample contains
        about 63.2% of the distinct rows.
    no_information
        Error if targets and predictions were independent.
    overfitting
        R, from 0 (none) to 1.
    err632, err632plus
        The estimates between `apparent` and `out_of_bag`.
    """

    apparent: float
    out_of_bag: float
    no_information: float
    overfitting: float
    err632: float
    err632plus: float


def bootstrap_error(
    estimator: Any,
    X: Table,
    y: ArrayLike,
    *,
    n_splits: int = 50,
    stratify: bool = False,
    random_state: Any = None,
) -> BootstrapError:
    """Estimate the error of a model by the bootstrap, with the .632 and .632+ corrections.

    The error is the error rate for a classifier and the mean squared error for a regressor.

    Parameters
    ----------
    estimator
        Classifier or regressor; it is cloned.
    X, y
        Rows and targets.
    n_splits
        Number of samples; with 50 or more, most rows are left out of at least one.
    stratify
        Whether to draw within each class.
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    BootstrapError
        All the estimates.

    Examples
    --------
    >>> from gramian import KNeighborsClassifier
    >>> X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    >>> found = bootstrap_error(KNeighborsClassifier(1), X, y, n_splits=20, random_state=0)
    >>> found.apparent, found.apparent < found.err632 < found.out_of_bag
    (0.0, True)
    """
    target = np.asarray(y)
    n = number_of_rows(X)
    if target.shape != (n,):
        raise DataError(
            f"bootstrap_error: y must have one target for each of the {n} rows; "
            f"got shape {target.shape}."
        )
    loss = _errors if is_classifier(estimator) else _square
    splitter = Bootstrap(n_splits, stratify=stratify, random_state=random_state)
    total, times = np.zeros(n), np.zeros(n)
    for drawn, left_out in splitter.split(X, target):
        if is_classifier(estimator) and len(np.unique(target[drawn])) < 2:
            raise DataError(
                "bootstrap_error: a sample has only one class; use stratify=True, or "
                "collect more rows of the rare class."
            )
        model = clone(estimator).fit(take(X, drawn), target[drawn])
        total[left_out] += loss(target[left_out], model.predict(take(X, left_out)))
        times[left_out] += 1
    seen = times > 0
    predicted = clone(estimator).fit(X, target).predict(X)
    return corrected_errors(
        float(loss(target, predicted).mean()),
        float((total[seen] / times[seen]).mean()),
        no_information_error(target, predicted, classes=is_classifier(estimator)),
    )


def no_information_error(y: ArrayLike, predicted: ArrayLike, *, classes: bool = True) -> float:
    """Return the error that the predictions would have if they were independent of the targets.

    The mean over all pairs of a target and a prediction, also of different rows.

    Parameters
    ----------
    y, predicted
        Targets and predictions, shape (n,).
    classes
        Whether they are class labels; if not, the error is the mean squared error.

    Returns
    -------
    error
        gamma.

    Examples
    --------
    >>> no_information_error([0, 0, 1, 1], [0, 0, 0, 1])
    0.5
    """
    target, guess = np.asarray(y), np.asarray(predicted)
    if classes:
        return float(1 - sum(np.mean(target == k) * np.mean(guess == k) for k in np.unique(target)))
    return float(target.var() + guess.var() + (target.mean() - guess.mean()) ** 2)


def corrected_errors(apparent: float, out_of_bag: float, no_information: float) -> BootstrapError:
    """Return the .632 and .632+ estimates from the three errors they combine.

    Parameters
    ----------
    apparent, out_of_bag, no_information
        err, Err1 and gamma.

    Returns
    -------
    BootstrapError
        All the estimates.

    Examples
    --------
    One nearest neighbour on random labels: no training error, an expected error of one half.

    >>> found = corrected_errors(0.0, 0.5, 0.5)
    >>> round(found.err632, 3), round(found.err632plus, 3)
    (0.316, 0.5)
    """
    capped = min(out_of_bag, no_information)
    overfits = capped > apparent and no_information > apparent
    R = (capped - apparent) / (no_information - apparent) if overfits else 0.0
    weight = _IN_SAMPLE / (1 - (1 - _IN_SAMPLE) * R)
    return BootstrapError(
        apparent=apparent,
        out_of_bag=out_of_bag,
        no_information=no_information,
        overfitting=R,
        err632=(1 - _IN_SAMPLE) * apparent + _IN_SAMPLE * out_of_bag,
        err632plus=(1 - weight) * apparent + weight * (capped if R > 0 else out_of_bag),
    )


def _errors(y: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    return np.asarray(y != predicted, dtype=np.float64)


def _square(y: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    return np.asarray((y - predicted) ** 2, dtype=np.float64)
