"""The regions of a tree over two features, as polygons."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.base.types import Floats
from gramian.plot.geometry.voronoi import Box, cut
from gramian.tree.structure.tree import NUMERIC, Tree


def leaf_cells(estimator: Estimator, box: Box) -> dict[int, Floats]:
    """Return the polygon of each leaf within a rectangle.

    Every split divides the cell of its node by a line: parallel to an axis, or w . x = t for an
    oblique tree.

    Parameters
    ----------
    estimator
        A tree fitted on two numeric features.
    box
        Left, right, bottom and top.

    Returns
    -------
    cells : dict
        Maps each leaf's index to its corners, shape (m, 2); m is 0 for a leaf outside the box.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, leaf_cells
    >>> X = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]
    >>> model = C45Classifier().fit(X, [0, 0, 1, 1])
    >>> {leaf: float(cell[:, 0].max()) for leaf, cell in leaf_cells(model, (0, 3, 0, 1)).items()}
    {1: 1.0, 2: 3.0}
    """
    check_is_fitted(estimator, "tree_")
    tree: Tree = estimator.tree_
    inner = tree.n_children > 0
    if estimator.n_features_in_ != 2 or (tree.kind[inner] != NUMERIC).any():
        raise DataError(
            "leaf_cells: the tree must be fitted on two numeric features; it has "
            f"{estimator.n_features_in_} features."
        )
    directions = getattr(estimator, "directions_", np.eye(2))
    if directions.shape[1] != 2:
        raise DataError(
            "leaf_cells: quadratic splits and encoded categories do not have polygonal cells; "
            "use plot_decision_regions instead."
        )
    left, right, bottom, top = box
    whole = np.array([(left, bottom), (right, bottom), (right, top), (left, top)], dtype=float)
    cells = {0: whole}
    for node in np.flatnonzero(inner).tolist():
        cell = cells.pop(node)
        w, t = directions[tree.feature[node]], float(tree.threshold[node])
        first = int(tree.first_child[node])
        cells[first], cells[first + 1] = cut(cell, w, t), cut(cell, -w, -t)
    return dict(sorted(cells.items()))
