"""Early stopping: every split must lower the validation error."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.types import Matrix
from gramian.tree.structure.tree import Tree

Mask: TypeAlias = npt.NDArray[np.bool_]
# The loss of predicting node values (m, outputs, classes) for rows: (rows, values) -> (m,).
Loss: TypeAlias = Callable[[npt.NDArray[np.intp], npt.NDArray[np.float64]], npt.NDArray[Any]]


def splits_without_gain(tree: Tree, X: Matrix, loss: Loss) -> Mask:
    """Mark the nodes whose split does not lower the validation loss.

    The split of a node does not depend on the validation rows, so cutting at these nodes gives the
    same tree as testing each split on the validation rows during growth.
    """
    paths = tree.decision_path(X).tocoo()
    rows, nodes = paths.coords
    node_loss = np.bincount(nodes, weights=loss(rows, tree.value[nodes]), minlength=tree.node_count)
    children_loss = np.zeros(tree.node_count)
    np.add.at(children_loss, tree.parent[1:], node_loss[1:])
    return (tree.n_children > 0) & (children_loss >= node_loss)
