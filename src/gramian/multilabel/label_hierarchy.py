"""The label tree of HOMER, and methods to divide the labels of a node."""

import warnings
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.base.inputs.targets import LabelSets
from gramian.base.types import Weights
from gramian.cluster import BalancedKMeans, KMeans

LabelNumbers = npt.NDArray[np.intp]
Distribution: TypeAlias = Literal["balanced", "kmeans", "random"]


@dataclass(frozen=True, eq=False)
class LabelHierarchy:
    """A tree whose leaves are single labels; inner nodes contain the labels below them.

    Attributes
    ----------
    parents : array (nodes,)
        The parent of each node; -1 for the root, which is node 0. Parents come before children.
    labels : list of arrays
        The column indices of the labels of each node.

    Examples
    --------
    >>> tree = LabelHierarchy(np.array([-1, 0, 0]), [np.arange(2), np.array([0]), np.array([1])])
    >>> tree.n_nodes, tree.depth, tree.children(0).tolist(), tree.inner.tolist()
    (3, 1, [1, 2], [0])
    """

    record_name: ClassVar[str] = "label_hierarchy"

    parents: LabelNumbers
    labels: list[LabelNumbers]

    def __post_init__(self) -> None:
        parents = np.asarray(self.parents)
        nodes = np.arange(len(parents))
        rooted = len(parents) > 0 and parents[0] == -1
        rooted = rooted and bool(((parents[1:] >= 0) & (parents[1:] < nodes[1:])).all())
        if not rooted or len(self.labels) != len(parents):
            raise DataError("LabelHierarchy: parents must come before their children.")
        for node, labels in enumerate(self.labels):
            below = np.sort(np.concatenate([np.empty(0, int), *self._child_labels(node)]))
            if len(below) and not np.array_equal(below, np.sort(labels)):
                raise DataError("LabelHierarchy: children must have each label of their node once.")
            if not len(below) and len(labels) != 1:
                raise DataError("LabelHierarchy: a leaf must have one label.")

    def _child_labels(self, node: int) -> list[LabelNumbers]:
        return [np.asarray(self.labels[child]) for child in self.children(node)]

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.parents)

    @property
    def depth(self) -> int:
        """Number of edges from the root to the farthest leaf."""
        depths = np.zeros(len(self.parents), dtype=int)
        for node, parent in enumerate(self.parents[1:], 1):
            depths[node] = depths[parent] + 1
        return int(depths.max())

    @property
    def inner(self) -> LabelNumbers:
        """The nodes with children."""
        return np.unique(self.parents[1:])

    def children(self, node: int) -> LabelNumbers:
        """Return the children of a node."""
        return np.flatnonzero(np.asarray(self.parents) == node)


def divide_labels(
    Y: LabelSets,
    k: int,
    distribution: Distribution,
    rng: np.random.Generator,
    weights: Weights | None = None,
) -> list[LabelNumbers]:
    """Divide the columns of Y into at most k non-empty groups.

    "balanced" and "kmeans" cluster the columns, with and without a limit on the group sizes;
    "random" forms random groups of equal size.
    """
    n_labels = Y.shape[1]
    if n_labels <= k:
        return [np.array([label]) for label in range(n_labels)]
    if distribution == "random" or not len(Y):
        return [np.sort(part) for part in np.array_split(rng.permutation(n_labels), k)]
    columns = np.ascontiguousarray(Y.T, dtype=np.float32)
    if weights is not None:  # a row of weight k counts k times in the distances
        columns *= np.sqrt(weights / weights.max()).astype(np.float32)
    seed = int(rng.integers(2**63))
    model = (
        BalancedKMeans(k, random_state=seed)
        if distribution == "balanced"
        else KMeans(k, n_init=1, random_state=seed)
    )
    with warnings.catch_warnings():  # columns may be alike
        warnings.simplefilter("ignore", ConvergenceWarning)
        groups = model.fit(columns).labels_
    found = [np.flatnonzero(groups == g) for g in range(k)]
    found = [group for group in found if len(group)]
    if len(found) == 1:  # all columns are alike
        return [np.sort(part) for part in np.array_split(rng.permutation(n_labels), k)]
    return found
