"""Multinomial naive Bayes, for counts such as words."""

from typing import ClassVar

from gramian.base.fields import params
from gramian.base.kinds import Tags
from gramian.base.rows.class_scores import ClassScorer, linear_scorer
from gramian.base.types import Data
from gramian.naive_bayes.discrete_nb import DiscreteNB, check_counts, log_ratio


@params
class MultinomialNB(DiscreteNB):
    """Naive Bayes for counts of events, such as the words of a document.

    Each class has a distribution of events over the columns,

        log P(C_k | x) = log P(C_k) + sum_j x_j log p_kj + constant,
        p_kj = (N_kj + alpha) / sum_l (N_kl + alpha),

    N_kj the sum of column j over the rows of class k. Fractional counts, such as tf-idf, work too.
    Fitting takes one pass over the stored entries; CSR stays sparse. Reference: Manning, Raghavan
    and Schuetze 2008, 13.2.

    Attributes
    ----------
    feature_count_ : array (K, d)
        The sums N_kj.
    feature_log_prob_ : array (K, d)
        log p_kj.

    Examples
    --------
    >>> from gramian import MultinomialNB
    >>> model = MultinomialNB().fit([[2, 1, 0], [0, 1, 3]], ["sports", "law"])
    >>> model.predict([[1, 1, 0], [0, 0, 2]]).tolist()
    ['sports', 'law']
    """

    takes_sparse: ClassVar[bool] = True
    tags: ClassVar[Tags] = {"input_tags.positive_only": True}

    def _to_counts(self, table: Data) -> Data:
        return check_counts(type(self).__name__, table)

    def _set_log_prob(self) -> None:
        counts = self.feature_count_ + self._alpha(self.feature_count_.shape[1])
        self.feature_log_prob_ = log_ratio(counts, counts.sum(axis=1, keepdims=True))

    def _scorer(self, sparse: bool) -> ClassScorer:
        return linear_scorer(self.class_log_prior_, self.feature_log_prob_, sparse=sparse)
