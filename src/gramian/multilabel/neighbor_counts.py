"""Counts of labels among neighbours, from one search for all labels."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import Count, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.kinds import Classifier
from gramian.base.types import Data, is_sparse
from gramian.multilabel.common.label_classifier import LabelClassifier
from gramian.neighbors import NearestNeighbors
from gramian.neighbors.search_parameters import SearchParameters

Counts = npt.NDArray[np.integer[Any]]
_MAX_DENSE_CELLS = 1 << 25  # largest sparse table that is converted to dense, 256 MB


@params
class NeighborLabels(LabelClassifier, SearchParameters, Classifier):
    """Base class that counts labels among nearest neighbours.

    Parameters
    ----------
    n_neighbors
        The number k of neighbours.
    """

    takes_sparse = True
    parametric = False
    model_family = "discriminative"

    n_neighbors: Count = 10

    def _fit_search(self, table: Data, Y: LabelSets) -> None:
        n = table.shape[0]
        if n <= self.n_neighbors:
            raise DataError(
                f"{type(self).__name__}: n_samples={n} must exceed n_neighbors="
                f"{self.n_neighbors}; lower n_neighbors or add rows."
            )
        self.search_ = NearestNeighbors(
            n_neighbors=self.n_neighbors,
            algorithm=self.algorithm,
            leaf_size=self.leaf_size,
            p=self.p,
            metric=self.metric,
            metric_params=self.metric_params,
            n_jobs=self.n_jobs,
        ).fit(self._searchable(table))
        self._Y = Y.astype(np.uint8)

    def _searchable(self, table: Data) -> Data:
        """Convert sparse rows to a dense array if they fit in memory, which is faster."""
        small = table.shape[0] * table.shape[1] <= _MAX_DENSE_CELLS
        return (
            table.toarray()
            if is_sparse(table) and small and self.metric != "precomputed"
            else table
        )

    def _neighbor_counts(self, table: Data | None) -> Counts:
        """Return the counts of each label, shape (rows, L); None means the training rows."""
        if table is None or not is_sparse(table) or is_sparse(self.search_._fit_X):
            return self._count_labels(self.search_.kneighbors(table, return_distance=False))
        step = max(1, _MAX_DENSE_CELLS // table.shape[1])
        found = [
            self.search_.kneighbors(table[at : at + step].toarray(), return_distance=False)
            for at in range(0, table.shape[0], step)
        ]
        return self._count_labels(np.concatenate(found))

    def _count_labels(self, indices: npt.NDArray[np.intp]) -> Counts:
        """Sum the labels of the neighbours."""
        small = np.uint8 if self.n_neighbors < 256 else np.int64
        counts = np.zeros((len(indices), self._Y.shape[1]), dtype=small)
        for column in indices.T:
            counts += self._Y[column]
        return counts

    def _check_loaded(self) -> None:
        super()._check_loaded()
        known = (self.search_.n_samples_fit_, len(self.label_names_))
        if not isinstance(self._Y, np.ndarray) or self._Y.shape != known:
            raise DataError(f"{type(self).__name__}: _Y must have shape {known}.")
        if self._Y.dtype != np.uint8 or self._Y.max(initial=0) > 1:
            raise DataError(f"{type(self).__name__}: _Y must contain 0 and 1.")
