r"""Confusion counts and the rates computed from them.

With TP, FP, FN, TN the numbers of true and false positives and negatives,

    TPR = TP / (TP + FN)   hit rate, sensitivity, recall        FNR = 1 - TPR   misses
    FPR = FP / (FP + TN)   false-alarm rate                     TNR = 1 - FPR   specificity
    error rate = (FP + FN) / n.

Reference: Fawcett, Pattern Recognition Letters 27, 2006.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix

from gramian.base.errors import DataError
from gramian.evaluate.curves.binary_targets import check_same_length


@dataclass(frozen=True)
class BinaryCounts:
    """Counts of a binary decision and their rates; a rate with denominator 0 is NaN."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def error_rate(self) -> float:
        """Proportion of misclassified rows."""
        return _ratio(self.fp + self.fn, self.n)

    @property
    def accuracy(self) -> float:
        """Proportion of correctly classified rows."""
        return _ratio(self.tp + self.tn, self.n)

    @property
    def tpr(self) -> float:
        """Proportion of positive rows predicted positive: hit rate, sensitivity, recall."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def fpr(self) -> float:
        """Proportion of negative rows predicted positive: false-alarm rate."""
        return _ratio(self.fp, self.fp + self.tn)

    @property
    def tnr(self) -> float:
        """Proportion of negative rows predicted negative: specificity, 1 - fpr."""
        return _ratio(self.tn, self.fp + self.tn)

    @property
    def fnr(self) -> float:
        """Proportion of positive rows predicted negative: miss rate, 1 - tpr."""
        return _ratio(self.fn, self.tp + self.fn)

    @property
    def precision(self) -> float:
        """Proportion of rows predicted positive that are positive."""
        return _ratio(self.tp, self.tp + self.fp)


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts of every pair of true and predicted class.

    Attributes
    ----------
    counts
        ``counts[i, j]`` rows of class i were predicted as j.
    classes
        The classes, in the order of rows and columns.
    """

    counts: NDArray[np.int64]
    classes: NDArray[Any]

    @property
    def errors(self) -> int:
        """Number of misclassified rows."""
        return int(self.counts.sum() - np.trace(self.counts))

    @property
    def error_rate(self) -> float:
        """Proportion of misclassified rows."""
        return _ratio(self.errors, int(self.counts.sum()))

    def of(self, positive: Any) -> BinaryCounts:
        """Return the counts with one class as positive and all others as negative.

        Parameters
        ----------
        positive
            A label of ``classes``.
        """
        at = np.flatnonzero(self.classes == positive)
        if len(at) == 0:
            raise DataError(
                f"Confusion: positive must be one of the classes {self.classes.tolist()!r}; "
                f"got {positive!r}."
            )
        k = int(at[0])
        tp = int(self.counts[k, k])
        fp, fn = int(self.counts[:, k].sum()) - tp, int(self.counts[k].sum()) - tp
        return BinaryCounts(tp, fp, fn, int(self.counts.sum()) - tp - fp - fn)


def confusion(
    y_true: ArrayLike, y_pred: ArrayLike, *, classes: ArrayLike | None = None
) -> Confusion:
    """Count true against predicted classes.

    Parameters
    ----------
    y_true, y_pred
        True and predicted labels, shape (n,).
    classes
        All classes, in the desired order; None uses the sorted labels.

    Returns
    -------
    Confusion
        The counts; ``of(positive)`` gives rates.

    Examples
    --------
    >>> truth = ["ill", "ill", "well", "well", "well"]
    >>> found = confusion(truth, ["ill", "well", "well", "ill", "well"])
    >>> found.counts
    array([[1, 1],
           [1, 2]])
    >>> found.of("ill").tpr, round(found.of("ill").fpr, 3), found.error_rate
    (0.5, 0.333, 0.4)
    """
    truth, guess = check_same_length("confusion", y_true=y_true, y_pred=y_pred)
    found = np.union1d(truth, guess)
    listed = found if classes is None else np.asarray(classes)
    unknown = np.setdiff1d(found, listed)
    if len(unknown):
        raise DataError(
            f"confusion: classes must contain every label; {unknown.tolist()!r} are missing."
        )
    return Confusion(confusion_matrix(truth, guess, labels=listed), listed)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
