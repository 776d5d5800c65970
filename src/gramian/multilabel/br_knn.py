"""BRkNN: labels by the votes of the same neighbours."""

from typing import Any, Literal

import numpy as np

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.gate import check_new
from gramian.base.targets import LabelSets
from gramian.base.types import Data, Floats, Table, Weights
from gramian.multilabel.neighbor_counts import NeighborLabels


@params(first=("extension",))
class BRkNN(NeighborLabels):
    """Labels that most of the k nearest neighbours have.

    The same as k nearest neighbours for each label, with one search. Spyromitros, Tsoumakas and
    Vlahavas 2008.

    Parameters
    ----------
    extension
        "a" predicts the label with most votes where none has a majority; "b" predicts as many
        labels, by votes, as the neighbours have on average. Neither changes the scores, which are
        the proportions of neighbours that have the label.

    Attributes
    ----------
    search_ : NearestNeighbors
        The search.

    Examples
    --------
    >>> from gramian import BRkNN
    >>> X, Y = [[0.0], [1.0], [2.0], [8.0], [9.0]], [[1, 0], [1, 1], [1, 0], [0, 1], [0, 1]]
    >>> BRkNN(n_neighbors=3).fit(X, Y).predict([[1.1]])
    array([[1, 0]])
    """

    n_neighbors: Count = 10
    _: KW_ONLY
    extension: Literal["a", "b"] | None = None

    def _gives_probabilities(self) -> bool:
        return False

    def _natural_threshold(self) -> float:
        return 0.5

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self._fit_search(table, Y)

    def _scores(self, table: Data) -> Floats:
        return np.asarray(self._counts(table) / self.n_neighbors)

    def predict(self, X: Table) -> Any:
        """Return the predicted labels as 0s and 1s, shape (n, labels); CSR if y was sparse.

        If each training row has one label, the label with most votes, shape (n,).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        if self.extension is None:
            return super().predict(X)
        table = check_new(self, X)
        p = self._scores(table)
        margins = p - self._thresholds_at(table)
        if not self.multilabel_:
            return self._labels_of(margins)
        if self.extension == "a":
            none = ~(margins > 0).any(axis=1)
            margins[none, p[none].argmax(axis=1)] = 1.0
            return self._labels_of(margins)
        size = np.rint(p.sum(axis=1))  # the neighbours' mean number of labels
        rank = np.argsort(np.argsort(-p, axis=1, kind="stable"), axis=1, kind="stable")
        return self._labels_of(np.where(rank < size[:, None], 1.0, -1.0))
