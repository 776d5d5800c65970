"""Layout of a tree: leaves side by side, parents centred above their children."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError


def tree_layout(parent: ArrayLike) -> NDArray[np.float64]:
    """Return the position of each node: leaves at x = 0, 1, 2, ..., the depth as y.

    Parameters
    ----------
    parent : int array of shape (n_nodes,)
        The parent of each node, -1 for the root; parents come before their children.

    Returns
    -------
    places : array of shape (n_nodes, 2)
        x from left to right, y downwards.

    Examples
    --------
    >>> tree_layout([-1, 0, 0, 2, 2])
    array([[0.75, 0.  ],
           [0.  , 1.  ],
           [1.5 , 1.  ],
           [1.  , 2.  ],
           [2.  , 2.  ]])
    """
    above = np.asarray(parent, dtype=np.intp)
    n = len(above)
    if n == 0 or above[0] != -1 or (above[1:] >= np.arange(1, n)).any() or (above[1:] < 0).any():
        raise DataError(
            "tree_layout: parent must contain -1 for the root, which is first, and a lower number "
            f"for every other node; got {above[:10].tolist()}."
        )
    children: list[list[int]] = [[] for _ in range(n)]
    depth = np.zeros(n)
    for node in range(1, n):
        children[above[node]].append(node)
        depth[node] = depth[above[node]] + 1
    across = np.zeros(n)
    next_leaf = 0
    stack = [0]
    while stack:  # leaves from left to right
        node = stack.pop()
        if not children[node]:
            across[node] = next_leaf
            next_leaf += 1
        stack += reversed(children[node])
    for node in range(n - 1, -1, -1):
        if children[node]:
            across[node] = (across[children[node][0]] + across[children[node][-1]]) / 2
    return np.column_stack([across, depth])
