"""RAkEL: label powerset classifiers of small random label sets."""

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Learner, Seed, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.common.column_models import fit_columns
from gramian.multilabel.common.label_members import LabelMembers
from gramian.multilabel.label_powerset import powerset

LabelNumbers = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


if TYPE_CHECKING:
    from gramian.multilabel.common.label_members import (
        LabelMembers as _Mixed,  # the class that the mixin extends
    )
else:
    _Mixed = object


@params
class RAkEL(_Mixed):
    """Base class: a label powerset classifier for each of several small label sets.

    Parameters
    ----------
    labelset_size
        Number of labels of a set, k; all labels if there are fewer.
    random_state
        Seed or generator for the random sets.

    Attributes
    ----------
    labelsets_ : list of arrays
        The column indices of each set.
    sets_ : list of bool arrays (classes, k)
        The labels of each class of each set.
    models_ : ColumnModels
        The multiclass classifiers.
    """

    _: KW_ONLY
    labelset_size: Count = 3
    random_state: Seed = None

    def _draw(self, n_labels: int, rng: np.random.Generator) -> list[LabelNumbers]:
        """Return the sets of labels."""
        raise NotImplementedError

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        self.labelsets_ = self._draw(Y.shape[1], stream(seed_of(self.random_state)))
        found = [powerset(Y[:, labels]) for labels in self.labelsets_]
        codes = np.column_stack([each.codes for each in found])
        self.sets_: list[LabelSets] = [each.sets for each in found]
        self.models_ = fit_columns(self.estimator, table, codes, weights)

    def _scores(self, table: Data) -> Floats:
        votes = np.zeros((table.shape[0], len(self.label_names_)))
        asked = np.zeros(len(self.label_names_))
        codes = self.models_.codes(table)
        for labels, sets, column in zip(self.labelsets_, self.sets_, codes.T, strict=True):
            votes[:, labels] += sets[column]
            asked[labels] += 1
        return votes / np.maximum(asked, 1)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        for sets, labels, k in zip(
            self.sets_, self.labelsets_, self.models_.n_classes, strict=True
        ):
            if np.shape(sets)[1:] != np.shape(labels) or len(sets) < k:
                raise DataError(
                    f"{type(self).__name__}: sets_ must have a row for each class of a set, and a "
                    "column for each of its labels."
                )

    def _gives_probabilities(self) -> bool:
        return False

    def _default_threshold(self) -> float:
        return 0.5


@params(first=("labelset_size", "n_estimators", "random_state"))
class RAkELo(RAkEL, LabelMembers):
    """RAkEL with overlapping label sets, whose classifiers vote.

    Each of m random sets of k labels has a label powerset classifier; a label is predicted by the
    majority of the classifiers whose set contains it (Tsoumakas, Katakis and Vlahavas 2011). Models
    dependence between labels without the many rare classes of a full label powerset.

    Parameters
    ----------
    n_estimators
        Number of sets, m, at most (L choose k); None means twice the number of labels.

    Examples
    --------
    >>> from gramian import DecisionTreeClassifier, RAkELo
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0], [1, 1, 0, 1]]
    >>> RAkELo(DecisionTreeClassifier(), random_state=0).fit(X, Y).predict([[3.0]])
    array([[1, 1, 0, 1]])
    """

    estimator: Learner
    _: KW_ONLY
    n_estimators: Count | None = None

    def _draw(self, n_labels: int, rng: np.random.Generator) -> list[LabelNumbers]:
        k = min(self.labelset_size, n_labels)
        possible = comb(n_labels, k)
        wanted = min(self.n_estimators or 2 * n_labels, possible)
        if 2 * wanted > possible:  # most of the sets are drawn
            every = list(combinations(range(n_labels), k))
            return [np.array(every[i], np.intp) for i in sorted(rng.permutation(possible)[:wanted])]
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < wanted:
            drawn[tuple(sorted(rng.choice(n_labels, k, replace=False).tolist()))] = None
        return [np.array(each, np.intp) for each in drawn]


@params(first=("labelset_size", "random_state"))
class RAkELd(RAkEL, LabelMembers):
    """RAkEL with disjoint label sets: labels are divided at random into sets of k.

    Each set has a label powerset classifier, and their predictions are combined; the last set may
    be smaller (Tsoumakas, Katakis and Vlahavas 2011).

    Examples
    --------
    >>> from gramian import DecisionTreeClassifier, RAkELd
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0], [1, 1, 0, 1]]
    >>> RAkELd(DecisionTreeClassifier(), random_state=0).fit(X, Y).predict([[3.0]])
    array([[1, 1, 0, 1]])
    """

    estimator: Learner

    def _draw(self, n_labels: int, rng: np.random.Generator) -> list[LabelNumbers]:
        k = min(self.labelset_size, n_labels)
        order = rng.permutation(n_labels)
        return [np.sort(order[at : at + k]).astype(np.intp) for at in range(0, n_labels, k)]
