"""Binary relevance: one classifier per label."""

import numpy as np
import numpy.typing as npt

from gramian.base.fields import Learner, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.common.column_models import fit_columns
from gramian.multilabel.common.label_members import LabelMembers


@params
class BinaryRelevance(LabelMembers):
    """Multi-label classification by one independent classifier per label.

    Ignores dependence between labels, which does not matter for losses that are sums over labels,
    such as the Hamming loss (Tsoumakas, Katakis and Vlahavas 2010). Logistic models are fitted
    together, ridge models share one factorisation, and neighbours are searched once.

    Attributes
    ----------
    models_ : ColumnModels
        The fitted classifiers.

    Examples
    --------
    >>> from gramian import BinaryRelevance, LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [{"a"}, {"a", "b"}, {"b"}, {"b"}]
    >>> model = BinaryRelevance(LogisticRegression(C=100)).fit(X, y)
    >>> model.predict_sets([[1.0], [3.0]]) == [{'a', 'b'}, {'b'}]
    True
    """

    estimator: Learner

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self.models_ = fit_columns(self.estimator, table, Y.astype(np.intp), weights)

    def _scores(self, table: Data) -> Floats:
        return self.models_.scores(table)

    def _label_scores(self, table: Data, labels: npt.NDArray[np.intp]) -> Floats:
        return self.models_.scores(table, labels)
