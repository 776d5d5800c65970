"""The law of a test statistic with its rejection region, and the interval that goes with it."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gramian.base.errors import ParameterError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_rejection_region(
    law: Any,
    statistic: float | None = None,
    *,
    alpha: float = 0.05,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    name: str = "statistic",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the density of a statistic under the hypothesis, with what leads to rejection shaded.

    The unshaded part is also a picture of an interval: the values of the parameter that the test
    would not reject.

    Parameters
    ----------
    law
        Law under the hypothesis: a continuous one of `scipy.stats`, as
        ``scipy.stats.t(9)``.
    statistic
        The value found; its tail is the p-value.
    alpha
        Level of the test: the shaded area.
    alternative
        On which side great values speak against the hypothesis.
    name
        Of the statistic, written below.
    ax
        Axes to draw on; new ones if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> ax = plot_rejection_region(norm(), 2.1)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['rejected: 5 % of the area', 'found: 2.1, p = 0.0357']
    """
    if not 0 < alpha < 1 or alternative not in ("two-sided", "greater", "less"):
        raise ParameterError(
            "plot_rejection_region: alpha must be between 0 and 1 and alternative one of "
            f"'two-sided', 'greater', 'less'; got {alpha!r} and {alternative!r}."
        )
    tail = alpha / 2 if alternative == "two-sided" else alpha
    low = float(law.ppf(tail)) if alternative != "greater" else None
    high = float(law.ppf(1 - tail)) if alternative != "less" else None
    left, right = float(law.ppf(0.005)), float(law.ppf(0.995))
    room = 0.12 * (right - left)
    shown = [value for value in (low, high, statistic) if value is not None]
    support = law.support()
    left = max(min([left, *shown]) - room, float(support[0]))
    right = min(max([right, *shown]) + room, float(support[1]))
    grid = np.linspace(left, right, 801)
    density = np.asarray(law.pdf(grid), dtype=np.float64)
    ax = axes_or_new(ax)
    ax.plot(grid, density, color=COLOURS[0], linewidth=1.8)
    label: str | None = f"rejected: {100 * alpha:g} % of the area"
    for bound, side in ((low, -1), (high, 1)):
        if bound is None:
            continue
        beyond = grid <= bound if side < 0 else grid >= bound
        ax.fill_between(
            grid, density, where=beyond.tolist(), color=COLOURS[4], alpha=0.45, linewidth=0,
            label=label,
        )  # fmt: skip
        label = None
        ax.annotate(
            f"{bound:.3g}", (bound, float(law.pdf(bound))), xytext=(6 * side, 8),
            textcoords="offset points", ha="left" if side > 0 else "right",
        )  # fmt: skip
    if statistic is not None:
        above, below = float(law.sf(statistic)), float(law.cdf(statistic))
        p = {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}
        words = f"found: {statistic:.3g}, p = {p[alternative]:.3g}"
        ax.axvline(statistic, color="black", linewidth=1.4, linestyle="--", label=words)
    ax.set(xlabel=name, ylabel="density", xlim=(left, right))
    ax.set_ylim(bottom=0)
    ax.legend(framealpha=0.9)
    return ax


def plot_intervals(
    estimates: Any,
    lows: Any,
    highs: Any,
    *,
    names: Any = None,
    truth: float | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw intervals one below the other; with the truth known, those that miss it stand out.

    Parameters
    ----------
    estimates, lows, highs
        Points and ends of the intervals, shape (k,).
    names
        One for each; nothing is written if None.
    truth
        The value that the intervals should hold, a line.
    ax
        Axes to draw on; new ones if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_intervals([1.0, 2.0], [0.5, 1.4], [1.5, 2.6], truth=1.2)
    >>> ax.get_title()
    '1 of 2 intervals hold the truth'
    """
    middle, low, high = (
        np.atleast_1d(np.asarray(a, dtype=float)) for a in (estimates, lows, highs)
    )
    if not middle.shape == low.shape == high.shape or middle.ndim != 1:
        raise ParameterError(
            "plot_intervals: estimates, lows and highs must be equally long; got shapes "
            f"{middle.shape}, {low.shape} and {high.shape}."
        )
    ax = axes_or_new(ax)
    rows = np.arange(len(middle))
    holds = np.ones(len(middle), bool) if truth is None else (low <= truth) & (truth <= high)
    for row, a, m, b, good in zip(rows, low, middle, high, holds, strict=True):
        colour = COLOURS[0] if good else COLOURS[4]
        ax.plot([a, b], [row, row], color=colour, linewidth=2)
        ax.plot(m, row, "o", color=colour, markersize=4)
    if truth is not None:
        ax.axvline(truth, color="black", linewidth=1.2, linestyle="--")
        ax.set_title(f"{int(holds.sum())} of {len(holds)} intervals hold the truth")
    if names is None:
        ax.set_yticks([])
    else:
        ax.set_yticks(rows, [str(name) for name in names])
    ax.invert_yaxis()
    return ax
