"""The critical-difference diagram: models on a line, bars over groups that do not differ.

Reference: Demsar, JMLR 7, 2006, figure 1. Here a bar has a dot over each of its members, so that a
model that merely lies between two others is not mistaken for a member of the group.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_critical_difference(
    positions: ArrayLike,
    names: Sequence[str],
    groups: Sequence[Sequence[int]],
    *,
    critical_difference: float | None = None,
    low_is_best: bool = True,
    label: str = "mean rank",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw models on a line with the best at the right, and a bar over each group.

    Parameters
    ----------
    positions
        Mean rank (or score) of each model, shape (k,).
    names
        Names of the models.
    groups
        Indices of models that do not differ significantly; groups of one are not drawn.
    critical_difference
        Critical difference, drawn to scale above the line; None draws none.
    low_is_best
        Whether low values are better, as for ranks; False for scores.
    label
        Label of the line.
    ax
        Axes to draw on; if None, new axes of suitable height.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_critical_difference([1.2, 1.9, 2.9], ["a", "b", "c"], [(0, 1), (2,)])
    >>> [text.get_text() for text in ax.texts]
    ['c  2.9', 'a  1.2', 'b  1.9']
    """
    values = np.asarray(positions, dtype=np.float64)
    if values.ndim != 1 or len(values) != len(names) or len(values) < 2:
        raise DataError(
            "plot_critical_difference: positions must be one number for each of two or more "
            f"names; got shape {values.shape} and {len(names)} names."
        )
    order = np.argsort(-values if low_is_best else values, kind="stable")  # worst first
    bars = [group for group in groups if len(group) > 1]
    bars.sort(key=lambda group: [int(np.flatnonzero(order == i)[0]) for i in group])
    left, right = order[: len(order) // 2], order[len(order) // 2 :]
    if ax is None:
        height = 1.1 + 0.28 * max(len(left), len(right)) + 0.14 * len(bars)
        new: Axes = need("matplotlib.pyplot", extra="plot").subplots(
            figsize=(7.2, height), layout="constrained"
        )[1]
        ax = new
    low, high = _ends(values, low_is_best=low_is_best)
    ax.set_xlim((high, low) if low_is_best else (low, high))

    step = 0.55  # distance between bars; names are 1 apart, the line is at 0 and down is negative
    for place, group in enumerate(bars):
        across = values[list(group)]
        y = -step * (place + 1)
        ax.plot([across.min(), across.max()], [y, y], color=COLOURS[0], lw=3, zorder=3)
        ax.plot(across, [y] * len(group), "o", color=COLOURS[0], ms=5, zorder=3)
    floor = -step * (len(bars) + 1) - 0.3
    far_left, far_right = (high, low) if low_is_best else (low, high)
    for side, end, members in (("right", far_left, left), ("left", far_right, right[::-1])):
        for row, i in enumerate(members):
            y = floor - row
            ax.plot([values[i], values[i], end], [0, y, y], color="0.45", lw=0.8, zorder=1)
            ax.annotate(
                f"{names[i]}  {values[i]:.3g}",
                (end, y),
                xytext=(-4 if side == "right" else 4, 0),
                textcoords="offset points",
                ha=side,
                va="center",
            )
    top = 0.9
    if critical_difference is not None:
        start = far_left
        end = start - critical_difference if low_is_best else start + critical_difference
        ax.plot([start, end], [2.3, 2.3], color="black", lw=1.2, marker="|")
        ax.text((start + end) / 2, 2.5, f"critical difference {critical_difference:.3g}",
                ha="center", va="bottom")  # fmt: skip
        top = 3.4
    ax.set_ylim(floor - max(len(left), len(right)) + 0.4, top)
    ax.spines[["left", "right", "bottom"]].set_visible(False)
    ax.spines["top"].set_position(("data", 0))
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    ax.set_yticks([])
    ax.set_xlabel(label)
    return ax


def _ends(values: Any, *, low_is_best: bool) -> tuple[float, float]:
    """Return the ends of the line: integers for ranks, a small margin for scores."""
    low, high = float(values.min()), float(values.max())
    if low_is_best:
        return float(np.floor(low)), float(np.ceil(high)) + (np.floor(low) == np.ceil(high))
    room = 0.06 * (high - low) or 0.05
    return low - room, high + room
