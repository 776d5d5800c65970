"""Distributions of error rates."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_error_counts(
    distributions: Mapping[int, ArrayLike], risk: float, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the distribution of the error rate for several numbers of rows, each scaled to height 1.

    Parameters
    ----------
    distributions
        For each number of rows n, the probabilities of 0, 1, ..., n errors.
    risk
        The true probability of an error, drawn as a line.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_error_counts({2: [0.25, 0.5, 0.25]}, 0.5)
    >>> ax.get_xlabel()
    'error rate on n rows'
    """
    ax = axes_or_new(ax)
    for k, (n, probabilities) in enumerate(distributions.items()):
        heights = np.asarray(probabilities, dtype=np.float64)
        if heights.shape != (n + 1,):
            raise DataError(
                f"plot_error_counts: distributions[{n}] must have {n + 1} probabilities, one for "
                f"each number of errors from 0 to {n}; got shape {heights.shape}."
            )
        rates = np.arange(n + 1) / n
        ax.vlines(
            rates,
            0,
            heights / heights.max(),
            color=COLOURS[k % len(COLOURS)],
            label=f"n = {n}",
            alpha=0.75,
        )
    ax.axvline(risk, color="black", linewidth=1, linestyle="--", label=f"risk {risk:g}")
    ax.set(xlabel="error rate on n rows", ylabel="probability, highest = 1", xlim=(0, 1))
    ax.set_ylim(bottom=0)
    ax.legend()
    return ax
