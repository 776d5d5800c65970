"""Partitions of the inputs, each with a few candidate labels."""

import warnings
from numbers import Integral
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, Fraction, Interval, Seed, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import LabelSets
from gramian.base.inputs.weights import unit_weights
from gramian.base.kinds import Classifier
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.cluster import KMeans
from gramian.multilabel.common.label_classifier import LabelClassifier
from gramian.multilabel.homer import Children
from gramian.multilabel.label_assignment import Assignment, assign_labels

Rows = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
Weighting: TypeAlias = Literal["precision", "filter"] | None


class Partition(NamedTuple):
    """A tree of k-means models; a negative child c is the leaf -1 - c."""

    models: list[KMeans]
    children: list[Rows]

    def leaves(self, table: Data) -> Rows:
        """Return the leaf of each row."""
        at = np.zeros(table.shape[0], dtype=np.intp)
        for node, (model, below) in enumerate(zip(*self, strict=True)):
            rows = np.flatnonzero(at == node)
            if len(rows):
                at[rows] = below[model.predict(take(table, rows))]
        return -1 - at


@params
class LabelPartitioner(LabelClassifier, Classifier):
    r"""Divide the inputs into partitions and assign a few candidate labels to each.

    Rows belong to the nearest of k centres, which minimise

        sum_i w_i min_j |x_i - c_j|^2,

    where w_i is the precision at k of a scorer at row i: only rows that the scorer ranks correctly
    can be predicted. Each partition is assigned at most `max_labels` labels, those that best cover
    the labels of its rows (Weston, Makadia and Yee 2013).

    Parameters
    ----------
    n_partitions
        Number of partitions; fewer if there are fewer rows.
    weighting
        "precision": rows are weighted by the precision passed to `fit`; "filter": only rows with at
        least `min_precision` count; None weights all rows equally, as without a precision.
    min_precision
        Smallest precision for weighting="filter".
    n_children
        None means one k-means with `n_partitions` centres. A number means a hierarchy, in which the
        largest partition is divided into that many until there are `n_partitions`.
    n_nearest
        Number of nearest partitions whose labels are candidates of a row, without a hierarchy.
    n_repeats
        Number of repeats from different starts; the candidates of a row are those of all repeats.
    max_labels
        Maximum number of labels of a partition; None means all that its rows have.
    assignment
        How to choose labels under that limit. "count": the most frequent. "greedy": one by one, the
        label of most rows not yet covered. "lp": a linear program for maximum coverage, rounded.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    models_ : list of lists of KMeans
        The k-means models of each repeat.
    children_ : list of lists of arrays
        The child nodes of the centres of each model; a leaf j is -1 - j.
    candidates_ : list of bool arrays (partitions, L)
        The labels assigned to each partition.
    proportions_ : list of arrays (partitions, L)
        The proportions of rows that have the assigned labels; the scores average them.

    Examples
    --------
    >>> from gramian import LabelPartitioner
    >>> X, y = [[0.0], [1.0], [8.0], [9.0]], [{"a"}, {"a", "b"}, {"c"}, {"c"}]
    >>> model = LabelPartitioner(2, max_labels=1, random_state=0).fit(X, y)
    >>> model.candidates([[0.5], [8.5]])
    array([[ True, False, False],
           [False, False,  True]])
    """

    takes_sparse = True
    parametric = True
    model_family = "discriminative"

    n_partitions: Count = 8
    _: KW_ONLY
    weighting: Weighting = "precision"
    min_precision: Fraction = 1.0
    n_children: Children | None = None
    n_nearest: Count = 1
    n_repeats: Annotated[int, Interval(Integral, 1, 10_000)] = 1
    max_labels: Count | None = None
    assignment: Assignment = "count"
    random_state: Seed = None

    def fit(self, X: Table, y: npt.ArrayLike, precision: npt.ArrayLike | None = None) -> Self:
        """Find the partitions, and assign labels.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels, as for any multi-label classifier.
        precision
            Precision of a scorer at each row, from 0 to 1.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        Y = self._check_target(y, table.shape[0])
        self._fit_weighted(table, Y, self._check_precision(precision, len(Y)), None)
        self._fit_checked(table, Y, None)
        return self

    def _fit_with_precision(
        self, table: Data, Y: LabelSets, precision: Floats, weights: Weights | None
    ) -> Self:
        """Fit to checked rows, for `PartitionedRanker`."""
        check_fit(self, table)
        self.multilabel_, self._sparse_output = True, False
        self.label_names_ = np.arange(Y.shape[1])
        self._fit_weighted(table, Y, precision, weights)
        self._fit_checked(table, Y, weights)
        return self

    def _check_precision(self, precision: npt.ArrayLike | None, n: int) -> Floats:
        if precision is None:
            return np.ones(n)
        array = np.asarray(precision, dtype=float)
        if array.shape != (n,) or not ((array >= 0) & (array <= 1)).all():
            raise DataError(
                f"LabelPartitioner: precision must contain {n} values in [0, 1], one per row; got "
                f"shape {array.shape}."
            )
        return array

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        if not hasattr(self, "candidates_"):  # a copy fitted to choose thresholds
            self._fit_weighted(table, Y, np.ones(len(Y)), weights)

    def _fit_weighted(
        self, table: Data, Y: LabelSets, precision: Floats, sample_weight: Weights | None
    ) -> None:
        check_size(self, "X", table)
        if self.n_children is not None and self.n_nearest > 1:
            raise ParameterError(
                "LabelPartitioner: n_nearest must be 1 in a hierarchy; use n_repeats for more "
                f"labels per row; got n_nearest={self.n_nearest}."
            )
        known = unit_weights(sample_weight)
        counts = np.ones(len(Y)) if known is None else known
        weights = counts * self._row_weights(precision)
        seed = seed_of(self.random_state)
        counted = np.flatnonzero(weights > 0)
        self.models_, self.children_ = [], []
        self.candidates_: list[LabelSets] = []
        self.proportions_: list[Floats] = []
        for repeat in range(self.n_repeats):
            rng = stream(seed, repeat)
            partition = self._divide(take(table, counted), weights[counted], rng)
            leaf = partition.leaves(table)
            n_leaves = sum(int((below < 0).sum()) for below in partition.children)
            assigned = np.zeros((n_leaves, Y.shape[1]), dtype=bool)
            proportions = np.zeros((n_leaves, Y.shape[1]))
            for j in range(n_leaves):
                rows = np.flatnonzero(leaf == j)
                if len(rows):
                    limit = self.max_labels or Y.shape[1]
                    assigned[j] = assign_labels(Y[rows], weights[rows], limit, self.assignment)
                    proportions[j] = np.average(Y[rows], axis=0, weights=counts[rows]) * assigned[j]
            self.models_.append(partition.models)
            self.children_.append(partition.children)
            self.candidates_.append(assigned)
            self.proportions_.append(proportions)

    def _row_weights(self, precision: Floats) -> Floats:
        if self.weighting is None:
            return np.ones(len(precision))
        weights = precision
        if self.weighting == "filter":
            weights = (precision >= self.min_precision).astype(float)
        return weights if weights.any() else np.ones(len(precision))

    def _divide(self, table: Data, weights: Floats, rng: np.random.Generator) -> Partition:
        """Return the centres of the partitions."""
        n = table.shape[0]
        k = min(self.n_partitions, n)
        each = k if self.n_children is None else min(self.n_children, k)
        models, children = [_kmeans(table, weights, each, rng)], [-1 - np.arange(each)]
        members = dict(enumerate(_groups(models[0], np.arange(n))))
        while len(members) < k:
            leaf = max(members, key=lambda j: (len(members[j]), -j))
            rows = members.pop(leaf)
            if len(rows) < 2:
                break
            size = min(each, len(rows), k - len(members))
            model = _kmeans(take(table, rows), weights[rows], size, rng)
            for below in children:
                below[below == -1 - leaf] = len(models)
            numbers = np.array([leaf, *range(len(members) + 1, len(members) + size)])
            members.update(zip(numbers.tolist(), _groups(model, rows), strict=True))
            models.append(model)
            children.append(-1 - numbers)
        return Partition(models, children)

    def _gives_probabilities(self) -> bool:
        return False

    def _default_threshold(self) -> float:
        return 0.5

    # --- the labels of new rows -----------------------------------------------------------------

    def _partition_weights(self, table: Data) -> list[Floats]:
        """Return the weight of each partition for each row, for every repeat."""
        partition = []
        for models, children in zip(self.models_, self.children_, strict=True):
            n_leaves = sum(int((below < 0).sum()) for below in children)
            inside = np.zeros((table.shape[0], n_leaves))
            if self.n_nearest == 1:
                inside[np.arange(len(inside)), Partition(models, children).leaves(table)] = 1.0
            else:
                nearest = np.argsort(models[0].transform(table), axis=1, kind="stable")
                nearest = nearest[:, : self.n_nearest]
                np.put_along_axis(inside, nearest, 1.0 / nearest.shape[1], axis=1)
            partition.append(inside)
        return partition

    def _candidates(self, table: Data) -> LabelSets:
        found = zip(self._partition_weights(table), self.candidates_, strict=True)
        return np.asarray(sum(inside @ assigned for inside, assigned in found) > 0)

    def candidates(self, X: Table) -> LabelSets:
        """Return the candidate labels of each row, shape (n, L).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        return self._candidates(check_new(self, X))

    def _scores(self, table: Data) -> Floats:
        found = zip(self._partition_weights(table), self.proportions_, strict=True)
        return np.asarray(
            sum(inside @ proportions for inside, proportions in found) / self.n_repeats
        )

    def _check_loaded(self) -> None:
        super()._check_loaded()
        lists = (self.models_, self.children_, self.candidates_, self.proportions_)
        if len({len(each) for each in lists}) != 1:
            raise DataError("LabelPartitioner: the fitted lists must have the same length.")
        for models, children, assigned, proportions in zip(*lists, strict=True):
            _check_partition(models, children, len(assigned))
            if np.shape(assigned) != np.shape(proportions) or np.shape(assigned)[1:] != (
                len(self.label_names_),
            ):
                raise DataError("LabelPartitioner: a partition must have a value for each label.")


def _check_partition(models: list[Any], children: list[Any], n_leaves: int) -> None:
    """Raise unless children are later nodes or leaves, each once."""
    below = np.concatenate([np.empty(0, int), *map(np.asarray, children)])
    later = all((c[c >= 0] > node).all() for node, c in enumerate(map(np.asarray, children)))
    expected = [*range(-n_leaves, 0), *range(1, len(models))]
    sizes = [getattr(model, "n_clusters", -1) for model in models]
    if not later or sorted(below.tolist()) != expected or sizes != [len(c) for c in children]:
        raise DataError("LabelPartitioner: children_ must contain every later node and leaf once.")


def _kmeans(table: Data, weights: Floats, k: int, rng: np.random.Generator) -> KMeans:
    with warnings.catch_warnings():  # fewer distinct rows than centres
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KMeans(k, n_init=1, random_state=int(rng.integers(2**63)))
        model.fit(table, sample_weight=weights)
    return model


def _groups(model: KMeans, rows: Rows) -> list[Rows]:
    return [rows[model.labels_ == j] for j in range(model.n_clusters)]
