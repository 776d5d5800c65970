"""ML-kNN: Bayes' rule on the number of neighbours with each label."""

import numpy as np

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Positive, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.neighbor_counts import Counts, NeighborLabels

_BLOCK = 1 << 20  # counts processed together


@params(first=("s",))
class MLkNN(NeighborLabels):
    """Multi-label classification by Bayes' rule on the labels of the k nearest neighbours.

    Let H_1 be the event that a row has the label and E_j that j of its k neighbours have it. With
    smoothing s and the counts of the n training rows (no row is its own neighbour)

        P(H_1)       = (s + sum_i y_i) / (2 s + n),
        P(E_j | H_1) = (s + c[j])  / (s (k + 1) + sum_r c[r]),
        P(E_j | H_0) = (s + c'[j]) / (s (k + 1) + sum_r c'[r]),

    where c[j] and c'[j] are the numbers of rows with and without the label that have j neighbours
    with it, the posterior is P(H_1) P(E_j | H_1) / P(E_j); the label is predicted if it exceeds 1/2
    (Zhang and Zhou 2007). One neighbour search is shared by all labels; the model stores k + 1
    numbers per label.

    Parameters
    ----------
    s
        Smoothing; 1 is Laplace smoothing.

    Attributes
    ----------
    priors_ : array (L,)
        P(H_1) of each label.
    likelihoods_ : array (2, L, k + 1)
        P(E_j | H_0) and P(E_j | H_1).
    posteriors_ : array (L, k + 1)
        P(H_1 | E_j).
    search_ : NearestNeighbors
        The fitted neighbour search.

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
        counts = self._neighbor_counts(None)
        with_label, every = count_by_neighbors(counts, Y, self.n_neighbors)
        self.priors_ = (self.s + Y.sum(axis=0)) / (2 * self.s + len(Y))
        self.likelihoods_ = np.stack(
            [smooth(every - with_label, self.s), smooth(with_label, self.s)]
        )
        joint = self.likelihoods_ * np.stack([1 - self.priors_, self.priors_])[:, :, None]
        self.posteriors_ = joint[1] / joint.sum(axis=0)

    def _scores(self, table: Data) -> Floats:
        counts = self._neighbor_counts(table)
        return np.take_along_axis(self.posteriors_.T, counts.astype(np.intp), axis=0)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if np.shape(self.posteriors_) != (len(self.label_names_), self.n_neighbors + 1):
            raise DataError("MLkNN: posteriors_ must have a row per label and a column per count.")


def count_by_neighbors(counts: Counts, Y: LabelSets, k: int) -> tuple[Floats, Floats]:
    """Count rows by their number of neighbours with a label: rows that have it, and all rows.

    Both have shape (L, k + 1).
    """
    n_labels = Y.shape[1]
    size = n_labels * (k + 1)
    label_offset = np.arange(n_labels) * (k + 1)
    rows, labels = np.nonzero(Y)
    with_label = np.bincount(label_offset[labels] + counts[rows, labels], minlength=size)
    every = np.zeros(size, dtype=np.int64)
    step = max(1, _BLOCK // n_labels)
    for at in range(0, len(counts), step):
        cells = counts[at : at + step] + label_offset
        every += np.bincount(cells.ravel(), minlength=size)
    shape = (n_labels, k + 1)
    return with_label.reshape(shape).astype(float), every.reshape(shape).astype(float)


def smooth(c: Floats, s: float) -> Floats:
    """Return (s + c[j]) / (s (k + 1) + sum_r c[r]) along the last axis; it sums to 1.

    Examples
    --------
    >>> smooth(np.array([0.0, 1.0, 2.0]), 1.0).round(4).tolist()
    [0.1667, 0.3333, 0.5]
    """
    return np.asarray((s + c) / (s * c.shape[-1] + c.sum(axis=-1, keepdims=True)))
