"""Label powerset: every set of labels is a class."""

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Learner, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.common.column_models import fit_columns
from gramian.multilabel.common.label_members import LabelMembers

Rows = npt.NDArray[np.intp]


class Powerset(NamedTuple):
    """Rows as classes: each class is a set of labels."""

    codes: Rows  # the class of each row
    sets: LabelSets  # (classes, labels)


def powerset(Y: LabelSets) -> Powerset:
    """Return the class of each row, and the set of labels of each class.

    Examples
    --------
    >>> codes, sets = powerset(np.array([[1, 0], [0, 1], [1, 0]], bool))
    >>> codes.tolist(), sets.astype(int).tolist()
    ([1, 0, 1], [[0, 1], [1, 0]])
    """
    sets, codes = np.unique(Y, axis=0, return_inverse=True)
    return Powerset(codes.reshape(-1).astype(np.intp), sets)


@params(first=("min_count", "pruned", "n_subsets"))
class LabelPowerset(LabelMembers):
    """Multi-label classification in which each label set of the training data is a class.

    Predicts the most probable set, which models dependence between labels, but only predicts sets
    seen in training. Rare sets give classes with few rows; pruning removes sets of fewer than
    `min_count` rows (Read, Pfahringer and Holmes 2008).

    Parameters
    ----------
    min_count
        Minimum number of rows of a set; 1 disables pruning.
    pruned
        How to treat rows of pruned sets: "subsets" replaces each by copies with its largest
        frequent subsets, at most `n_subsets` of them, ties going to the most frequent; "drop"
        removes the rows.
    n_subsets
        Maximum number of subsets for pruned="subsets".

    Attributes
    ----------
    models_ : ColumnModels
        The multiclass classifier.
    sets_ : bool array (classes, L)
        The labels of each class.

    Notes
    -----
    `decision_function` puts the labels of the predicted set before all others, and orders both by
    their marginal probability, the sum over the sets that have the label.

    Examples
    --------
    >>> from gramian import DecisionTreeClassifier, LabelPowerset
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [{"a"}, {"a"}, {"a", "b"}, {"b"}]
    >>> model = LabelPowerset(DecisionTreeClassifier()).fit(X, y)
    >>> model.predict_sets([[2.0], [3.0]]) == [{'a', 'b'}, {'b'}]
    True
    """

    estimator: Learner
    _: KW_ONLY
    min_count: Count = 1
    pruned: Literal["subsets", "drop"] = "subsets"
    n_subsets: Count = 2

    def _gives_probabilities(self) -> bool:
        return False

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        found = powerset(Y)
        rows = np.arange(len(Y))
        if self.min_count > 1:
            rows, found = self._prune(found, weights)
            table = take(table, rows)
            weights = None if weights is None else weights[rows]
        self.sets_ = found.sets
        self.models_ = fit_columns(self.estimator, table, found.codes[:, None], weights)

    def _prune(self, found: Powerset, weights: Weights | None = None) -> tuple[Rows, Powerset]:
        """Return the remaining rows, some repeated, and their classes."""
        counts = np.bincount(found.codes, weights)
        frequent = np.flatnonzero(counts >= self.min_count)
        if not len(frequent):
            raise DataError(
                f"LabelPowerset: of n_samples={len(found.codes)} rows no label set has min_count="
                f"{self.min_count}; the most frequent has {counts.max():g}. Lower min_count."
            )
        sets = found.sets[frequent]
        classes: dict[int, Rows] = {int(old): np.array([new]) for new, old in enumerate(frequent)}
        order = np.lexsort((-counts[frequent], -sets.sum(axis=1)))  # largest, most frequent first
        for old in np.flatnonzero(counts < self.min_count):
            inside = ~(sets[order] & ~found.sets[old]).any(axis=1) & sets[order].any(axis=1)
            chosen = order[inside][: self.n_subsets]
            classes[int(old)] = chosen if self.pruned == "subsets" else chosen[:0]
        row_classes = [classes[int(code)] for code in found.codes]
        rows = np.repeat(np.arange(len(row_classes)), [len(each) for each in row_classes])
        return rows, Powerset(np.concatenate(row_classes).astype(np.intp), sets)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if np.ndim(self.sets_) != 2 or len(self.sets_) < np.max(self.models_.n_classes, initial=1):
            raise DataError("LabelPowerset: sets_ must have a row for each class.")

    def _scores(self, table: Data) -> Floats:
        if hasattr(self.estimator, "predict_proba"):
            (p,) = self.models_.probabilities(table)
            p = p[:, : len(self.sets_)]
            vote = self.sets_[p.argmax(axis=1)].astype(float)
            return np.asarray((p @ self.sets_.astype(float) + vote) / 2 - 0.5)
        codes = self.models_.codes(table)[:, 0]
        return np.asarray(self.sets_[codes].astype(float) - 0.5)
