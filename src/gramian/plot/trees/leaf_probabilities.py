"""The class probabilities in the leaves of a tree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new, colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_leaf_probabilities(
    probabilities: ArrayLike,
    weights: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    leaves: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the class probabilities of leaves as bars; the width of a bar is the leaf's weight.

    Parameters
    ----------
    probabilities
        Class probabilities, shape (n_leaves, n_classes).
    weights
        Weights of the leaves.
    names
        Names of the classes.
    leaves
        Names of the leaves.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_leaf_probabilities([[0.9, 0.1], [0.2, 0.8]], [30, 10], names=["no", "yes"])
    >>> [round(float(bar.get_width()), 2) for bar in ax.patches[:2]]
    [0.72, 0.24]
    """
    bar_proportions, weight = (
        np.asarray(probabilities, dtype=np.float64),
        np.asarray(weights, dtype=np.float64),
    )
    if bar_proportions.ndim != 2 or weight.shape != (len(bar_proportions),) or not weight.sum() > 0:
        raise DataError(
            "plot_leaf_probabilities: probabilities must have one row, and weights one entry, for "
            f"each leaf; got shapes {bar_proportions.shape} and {weight.shape}."
        )
    width = weight / weight.sum()
    middle = np.cumsum(width) - width / 2
    ax = axes_or_new(ax)
    floor = np.zeros(len(bar_proportions))
    ink = colours(bar_proportions.shape[1])
    for k in range(bar_proportions.shape[1]):
        name = str(k) if names is None else names[k]
        ax.bar(
            middle,
            bar_proportions[:, k],
            width=0.96 * width,
            bottom=floor,
            color=ink[k],
            label=name,
        )
        floor = floor + bar_proportions[:, k]
    ax.set_xticks(
        middle, [str(i) for i in range(len(bar_proportions))] if leaves is None else list(leaves)
    )
    ax.set(xlabel="leaf", ylabel="class probability", xlim=(0, 1), ylim=(0, 1))
    ax.legend(loc="upper right", fontsize=8)
    return ax
