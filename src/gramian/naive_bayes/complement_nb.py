"""Complement naive Bayes."""

from typing import ClassVar

import numpy as np

from gramian.base.fields import KW_ONLY, params
from gramian.base.kinds import Tags
from gramian.base.rows.class_scores import ClassScorer, linear_scorer
from gramian.base.types import Data, Floats
from gramian.naive_bayes.discrete_nb import DiscreteNB, check_counts, log_ratio


@params(first=("alpha", "force_alpha", "fit_prior", "class_prior", "norm"))
class ComplementNB(DiscreteNB):
    """Complement naive Bayes, for unbalanced counts.

    The weights of a class are estimated from the rows of all other classes, which are many even if
    its own are few:

        predict argmax_k sum_j x_j w_kj,   w_kj = -log((N_j - N_kj + alpha) / sum of these over j),

    N_kj the sum of column j over the rows of class k, N_j over all rows. Priors have no effect.
    Reference: Rennie, Shih, Teevan and Karger, ICML 2003.

    Parameters
    ----------
    norm
        Whether to divide the weights of a class by their sum.

    Attributes
    ----------
    feature_all_ : array (d,)
        The sums N_j.
    feature_count_ : array (K, d)
        The sums N_kj.
    feature_log_prob_ : array (K, d)
        The weights w_kj.

    Examples
    --------
    >>> from gramian import ComplementNB
    >>> model = ComplementNB().fit([[2, 1, 0], [0, 1, 3], [0, 2, 1]], ["sports", "law", "law"])
    >>> model.predict([[1, 1, 0], [0, 0, 2]]).tolist()
    ['sports', 'law']
    """

    takes_sparse: ClassVar[bool] = True
    tags: ClassVar[Tags] = {"input_tags.positive_only": True}

    _: KW_ONLY
    norm: bool = False

    def _to_counts(self, table: Data) -> Data:
        return check_counts("ComplementNB", table)

    def _set_log_prob(self) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)
        rest = np.maximum(self.feature_all_ - self.feature_count_, 0.0)
        counts = rest + self._alpha(len(self.feature_all_))
        logs = log_ratio(counts, counts.sum(axis=1, keepdims=True))
        if self.norm:
            total: Floats = logs.sum(axis=1, keepdims=True)
            finite = np.isfinite(total) & (total != 0)
            self.feature_log_prob_ = np.divide(logs, total, out=np.zeros_like(logs), where=finite)
        else:
            self.feature_log_prob_ = -logs

    def _scorer(self, sparse: bool) -> ClassScorer:
        # A word never seen outside a class is strong evidence for it, not proof.
        weights = np.minimum(self.feature_log_prob_, np.finfo(np.float64).max / 1e16)
        one = len(self.classes_) == 1
        offsets = self.class_log_prior_ if one else np.zeros(len(self.classes_))
        return linear_scorer(offsets, weights, sparse=sparse)
