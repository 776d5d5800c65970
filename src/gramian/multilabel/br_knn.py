"""BRkNN: binary relevance by nearest neighbours."""

from typing import Any, Literal

import numpy as np

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import LabelSets
from gramian.base.types import Data, Floats, Table, Weights
from gramian.multilabel.neighbor_counts import NeighborLabels


@params(first=("extension",))
class BRkNN(NeighborLabels):
    """Multi-label classification by the majority of the k nearest neighbours.

    Equals k nearest neighbours for each label, with one search (Spyromitros, Tsoumakas and
    Vlahavas 2008).

    Parameters
    ----------
    extension
        "a" predicts the label with most votes if none has a majority; "b" predicts the labels with
        most votes, as many as the neighbours have on average. Neither changes the scores, which are
        the proportions of neighbours with the label.

    Attributes
    ----------
    search_ : NearestNeighbors
        The fitted neighbour search.

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

    def _default_threshold(self) -> float:
        return 0.5

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self._fit_search(table, Y)

    def _scores(self, table: Data) -> Floats:
        return np.asarray(self._neighbor_counts(table) / self.n_neighbors)

    def predict(self, X: Table) -> Any:
        """Return the predicted labels as 0s and 1s, shape (n, labels); CSR if y was sparse.

        If each training row has one label, return the label with most votes, shape (n,).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        if self.extension is None:
            return super().predict(X)
        table = check_new(self, X)
        p = self._scores(table)
        margins = p - self._row_thresholds(table)
        if not self.multilabel_:
            return self._predicted_labels(margins)
        if self.extension == "a":
            none = ~(margins > 0).any(axis=1)
            margins[none, p[none].argmax(axis=1)] = 1.0
            return self._predicted_labels(margins)
        size = np.rint(p.sum(axis=1))  # the neighbours' mean number of labels
        rank = np.argsort(np.argsort(-p, axis=1, kind="stable"), axis=1, kind="stable")
        return self._predicted_labels(np.where(rank < size[:, None], 1.0, -1.0))
