"""Rejection region of a test, with the null distribution and the observed statistic."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_rejection_region(
    density: Callable[[Any], Any],
    low: float | None,
    high: float | None,
    *,
    statistic: float | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the density under the null hypothesis with the rejection region shaded.

    Parameters
    ----------
    density
        Density of the statistic under the null hypothesis, such as ``scipy.stats.t(4).pdf``.
    low, high
        Critical values: the test rejects below `low` and above `high`; None if the test has no such
        side.
    statistic
        The observed statistic, drawn as a line.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from scipy import stats
    >>> t = stats.t(4)
    >>> ax = plot_rejection_region(t.pdf, t.ppf(0.025), t.isf(0.025), statistic=2.83)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['null distribution', 'rejected', 'found: 2.83']
    """
    values = [float(x) for x in (low, high, statistic) if x is not None]
    if (low is None and high is None) or not np.isfinite(values).all():
        raise DataError(
            "plot_rejection_region: one of low and high must be given, and all must be finite; "
            f"got low={low!r}, high={high!r}, statistic={statistic!r}."
        )
    widest = 1.35 * max(map(abs, [*values, 2.5]))
    # A distribution of positive statistics (chi squared, F) is 0 below 0.
    x = np.linspace(0.0 if not np.any(density(np.array([-1.0, -1e-3]))) else -widest, widest, 801)
    y = np.asarray(density(x), dtype=np.float64)
    y = np.where(np.isfinite(y), y, np.nan)  # chi squared with one degree of freedom, at 0
    rejected = np.zeros(len(x), dtype=bool)
    rejected |= x <= low if low is not None else False
    rejected |= x >= high if high is not None else False
    ax = axes_or_new(ax)
    ax.plot(x, y, color=COLOURS[0], label="null distribution")
    ax.fill_between(x, 0, y, where=rejected.tolist(), color=COLOURS[1], alpha=0.5, lw=0,
                    label="rejected")  # fmt: skip
    if statistic is not None:
        ax.axvline(statistic, color="black", lw=1.2, label=f"found: {statistic:.3g}")
    ax.set(xlabel="statistic", ylabel="density")
    ax.set_ylim(0, 1.35 * ax.get_ylim()[1])  # space for the legend above the curve
    ax.legend(loc="upper left")
    return ax
