"""Naive Bayes for binary columns."""

from numbers import Real
from typing import Annotated, ClassVar

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.rows.class_scores import ClassScorer, JointScorer, linear_scorer
from gramian.base.types import Data, Floats, is_sparse
from gramian.naive_bayes.discrete_nb import DiscreteNB, log_ratio


@params(first=("alpha", "force_alpha", "binarize", "fit_prior", "class_prior"))
class BernoulliNB(DiscreteNB):
    """Naive Bayes for binary columns.

    With p_kj the probability of column j in class k,

        log P(C_k | x) = log P(C_k) + sum_j [x_j log p_kj + (1 - x_j) log(1 - p_kj)] + constant,
        p_kj = (N_kj + alpha) / (N_k + 2 alpha),

    so that, unlike for counts, absent features are evidence too. Reference: Manning, Raghavan and
    Schuetze 2008, 13.3.

    Parameters
    ----------
    binarize
        Values above this threshold are true; None: X holds 0 and 1.

    Attributes
    ----------
    feature_count_ : array (K, d)
        N_kj, the weight of the rows of class k where column j is true.
    feature_log_prob_ : array (K, d)
        log p_kj.

    Examples
    --------
    >>> from gramian import BernoulliNB
    >>> model = BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], ["a", "a", "b"])
    >>> model.predict([[1, 0], [0, 1]]).tolist()
    ['a', 'b']
    """

    takes_sparse: ClassVar[bool] = True

    _: KW_ONLY
    binarize: Annotated[float, Interval(Real)] | None = 0.0

    def _to_counts(self, table: Data) -> Data:
        if self.binarize is None:
            values = table.data if is_sparse(table) else table
            if not ((values == 0) | (values == 1)).all():
                raise DataError(
                    "BernoulliNB: with binarize=None X must contain 0 and 1 only; set binarize to "
                    "a threshold."
                )
            return table
        if is_sparse(table):
            if self.binarize < 0:
                raise DataError(
                    "BernoulliNB: binarize must be >= 0 for a sparse X, whose zeros would become "
                    f"true; got {self.binarize!r}. Make X dense."
                )
            true = (table.data > self.binarize).astype(table.dtype)
            return sp.csr_array((true, table.indices, table.indptr), shape=table.shape)
        return (table > self.binarize).astype(table.dtype)

    def _set_log_prob(self) -> None:
        alpha = self._alpha(self.feature_count_.shape[1])
        totals = self.class_count_[:, None] + 2 * alpha
        self.feature_log_prob_ = log_ratio(self.feature_count_ + alpha, totals)

    def _scorer(self, sparse: bool) -> ClassScorer:
        yes = self.feature_log_prob_
        with np.errstate(divide="ignore"):
            no = np.log(-np.expm1(np.minimum(yes, 0.0)))
        if np.isfinite(yes).all() and np.isfinite(no).all():
            return linear_scorer(self.class_log_prior_ + no.sum(axis=1), yes - no, sparse=sparse)
        return _UnsmoothedScorer(self.class_log_prior_, yes, no, sparse)


class _UnsmoothedScorer(JointScorer):
    """Scores without smoothing: probabilities of 0 or 1 rule out classes."""

    def __init__(self, offsets: Floats, yes: Floats, no: Floats, sparse: bool) -> None:
        never, always = np.isneginf(yes), np.isneginf(no)
        certain = never | always
        finite_yes, finite_no = np.where(certain, 0.0, yes), np.where(certain, 0.0, no)
        self.finite = linear_scorer(
            offsets + finite_no.sum(axis=1), finite_yes - finite_no, sparse=sparse
        )
        # Number of columns that contradict a class: true but never true there, or false but always
        # true.
        against = never.astype(float) - always
        self.against = linear_scorer(always.sum(axis=1).astype(float), against, sparse=sparse)

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K); minus infinity if a class is impossible."""
        scores = self.finite.joint(table)
        scores[self.against.joint(table) > 0.5] = -np.inf
        return scores
