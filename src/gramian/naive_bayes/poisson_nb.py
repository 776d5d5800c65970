"""Poisson naive Bayes, for independent counts."""

from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from gramian.base.fields import params
from gramian.base.kinds import Tags
from gramian.base.rows.class_scores import ClassScorer, JointScorer, linear_scorer
from gramian.base.types import Data, Floats, is_sparse
from gramian.naive_bayes.discrete_nb import DiscreteNB, check_counts, log_ratio


@params
class PoissonNB(DiscreteNB):
    """Naive Bayes with a Poisson distribution for each column of each class.

    With rate r_kj of column j in class k,

        log P(C_k | x) = log P(C_k) + sum_j [x_j log r_kj - r_kj - log x_j!] + constant,
        r_kj = (N_kj + alpha) / (N_k + alpha),

    N_kj the sum of column j over the rows of class k and N_k their weight: the mean under a Gamma
    prior with `alpha` events in `alpha` rows. Unlike in `MultinomialNB`, the total of a row is
    evidence too. Fractional values, such as counts per unit of exposure, are allowed.

    Attributes
    ----------
    feature_count_ : array (K, d)
        The sums N_kj.
    feature_log_rate_ : array (K, d)
        log r_kj.

    Examples
    --------
    >>> from gramian import PoissonNB
    >>> model = PoissonNB().fit([[0], [1], [7], [9]], ["rare", "rare", "often", "often"])
    >>> model.predict([[2], [5]]).tolist()
    ['rare', 'often']
    """

    takes_sparse: ClassVar[bool] = True
    tags: ClassVar[Tags] = {"input_tags.positive_only": True}

    def _to_counts(self, table: Data) -> Data:
        return check_counts("PoissonNB", table)

    def _set_log_prob(self) -> None:
        alpha = self._alpha(self.feature_count_.shape[1])
        totals = self.class_count_[:, None] + alpha
        self.feature_log_rate_ = log_ratio(self.feature_count_ + alpha, totals)

    def _scorer(self, sparse: bool) -> ClassScorer:
        return _PoissonScorer(self.class_log_prior_, self.feature_log_rate_, sparse)


class _PoissonScorer(JointScorer):
    """Linear scores, and the factorials, which are equal for all classes."""

    def __init__(self, log_prior: Floats, log_rate: Floats, sparse: bool) -> None:
        offsets = log_prior - np.exp(log_rate).sum(axis=1)
        self.linear = linear_scorer(offsets, log_rate, sparse=sparse)
        self.codes = self.linear.codes  # type: ignore[method-assign]
        self.posterior = self.linear.posterior  # type: ignore[method-assign]

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        factorials = gammaln((table.data if is_sparse(table) else table).astype(np.float64) + 1)
        if is_sparse(table):
            owner = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
            shared = np.asarray(np.bincount(owner, factorials, table.shape[0]), dtype=np.float64)
        else:
            shared = factorials.sum(axis=1)
        return self.linear.joint(table) - shared[:, None]
