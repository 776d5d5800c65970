r"""Confusion counts and the rates made of them.

With TP, FP, FN, TN the rows that are truly and falsely called positive and negative,

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
from gramian.evaluate.curves.binary_targets import equally_long


@dataclass(frozen=True)
class BinaryCounts:
    """How often a two-class decision was right and wrong, in both ways; a rate of none is NaN."""

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
        """Share of wrong rows."""
        return _share(self.fp + self.fn, self.n)

    @property
    def accuracy(self) -> float:
        """Share of right rows."""
        return _share(self.tp + self.tn, self.n)

    @property
    def tpr(self) -> float:
        """Share of positive rows called positive: hit rate, sensitivity, recall."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def fpr(self) -> float:
        """Share of negative rows called positive: false-alarm rate."""
        return _share(self.fp, self.fp + self.tn)

    @property
    def tnr(self) -> float:
        """Share of negative rows called negative: specificity, 1 - fpr."""
        return _share(self.tn, self.fp + self.tn)

    @property
    def fnr(self) -> float:
        """Share of positive rows called negative: misses, 1 - tpr."""
        return _share(self.fn, self.tp + self.fn)

    @property
    def precision(self) -> float:
        """Share of rows called positive that are."""
        return _share(self.tp, self.tp + self.fp)


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts of every pair of true and predicted class.

    Attributes
    ----------
    counts
        ``counts[i, j]`` rows of class i were called j.
    classes
        The classes, in the order of rows and columns.
    """

    counts: NDArray[np.int64]
    classes: NDArray[Any]

    @property
    def errors(self) -> int:
        """Number of wrong rows."""
        return int(self.counts.sum() - np.trace(self.counts))

    @property
    def error_rate(self) -> float:
        """Share of wrong rows."""
        return _share(self.errors, int(self.counts.sum()))

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
                f"Confusion: {positive!r} is no class; they are {self.classes.tolist()!r}."
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
        All classes, in the order wanted; None takes those found, sorted.

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
    truth, guess = equally_long("confusion", y_true=y_true, y_pred=y_pred)
    found = np.union1d(truth, guess)
    listed = found if classes is None else np.asarray(classes)
    unknown = np.setdiff1d(found, listed)
    if len(unknown):
        raise DataError(
            f"confusion: classes must hold every label; {unknown.tolist()!r} are missing."
        )
    return Confusion(confusion_matrix(truth, guess, labels=listed), listed)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
