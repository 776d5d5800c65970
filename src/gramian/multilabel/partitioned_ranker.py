"""Label ranking restricted to the candidates of a partition, for very many labels."""

from numbers import Integral
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, Instance, Learner, params
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import LabelSets
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Matrix, Table, Weights
from gramian.metrics import precision_at_k
from gramian.multilabel.common.label_classifier import LabelClassifier
from gramian.multilabel.common.label_members import LabelMembers
from gramian.multilabel.label_partitioner import LabelPartitioner
from gramian.multilabel.member_margins import fit_member, margins_of

IsPartitioner = Annotated[Any, Instance((LabelPartitioner,), "a LabelPartitioner")]


class ErrorParts(NamedTuple):
    """The loss at the top k, 1 - hits / min(k, relevant labels), and its two causes."""

    total: float
    not_in_partition: float
    scorer: float


@params(first=("partitioner", "k"))
class PartitionedRanker(LabelMembers):
    """Rank the candidate labels of a row's partition by a scorer.

    A scorer f(x, l) is fitted to all labels; a `LabelPartitioner` learns from the precision of the
    scorer which few labels to score for a row. The k labels with the highest scores are predicted
    (Weston, Makadia and Yee 2013). With linear scorers a row costs only the products with its
    candidates.

    Parameters
    ----------
    estimator
        The scorer, a multi-label classifier, for example ``BinaryRelevance(LogisticRegression())``.
    partitioner
        The partitions; None means ``LabelPartitioner()``.
    k
        Number of labels at which precision is measured; all labels if there are fewer.

    Attributes
    ----------
    scorer_ : estimator
        The fitted scorer.
    partitioner_ : LabelPartitioner
        The fitted partitions.

    Notes
    -----
    Other labels have scores below those of all candidates of the row.

    Examples
    --------
    >>> from gramian import BinaryRelevance, LabelPartitioner, LogisticRegression
    >>> from gramian import PartitionedRanker
    >>> X, y = [[0.0], [1.0], [8.0], [9.0]], [{"a"}, {"a", "b"}, {"c"}, {"c"}]
    >>> model = PartitionedRanker(
    ...     BinaryRelevance(LogisticRegression()), partitioner=LabelPartitioner(2, random_state=0)
    ... ).fit(X, y)
    >>> model.rank_labels([[0.5]], 2)
    array([['a', 'b']], dtype='<U1')
    """

    estimator: Learner
    _: KW_ONLY
    partitioner: IsPartitioner | None = None
    k: Count = 5

    def _gives_probabilities(self) -> bool:
        return False

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self.scorer_ = fit_member(self.estimator, table, Y, weights)
        precision = precision_at_k(
            Y,
            margins_of(self.scorer_, table),
            k=min(self.k, Y.shape[1]),
            per_row=True,
            divisor="possible",
        )
        partitioner = LabelPartitioner() if self.partitioner is None else self.partitioner
        self.partitioner_ = clone(partitioner)._fit_with_precision(table, Y, precision, weights)

    def _scores(self, table: Data) -> Floats:
        inside = self.partitioner_._candidates(table)
        scores = np.full(inside.shape, np.inf)
        patterns, group = np.unique(inside, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            labels, rows = np.flatnonzero(pattern), np.flatnonzero(group.reshape(-1) == number)
            if len(labels):
                scores[np.ix_(rows, labels)] = self._candidate_margins(take(table, rows), labels)
        floor = np.minimum(scores.min(axis=1, keepdims=True), 0.0) - 1.0
        return np.where(inside, scores, floor)

    def _candidate_margins(self, table: Data, labels: npt.NDArray[np.intp]) -> Floats:
        scorer = self.scorer_
        if isinstance(scorer, LabelClassifier):
            thresholds = np.broadcast_to(
                scorer._row_thresholds(table), (table.shape[0], len(scorer.thresholds_))
            )
            return np.asarray(scorer._label_scores(table, labels) - thresholds[:, labels])
        return margins_of(scorer, table)[:, labels]

    def error_parts(self, X: Table, y: npt.ArrayLike, k: int | None = None) -> ErrorParts:
        """Return the loss at the top k, and the parts due to each cause.

        A relevant label is missed because it is not a candidate, or because the scorer ranks it
        below the top k. Rows without labels are ignored.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            The relevant labels, as given to `fit`.
        k
            Number of labels; None means the ranker's `k`.

        Returns
        -------
        ErrorParts
            Total, and its parts ``not_in_partition`` and ``scorer``.
        """
        table = check_new(self, X)
        Y = self._label_matrix(y, table.shape[0])
        if k is not None and not (isinstance(k, Integral) and k >= 1):
            raise ParameterError(f"PartitionedRanker: k must be an integer >= 1; got {k!r}.")
        k = min(self.k if k is None else k, Y.shape[1])
        relevant = Y.sum(axis=1)
        if not relevant.any():
            raise DataError("PartitionedRanker: y has no labels; at least one row needs one.")
        possible = np.minimum(k, relevant)[relevant > 0]
        found = Y & self.partitioner_._candidates(table)  # labels that are not scored are missed
        inside = np.minimum(k, found.sum(axis=1))
        best = np.argsort(-self._scores(table), axis=1, kind="stable")[:, :k]
        hits: Matrix = np.take_along_axis(found, best, axis=1).sum(axis=1)
        reachable, hit = inside[relevant > 0] / possible, hits[relevant > 0] / possible
        return ErrorParts(
            total=float((1 - hit).mean()),
            not_in_partition=float((1 - reachable).mean()),
            scorer=float((reachable - hit).mean()),
        )
