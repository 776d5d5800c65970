"""Calibrated label ranking: pairs of labels, and a virtual label as threshold."""

from itertools import combinations

import numpy as np

from gramian.base.fields import Learner, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.common.column_models import ColumnModels, fit_column, fit_columns
from gramian.multilabel.common.label_members import LabelMembers


@params
class CalibratedLabelRanking(LabelMembers):
    """Multi-label classification by pairwise votes, calibrated by a virtual label.

    A classifier for each pair of labels is fitted to the rows with exactly one of the two; the
    classifier of a label against the virtual label is that of binary relevance. Each classifier
    votes for the label it predicts; labels with more votes than the virtual label are predicted
    (Fuernkranz, Huellermeier, Loza Mencia and Brinker 2008). Costs L (L + 1) / 2 fits; those of
    pairs use few rows each.

    Attributes
    ----------
    models_ : ColumnModels
        The classifiers of each label against the virtual one.
    pairs_ : array (pairs, 2)
        Column indices of each pair of labels that differ in some row.
    pair_models_ : ColumnModels
        The classifiers of the pairs; class 1 is the second label.

    Notes
    -----
    `decision_function` is the label's votes minus those of the virtual label, divided by the number
    of labels.

    Examples
    --------
    >>> from gramian import CalibratedLabelRanking, DecisionTreeClassifier
    >>> X, Y = [[0.0], [1.0], [2.0], [3.0]], [[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]
    >>> model = CalibratedLabelRanking(DecisionTreeClassifier()).fit(X, Y)
    >>> model.predict([[1.0]]), model.decision_function([[1.0]]).round(2)
    (array([[1, 1, 0]]), array([[ 0.67,  0.33, -0.33]]))
    """

    estimator: Learner

    def _gives_probabilities(self) -> bool:
        return False

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self.models_ = fit_columns(self.estimator, table, Y.astype(np.intp), weights)
        pairs, members = [], []
        for i, j in combinations(range(Y.shape[1]), 2):
            rows = np.flatnonzero(Y[:, i] != Y[:, j])
            if len(rows):
                pairs.append((i, j))
                column = Y[rows, j].astype(np.intp)
                more = {} if weights is None else {"sample_weight": weights[rows]}
                members.append(fit_column(self.estimator, take(table, rows), column, more))
        self.pairs_ = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        two = np.full(len(members), 2, dtype=np.int64)
        has_probabilities = hasattr(self.estimator, "predict_proba")
        self.pair_models_ = ColumnModels(two, members, has_probabilities=has_probabilities)

    def _scores(self, table: Data) -> Floats:
        relevant = self.models_.scores(table) > (0.5 if self.models_.has_probabilities else 0.0)
        votes = relevant.astype(float)
        if len(self.pairs_):
            second = self.pair_models_.scores(table) > (
                0.5 if self.models_.has_probabilities else 0.0
            )
            for (i, j), won in zip(self.pairs_, second.T, strict=True):
                votes[:, j] += won
                votes[:, i] += ~won
        virtual = (~relevant).sum(axis=1, keepdims=True)
        return np.asarray((votes - virtual) / votes.shape[1])
