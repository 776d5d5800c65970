"""ML-kNN: the most probable value of each label, given how many neighbours have it."""

import numpy as np

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Positive, params
from gramian.base.targets import LabelSets
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.neighbor_counts import Counts, NeighborLabels

_BLOCK = 1 << 20  # counts that are tallied at a time


@params(first=("s",))
class MLkNN(NeighborLabels):
    """Labels by Bayes' rule from the labels of the k nearest neighbours.

    Let H_1 be that a row has the label and E_j that j of its k neighbours have it. With smoothing s
    and the counts of the n training rows (each without itself as a neighbour)

        P(H_1)       = (s + sum_i y_i) / (2 s + n),
        P(E_j | H_1) = (s + c[j])  / (s (k + 1) + sum_r c[r]),
        P(E_j | H_0) = (s + c'[j]) / (s (k + 1) + sum_r c'[r]),

    where c[j] is the number of rows with the label, c'[j] without it, that have j neighbours with
    it, the posterior is P(H_1) P(E_j | H_1) / P(E_j); the label is predicted above 1/2. Zhang and
    Zhou 2007. One neighbour search serves all labels; the rest is a table of k + 1 numbers per
    label.

    Parameters
    ----------
    s
        The smoothing; 1 is Laplace's.

    Attributes
    ----------
    priors_ : array (L,)
        P(H_1) of each label.
    likelihoods_ : array (2, L, k + 1)
        P(E_j | H_0) and P(E_j | H_1).
    posteriors_ : array (L, k + 1)
        P(H_1 | E_j).
    search_ : NearestNeighbors
        The search.

    Examples
    --------
    >>> from gramian import MLkNN
    >>> X, Y = [[0.0], [1.0], [2.0], [8.0], [9.0]], [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    >>> model = MLkNN(n_neighbors=2).fit(X, Y)
    >>> model.priors_.round(4).tolist()                                       # 4/7 and 3/7
    [0.5714, 0.4286]
    >>> model.predict([[0.5]])
    array([[1, 0]])
    """

    n_neighbors: Count = 10
    _: KW_ONLY
    s: Positive = 1.0

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self._fit_search(table, Y)
        counts = self._counts(None)
        with_label, every = tally(counts, Y, self.n_neighbors)
        self.priors_ = (self.s + Y.sum(axis=0)) / (2 * self.s + len(Y))
        self.likelihoods_ = np.stack(
            [smoothed(every - with_label, self.s), smoothed(with_label, self.s)]
        )
        joint = self.likelihoods_ * np.stack([1 - self.priors_, self.priors_])[:, :, None]
        self.posteriors_ = joint[1] / joint.sum(axis=0)

    def _scores(self, table: Data) -> Floats:
        counts = self._counts(table)
        return np.take_along_axis(self.posteriors_.T, counts.astype(np.intp), axis=0)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if np.shape(self.posteriors_) != (len(self.label_names_), self.n_neighbors + 1):
            raise DataError("MLkNN: posteriors_ must have a row per label and a column per count.")


def tally(counts: Counts, Y: LabelSets, k: int) -> tuple[Floats, Floats]:
    """Return how many rows have j neighbours with a label: rows that have it, and all rows.

    Both have shape (L, k + 1).
    """
    n_labels = Y.shape[1]
    size = n_labels * (k + 1)
    of_label = np.arange(n_labels) * (k + 1)
    rows, labels = np.nonzero(Y)
    with_label = np.bincount(of_label[labels] + counts[rows, labels], minlength=size)
    every = np.zeros(size, dtype=np.int64)
    step = max(1, _BLOCK // n_labels)
    for at in range(0, len(counts), step):
        cells = counts[at : at + step] + of_label
        every += np.bincount(cells.ravel(), minlength=size)
    shape = (n_labels, k + 1)
    return with_label.reshape(shape).astype(float), every.reshape(shape).astype(float)


def smoothed(c: Floats, s: float) -> Floats:
    """Return (s + c[j]) / (s (k + 1) + sum_r c[r]) along the last axis; it sums to 1.

    Examples
    --------
    >>> smoothed(np.array([0.0, 1.0, 2.0]), 1.0).round(4).tolist()
    [0.1667, 0.3333, 0.5]
    """
    return np.asarray((s + c) / (s * c.shape[-1] + c.sum(axis=-1, keepdims=True)))
