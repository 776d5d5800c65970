"""Ellipses of equal residual sum of squares for two weights."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, grid_over

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def excess_rss(gram: Floats, away: Floats) -> NDArray[np.float64]:
    """Return (w - w*)' G (w - w*), the RSS minus its minimum, from differences w - w*."""
    return np.asarray(((away @ gram) * away).sum(axis=-1))


def draw_ellipses(
    ax: "Axes",
    gram: Floats,
    best: Floats,
    box: tuple[float, float, float, float],
    levels: Sequence[float] | Floats,
) -> None:
    """Draw ellipses of equal RSS around the least-squares weights, and the axes of the plane."""
    cells = grid_over(box, 300)
    excess = cells.values(excess_rss(gram, cells.points - best))
    ax.contour(cells.across, cells.up, excess, levels=levels, colors=COLOURS[0], linewidths=1.3)
    ax.plot([], [], color=COLOURS[0], linewidth=1.3, label="equal RSS")
    ax.plot(*best, marker="X", color="#222222", markeredgecolor="white", markersize=9, zorder=4)
    ax.axhline(0, color="#bbbbbb", linewidth=0.7, zorder=0)
    ax.axvline(0, color="#bbbbbb", linewidth=0.7, zorder=0)
    ax.set(aspect="equal", xlabel="$w_1$", ylabel="$w_2$")
