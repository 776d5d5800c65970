"""HOMER: a hierarchy of multi-label classifiers, each with few labels."""

from numbers import Integral
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Interval, Learner, Seed, params
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import LabelSets
from gramian.base.models import Model
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.multilabel.common.label_members import LabelMembers
from gramian.multilabel.label_hierarchy import Distribution, LabelHierarchy, divide_labels
from gramian.multilabel.member_margins import fit_member, margins_of

Children = Annotated[int, Interval(Integral, 2)]


@params(first=("n_children", "distribution", "random_state"))
class HOMER(LabelMembers):
    """Hierarchy of multi-label classifiers, for many labels.

    The labels of a node are divided among at most k children; the meta-label of a child is 1 if any
    of its labels is. The classifier of a node is fitted to the meta-labels of its children, on the
    rows with a label of the node (at the root, on all rows), and children with more than one label
    are divided recursively. A row is passed to the children whose meta-label is predicted, and gets
    the labels of the leaves that it reaches (Tsoumakas, Katakis and Vlahavas 2008). Each classifier
    has k labels and, below the root, few rows; a row visits few nodes.

    Parameters
    ----------
    estimator
        A multi-label classifier, cloned for each node, for example
        ``BinaryRelevance(LogisticRegression())``.
    n_children
        Maximum number of children of a node, k.
    distribution
        How to divide labels: "balanced" k-means over the columns of y, which groups similar labels
        in groups of equal size; "kmeans"; or "random", in groups of equal size.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    hierarchy_ : LabelHierarchy
        The tree of labels, with its `depth` and `n_nodes`.
    estimators_ : list
        The classifiers of the inner nodes, in the order of ``hierarchy_.inner``.

    Notes
    -----
    The score of a label is the smallest margin on the path to it; it is positive if the row reaches
    it.

    Examples
    --------
    >>> from gramian import HOMER, BinaryRelevance, DecisionTreeClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> y = [{"a", "b"}, {"a", "b"}, {"c"}, {"c", "d"}]
    >>> model = HOMER(BinaryRelevance(DecisionTreeClassifier()), n_children=2, random_state=0)
    >>> sorted(model.fit(X, y).predict_sets([[3.0]])[0]), model.hierarchy_.depth
    (['c', 'd'], 2)
    """

    estimator: Learner
    _: KW_ONLY
    n_children: Children = 3
    distribution: Distribution = "balanced"
    random_state: Seed = None

    def _gives_probabilities(self) -> bool:
        return False

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        seed = seed_of(self.random_state)
        parents, labels = [-1], [np.arange(Y.shape[1])]
        self.estimators_: list[Any] = []
        node = 0
        while node < len(labels):
            own = labels[node]
            if len(own) > 1:
                has = Y[:, own]
                rows = np.arange(len(Y)) if node == 0 else np.flatnonzero(has.any(axis=1))
                counts = None if weights is None else weights[rows]
                groups = divide_labels(
                    has[rows], self.n_children, self.distribution, stream(seed, node), counts
                )
                meta = np.column_stack([has[rows][:, group].any(axis=1) for group in groups])
                self.estimators_.append(self._fit_node(take(table, rows), meta, counts))
                parents += [node] * len(groups)
                labels += [own[group] for group in groups]
            node += 1
        if len(labels) == 1:  # a single label
            self.estimators_.append(self._fit_node(table, Y, weights))
        self.hierarchy_ = LabelHierarchy(np.array(parents), labels)

    def _fit_node(self, table: Data, meta: LabelSets, weights: Weights | None) -> Model | None:
        """Return a classifier of meta-labels, or None if there are no rows."""
        return fit_member(self.estimator, table, meta, weights) if len(meta) else None

    def _scores(self, table: Data) -> Floats:
        return self._path_margins(table, forward=False)

    def _path_margins(self, table: Data, *, forward: bool) -> Floats:
        """Return the smallest margins on the paths; `forward` stops rows at rejected nodes."""
        tree = self.hierarchy_
        n = table.shape[0]
        if tree.n_nodes == 1:
            return margins_of(self.estimators_[0], table)
        margins = np.full((n, tree.n_nodes), -1.0)
        margins[:, 0] = np.inf
        for node, model in zip(tree.inner, self.estimators_, strict=True):
            rows = np.flatnonzero(margins[:, node] > 0) if forward else np.arange(n)
            if model is None or not len(rows):
                continue
            below = margins_of(model, take(table, rows) if forward else table)
            here = np.minimum(margins[rows, node][:, None], below)
            margins[rows[:, None], tree.children(node)] = here
        leaves = np.setdiff1d(np.arange(tree.n_nodes), tree.inner)
        scores = np.empty((n, len(tree.labels[0])))
        scores[:, [tree.labels[leaf][0] for leaf in leaves]] = margins[:, leaves]
        return scores

    def predict(self, X: Table) -> Any:
        """Return the labels of the leaves that each row reaches, as 0s and 1s.

        The result is CSR if y was sparse. If each training row has one label, return the label with
        the largest score.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        check_is_fitted(self)
        if not self.multilabel_ or self.threshold is not None:
            return super().predict(X)
        return self._predicted_labels(self._path_margins(check_new(self, X), forward=True))

    def visited_nodes(self, X: Table) -> npt.NDArray[np.int64]:
        """Return the number of classifiers that each row visits.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        table = check_new(self, X)
        tree = self.hierarchy_
        reached = np.zeros((table.shape[0], tree.n_nodes), dtype=bool)
        reached[:, 0] = True
        for node, model in zip(tree.inner, self.estimators_, strict=False):
            rows = np.flatnonzero(reached[:, node])
            if model is not None and len(rows):
                on = margins_of(model, take(table, rows)) > 0
                reached[rows[:, None], tree.children(node)] = on
        return np.asarray(reached[:, tree.inner].sum(axis=1), dtype=np.int64)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if not isinstance(self.hierarchy_, LabelHierarchy):
            raise DataError("HOMER: hierarchy_ must be a LabelHierarchy.")
        wanted = max(1, len(self.hierarchy_.inner))
        if len(self.estimators_) != wanted or len(self.hierarchy_.labels[0]) != len(
            self.label_names_
        ):
            raise DataError("HOMER: hierarchy_, estimators_ and label_names_ do not match.")
