"""Error against the size of a tree."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_pruning_curve(
    n_leaves: ArrayLike,
    train_error: ArrayLike,
    estimated_error: ArrayLike,
    *,
    chosen: int | None = None,
    standard_error: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw training and estimated error of a sequence of pruned trees.

    Parameters
    ----------
    n_leaves
        Leaves of each tree.
    train_error, estimated_error
        Errors of the trees.
    chosen
        Index of the selected tree, which is marked.
    standard_error
        Standard error of the estimate, drawn as a band, with a line one above the minimum.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_pruning_curve([5, 3, 1], [0.0, 0.1, 0.4], [0.3, 0.2, 0.4], chosen=1)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['training', 'estimated', '3 leaves']
    """
    size, train = np.asarray(n_leaves), np.asarray(train_error, dtype=np.float64)
    estimate = np.asarray(estimated_error, dtype=np.float64)
    ax = axes_or_new(ax)
    ax.plot(size, train, ".-", color=COLOURS[7], label="training")
    ax.plot(size, estimate, ".-", color=COLOURS[0], label="estimated")
    if standard_error is not None:
        spread = np.asarray(standard_error, dtype=np.float64)
        ax.fill_between(size, estimate - spread, estimate + spread, color=COLOURS[0], alpha=0.15)
        least = int(estimate.argmin())
        limit = float(estimate[least] + spread[least])
        ax.axhline(limit, color=COLOURS[0], linestyle=":", label="one standard error above")
    if chosen is not None:
        label_text = "leaf" if size[chosen] == 1 else "leaves"
        ax.plot(
            size[chosen],
            estimate[chosen],
            "o",
            color=COLOURS[1],
            label=f"{size[chosen]} {label_text}",
        )
    ax.set(xlabel="leaves", ylabel="error", ylim=(0, None))
    ax.legend()
    return ax
