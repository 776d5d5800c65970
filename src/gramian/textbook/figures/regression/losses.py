"""Curves of losses."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_losses(
    z: ArrayLike,
    losses: Mapping[str, ArrayLike],
    *,
    xlabel: str = "margin $y\\,f(x)$",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw losses against the margin of a classifier, or the residual of a regression.

    Parameters
    ----------
    z
        Margins or residuals, increasing, shape (m,).
    losses
        The values of each loss there, by name.
    xlabel
        Label of the z axis.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> z = np.linspace(-2, 2, 5)
    >>> ax = plot_losses(z, {"hinge": np.maximum(1 - z, 0), "squared": (1 - z) ** 2})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['hinge', 'squared']
    """
    at = np.asarray(z, dtype=np.float64)
    ax = axes_or_new(ax)
    for stroke, (name, values) in zip(strokes(len(losses)), losses.items(), strict=True):
        curve = np.asarray(values, dtype=np.float64)
        if at.ndim != 1 or curve.shape != at.shape:
            raise DataError(
                f"plot_losses: {name!r} must have one value for each z; got shapes {curve.shape} "
                f"and {at.shape}."
            )
        ax.plot(at, curve, linewidth=1.9, label=name, **stroke)
    ax.axvline(0, color="#999999", linewidth=0.7, zorder=0)
    ax.set(xlabel=xlabel, ylabel="loss", xlim=(at.min(), at.max()))
    ax.legend(framealpha=0.9)
    return ax
