"""Naive Bayes for categorical columns, encoded as integers."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, params
from gramian.base.inputs.targets import Codes
from gramian.base.kinds import Tags
from gramian.base.rows.class_scores import ClassScorer, JointScorer
from gramian.base.types import Data, Floats, Weights, is_sparse
from gramian.naive_bayes.discrete_nb import DiscreteNB, check_counts, log_ratio

_BLOCK_ROWS = 1 << 14  # rows whose scores are summed together


@params(first=("alpha", "force_alpha", "fit_prior", "class_prior", "min_categories"))
class CategoricalNB(DiscreteNB):
    """Naive Bayes for categorical columns, encoded as 0, 1, 2, ...

    With n_j categories in column j,

        log P(C_k | x) = log P(C_k) + sum_j log p_kj(x_j) + constant,
        p_kj(v) = (N_kj(v) + alpha) / (N_k + n_j alpha),

    N_kj(v) the weight of the rows of class k whose column j is v. Fractional values are truncated
    with a warning, as in scikit-learn. `MixedNB` supports unencoded categories and missing values.
    Reference: Mitchell 1997, 6.9.1.

    Parameters
    ----------
    alpha
        Pseudo-count of every category; 0 is maximum likelihood.
    min_categories
        Minimum number of categories of every column, or one number per column; None means as many
        as in X. Prediction raises an error for other categories.

    Attributes
    ----------
    category_count_ : list of d arrays (K, n_j)
        The weights N_kj(v).
    feature_log_prob_ : list of d arrays (K, n_j)
        log p_kj(v).
    n_categories_ : array (d,)
        Number of categories n_j of each column.

    Examples
    --------
    >>> from gramian import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 1], [0, 0], [1, 1], [2, 1]], ["a", "a", "b", "b"])
    >>> model.predict([[0, 0], [2, 1]]).tolist()
    ['a', 'b']
    """

    takes_sparse: ClassVar[bool] = True

    _: KW_ONLY
    alpha: NonNegative = 1.0
    min_categories: Count | Array | None = None

    _counts: ClassVar[tuple[str, ...]] = ("category_count_",)
    tags: ClassVar[Tags] = {"input_tags.categorical": True, "input_tags.positive_only": True}

    def _to_counts(self, table: Data) -> Data:
        check_counts("CategoricalNB", table)
        values = table.data if is_sparse(table) else table
        if values.size and not values.max() < 2**31:
            raise DataError(
                f"CategoricalNB: X must contain category codes below 2^31; got {values.max():g}. "
                "Encode categories by sklearn.preprocessing.OrdinalEncoder, or use MixedNB."
            )
        whole = values == np.trunc(values)
        if not whole.all():
            warnings.warn(
                "CategoricalNB: X should contain category codes, 0, 1, 2, ...; got "
                f"{values[~whole][0]:g}, which is truncated. Use MixedNB or GaussianNB for numeric "
                "columns, or sklearn.preprocessing.KBinsDiscretizer to bin them.",
                stacklevel=caller_level(),
            )
        return table

    def _start(self, n_classes: int, table: Data) -> None:
        self.class_count_ = np.zeros(n_classes)
        none: Floats = np.zeros((n_classes, 0))
        self.category_count_ = [none] * table.shape[1]

    def _add(self, table: Data, codes: Codes, weights: Weights | None) -> None:
        K, d = len(self.class_count_), table.shape[1]
        least = self._min_category_counts(d)
        counts: list[Floats] = []
        for j, (before, wanted) in enumerate(zip(self.category_count_, least, strict=True)):
            column = _column(table, j)
            n = max(before.shape[1], int(wanted), int(column.max()) + 1)
            with _memory_for(n):
                found = np.bincount(codes * n + column, weights, K * n).astype(np.float64)
                previous = np.pad(before, ((0, 0), (0, n - before.shape[1])))
                counts.append(found.reshape(K, n) + previous)
        self.category_count_ = counts
        self.class_count_ = self.class_count_ + np.bincount(codes, weights, K)

    def _min_category_counts(self, d: int) -> Any:
        minimum = np.asarray(1 if self.min_categories is None else self.min_categories)
        if minimum.dtype.kind not in "iu":
            raise ParameterError(
                "CategoricalNB: 'min_categories' should have integral type; got "
                f"{self.min_categories!r}."
            )
        if minimum.shape not in ((), (d,)):
            raise ParameterError(
                f"CategoricalNB: 'min_categories' should have shape ({d},), one number per column; "
                f"got shape {minimum.shape}."
            )
        return np.broadcast_to(minimum, (d,))

    def _set_log_prob(self) -> None:
        alpha = float(self._alpha(len(self.category_count_)))
        self.n_categories_ = np.array([counts.shape[1] for counts in self.category_count_])
        with _memory_for(int(self.n_categories_.max())):
            smooth = [counts + alpha for counts in self.category_count_]
            self.feature_log_prob_ = [log_ratio(s, s.sum(axis=1, keepdims=True)) for s in smooth]

    def _scorer(self, sparse: bool) -> ClassScorer:
        return _TableScorer(self.class_log_prior_, self.feature_log_prob_)

    def _check_loaded(self) -> None:
        K, tables = len(self.classes_), self.feature_log_prob_
        if len(tables) != self.n_features_in_ or any(t.shape[:1] != (K,) for t in tables):
            raise DataError("CategoricalNB: feature_log_prob_ must have an array for each column.")


@contextmanager
def _memory_for(categories: int) -> Iterator[None]:
    """Turn MemoryError into an error that explains why there are so many categories."""
    try:
        yield
    except MemoryError:
        raise DataError(
            f"CategoricalNB: the counts of {categories} categories do not fit in memory. Every "
            "number from 0 to the largest one of a column is a category; number the categories by "
            "sklearn.preprocessing.OrdinalEncoder, or use MixedNB."
        ) from None


def _column(table: Data, j: int) -> Codes:
    column = table[:, [j]].toarray()[:, 0] if is_sparse(table) else table[:, j]
    return np.asarray(column, dtype=np.intp)


class _TableScorer(JointScorer):
    def __init__(self, log_prior: Floats, tables: list[Floats]) -> None:
        self.log_prior = log_prior
        self.tables = [np.ascontiguousarray(t.T) for t in tables]  # (n_j, K)

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        scores = np.empty((table.shape[0], len(self.log_prior)))
        for first in range(0, len(scores), _BLOCK_ROWS):
            part = slice(first, first + _BLOCK_ROWS)
            rows = table[part].toarray() if is_sparse(table) else table[part]
            scores[part] = self.log_prior
            for j, log_probabilities in enumerate(self.tables):
                values = rows[:, j].astype(np.intp)
                if (values >= len(log_probabilities)).any():
                    raise DataError(
                        f"CategoricalNB: column {j} of X contains category {int(values.max())}, "
                        f"but fit saw only 0 to {len(log_probabilities) - 1}. Raise "
                        "min_categories to give unseen categories a probability."
                    )
                scores[part] += log_probabilities[values]
        return scores
