"""The ROC curve with its AUC and some of its thresholds."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_roc(
    false_alarms: ArrayLike,
    hits: ArrayLike,
    thresholds: ArrayLike | None = None,
    *,
    area: tuple[float, float, float] | None = None,
    marks: int = 5,
    chosen: float | None = None,
    name: str | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the ROC curve: true positive rate against false positive rate, with some thresholds.

    Call it again with the same Axes to compare curves; each gets its own colour.

    Parameters
    ----------
    false_alarms, hits
        False and true positive rates, as from `gramian.evaluate.roc_points`, shape (m,).
    thresholds
        Thresholds of the points, decreasing, shape (m,); None for no marks.
    area
        Area under the curve and the limits of its confidence interval, for the legend; if None, the
        area is computed, without an interval.
    marks
        Number of thresholds to write next to the curve.
    chosen
        A threshold to mark; the nearest one on the curve is used.
    name
        Name of the curve in the legend.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_roc([0, 0, 0.5, 1], [0, 0.5, 1, 1], [np.inf, 0.9, 0.4, 0.1], chosen=0.4)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['AUC 0.875', 'chance', 'threshold 0.4']
    """
    x, y = np.asarray(false_alarms, dtype=np.float64), np.asarray(hits, dtype=np.float64)
    if x.ndim != 1 or len(x) < 2 or y.shape != x.shape:
        raise DataError(
            "plot_roc: false_alarms and hits must be one-dimensional and of the same length; "
            f"got shapes {x.shape} and {y.shape}."
        )
    ax = axes_or_new(ax)
    drawn = [line for line in ax.lines if line.get_gid() == "roc"]
    colour = COLOURS[len(drawn) % len(COLOURS)]
    label_text = f"AUC {np.trapezoid(y, x):.3f}"
    if area is not None:
        label_text = f"AUC {area[0]:.3f} ({area[1]:.3f} to {area[2]:.3f})"
    label = label_text if name is None else f"{name}: {label_text}"
    ax.plot(x, y, color=colour, linewidth=1.8, label=label, gid="roc")
    if not drawn:
        ax.plot([0, 1], [0, 1], color="#888888", linewidth=1, linestyle=":", label="chance")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
        ax.set(xlabel="false-alarm rate", ylabel="hit rate")
    if thresholds is not None:
        _mark(ax, x, y, np.asarray(thresholds, dtype=np.float64), marks, chosen, colour)
    ax.legend(loc="lower right", framealpha=0.9)
    return ax


def _mark(
    ax: "Axes", x: Floats, y: Floats, t: Floats, marks: int, chosen: float | None, colour: str
) -> None:
    """Write thresholds at points spread evenly along the curve, and mark the chosen one."""
    if t.shape != x.shape:
        raise DataError(
            f"plot_roc: thresholds must have one entry per point; got shapes {t.shape}, {x.shape}."
        )
    position = x + y  # increases along the curve from 0 to 2
    targets = np.linspace(0, 2, marks + 2)[1:-1]
    at = np.unique([int(np.abs(position - place).argmin()) for place in targets])
    at = at[np.isfinite(t[at])]
    ax.plot(x[at], y[at], "o", color=colour, markersize=4)
    for i in at:
        ax.annotate(
            f"{t[i]:.3g}",
            (x[i], y[i]),
            xytext=(5, -11),
            textcoords="offset points",
            fontsize=8,
            color=colour,
        )
    if chosen is not None:
        i = int(np.abs(np.where(np.isfinite(t), t, np.inf) - chosen).argmin())
        ax.scatter(
            x[i], y[i], s=130, facecolor="none", edgecolor="black", zorder=3,
            label=f"threshold {t[i]:.3g}",
        )  # fmt: skip
