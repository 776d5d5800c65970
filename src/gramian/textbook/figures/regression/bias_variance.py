"""Bias and variance: fits to many training sets, and the decomposition against flexibility."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bias_variance_fits(
    x: ArrayLike,
    fits: ArrayLike,
    truth: ArrayLike,
    *,
    noise: float = 0.0,
    point: float | None = None,
    most: int = 40,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw fits to many training sets, their mean and the truth, with bias and deviation.

    Parameters
    ----------
    x
        The variable, increasing, shape (m,).
    fits
        One fit in each row, shape (sets, m), as ``predictions`` of
        `gramian.textbook.learning_theory.bias_variance`.
    truth
        g(x), shape (m,).
    noise
        Variance of the noise, drawn as a band of one standard deviation around the truth.
    point
        The x at which to draw bias and deviation (rounded to the nearest); None means the x where
        they are largest.
    most
        Maximum number of fits drawn; mean and deviation use all of them.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_bias_variance_fits([0, 1], [[0.0, 1.0], [0.4, 1.2]], [0.0, 2.0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['fits', 'truth', 'mean fit', 'bias at 1: -0.9', 'one deviation of the fits: 0.1']
    """
    xs, table = np.asarray(x, dtype=np.float64), np.asarray(fits, dtype=np.float64)
    g = np.asarray(truth, dtype=np.float64)
    if xs.ndim != 1 or g.shape != xs.shape or table.ndim != 2 or table.shape[1:] != xs.shape:
        raise DataError(
            "plot_bias_variance_fits: fits must have a row for each training set and, as truth, an "
            f"entry for each x; got shapes {xs.shape}, {table.shape} and {g.shape}."
        )
    mean, spread = table.mean(axis=0), table.std(axis=0)
    risk = (mean - g) ** 2 + spread**2
    at = int(risk.argmax() if point is None else np.abs(xs - point).argmin())
    ax = axes_or_new(ax)
    for k, fit in enumerate(table[:most]):
        label = "fits" if k == 0 else None
        ax.plot(xs, fit, color=COLOURS[0], alpha=0.35, linewidth=0.8, label=label)
    deviation = np.sqrt(noise)
    if noise > 0:
        ax.fill_between(
            xs, g - deviation, g + deviation, color="#888888", alpha=0.18, linewidth=0,
            label="noise around the truth",
        )  # fmt: skip
    ax.plot(xs, g, color="black", linewidth=1.8, label="truth")
    ax.plot(xs, mean, color=COLOURS[1], linewidth=2, linestyle="--", label="mean fit")
    bias = f"bias at {xs[at]:.3g}: {mean[at] - g[at]:.2g}"
    room = 0.008 * (np.ptp(xs) or 1.0)
    ax.plot([xs[at] - room] * 2, [g[at], mean[at]], color=COLOURS[4], linewidth=3, label=bias)
    ends = [mean[at] - spread[at], mean[at] + spread[at]]
    label_text = f"one deviation of the fits: {spread[at]:.2g}"
    ax.plot([xs[at] + room] * 2, ends, color=COLOURS[3], linewidth=3, label=label_text)
    low = min((g - deviation).min(), np.quantile(table, 0.01), ends[0])
    high = max((g + deviation).max(), np.quantile(table, 0.99), ends[1])
    room = 0.05 * (high - low or 1.0)
    ax.set(xlabel="x", ylabel="y", ylim=(low - room, high + room))  # extreme fits may be clipped
    ax.legend(framealpha=0.9, fontsize=8)
    return ax


def plot_bias_variance_curve(
    values: ArrayLike,
    bias_squared: ArrayLike,
    variance: ArrayLike,
    noise: ArrayLike,
    *,
    test_error: ArrayLike | None = None,
    name: str = "complexity",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw bias^2, variance, noise and their sum against the flexibility of a model.

    Parameters
    ----------
    values
        Degrees, numbers of neighbours, penalties, in the order of the axis, shape (m,).
    bias_squared, variance
        Means over test points, shape (m,), as from
        `gramian.textbook.learning_theory.bias_variance_curve`.
    noise
        Variance of the noise, one number or shape (m,).
    test_error
        Errors measured on test data, shape (m,), drawn as points; they should lie on the sum.
    name
        Name of the hyperparameter, the label of the axis.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_bias_variance_curve([1, 2, 3], [0.5, 0.1, 0.0], [0.0, 0.1, 0.4], 0.1)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['bias²', 'variance', 'noise', 'sum', 'least: complexity = 2, 0.3']
    """
    at = np.asarray(values, dtype=np.float64)
    parts = {
        label: np.asarray(part, dtype=np.float64)
        for label, part in (("bias²", bias_squared), ("variance", variance))
    }
    parts["noise"] = np.broadcast_to(np.asarray(noise, dtype=np.float64), at.shape)
    if at.ndim != 1 or len(at) == 0 or any(part.shape != at.shape for part in parts.values()):
        shapes = [part.shape for part in parts.values()]
        raise DataError(
            "plot_bias_variance_curve: bias_squared, variance and noise must have one entry for "
            f"each of values, of shape {at.shape}; got shapes {shapes}."
        )
    parts["sum"] = np.sum(list(parts.values()), axis=0)
    ax = axes_or_new(ax)
    styles = zip(
        parts.items(), (*COLOURS[:2], "#888888", "black"), ("s-", "^-", ":", "o-"), strict=True
    )
    for (label, part), colour, style in styles:
        ax.plot(at, part, style, color=colour, markersize=4, label=label)
    best = int(parts["sum"].argmin())
    label_text = f"least: {name} = {at[best]:g}, {parts['sum'][best]:.3g}"
    ring: dict[str, Any] = {"s": 110, "facecolor": "none", "edgecolor": "black", "zorder": 3}
    ax.scatter(at[best], parts["sum"][best], label=label_text, **ring)
    if test_error is not None:
        ax.plot(at, np.asarray(test_error), "x", color=COLOURS[4], label="error on new data")
    ax.set(xlabel=name, ylabel="squared error")
    ax.set_ylim(0, 1.3 * ax.get_ylim()[1])  # the legend above the curves
    ax.legend(loc="upper right", ncols=2, fontsize="small")
    return ax
