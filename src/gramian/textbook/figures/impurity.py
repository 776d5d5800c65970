"""Figures of impurities: curves for two classes, the gain of a split, the surface for three."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new, colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_impurity_curves(
    p: ArrayLike, curves: Mapping[str, ArrayLike], *, ax: "Axes | None" = None
) -> "Axes":
    """Draw impurities of two classes against the proportion of the first.

    Parameters
    ----------
    p
        Proportions, from 0 to 1.
    curves
        The impurity at each proportion, by name.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_impurity_curves([0, 0.5, 1], {"gini": [0, 0.5, 0]})
    >>> ax.get_xlabel()
    'proportion of the first class'
    """
    ax = axes_or_new(ax)
    for (name, curve), colour in zip(curves.items(), colours(len(curves)), strict=True):
        ax.plot(np.asarray(p), np.asarray(curve), color=colour, label=name)
    ax.set(xlabel="proportion of the first class", ylabel="impurity", ylim=(0, None))
    ax.legend()
    return ax


def plot_information_gain(
    p: ArrayLike,
    curve: ArrayLike,
    proportions: ArrayLike,
    weights: ArrayLike,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the gain of a split: a concave impurity lies above the chord of the children.

    Parameters
    ----------
    p
        Proportions, from 0 to 1.
    curve
        The impurity at each proportion.
    proportions
        The proportions of the first class in the two children.
    weights
        The weights of the children.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; the gain is in the title.

    Examples
    --------
    >>> p = np.linspace(0, 1, 101)
    >>> plot_information_gain(p, 2 * p * (1 - p), [0.1, 0.9], [1, 1]).get_title()
    'gain 0.320'
    """
    grid, height = np.asarray(p, dtype=np.float64), np.asarray(curve, dtype=np.float64)
    ends, w = np.asarray(proportions, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if ends.shape != (2,) or w.shape != (2,) or not w.sum() > 0:
        raise DataError(
            f"plot_information_gain: pass the proportions and weights of two children; got {ends} "
            f"and {w}."
        )
    values = np.interp(ends, grid, height)
    parent, mean = float(w @ ends / w.sum()), float(w @ values / w.sum())
    top = float(np.interp(parent, grid, height))
    ax = axes_or_new(ax)
    ax.plot(grid, height, color=COLOURS[0])
    ax.plot(ends, values, "o-", color=COLOURS[7], label="children and their chord")
    ax.plot([parent, parent], [mean, top], color=COLOURS[1], linewidth=3, label="gain")
    ax.plot([parent], [top], "o", color=COLOURS[0], label="parent")
    ax.set(xlabel="proportion of the first class", ylabel="impurity", ylim=(0, None))
    ax.set_title(f"gain {top - mean:.3f}")
    ax.legend()
    return ax


def plot_impurity_simplex(
    impurity: Callable[[Any], Any], *, resolution: int = 80, ax: "Axes | None" = None
) -> "Axes":
    """Draw an impurity of three classes over the triangle of their proportions.

    Parameters
    ----------
    impurity
        Function from class proportions (along the last axis) to numbers.
    resolution
        Number of grid steps along a side.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; each corner is a pure class.

    Examples
    --------
    >>> ax = plot_impurity_simplex(lambda p: 1 - (p**2).sum(axis=-1), resolution=10)
    >>> ax.get_aspect()
    1.0
    """
    steps = np.arange(resolution + 1)
    i, j = (a.ravel() for a in np.meshgrid(steps, steps))
    inside = i + j <= resolution
    proportions = np.column_stack([i, j, resolution - i - j])[inside] / resolution
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    across, up = (proportions @ corners).T
    ax = axes_or_new(ax)
    drawn = ax.tricontourf(across, up, np.asarray(impurity(proportions)), levels=14, cmap="viridis")
    ax.figure.colorbar(drawn, ax=ax, label="impurity")
    for k, (x, y) in enumerate(corners):
        ax.annotate(f"class {k + 1}", (x, y), ha="center", va="bottom" if k == 2 else "top")
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax
