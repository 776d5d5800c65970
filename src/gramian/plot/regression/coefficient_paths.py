"""Coefficients against the penalty."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_coefficient_paths(
    alphas: ArrayLike,
    coefs: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    chosen: float | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw each coefficient of ridge or lasso against the penalty, on a logarithmic axis.

    Parameters
    ----------
    alphas
        Penalties, all positive, shape (m,).
    coefs
        The coefficients at each, shape (m, d).
    names
        Names of the d coefficients, written at the left ends of their curves without overlap.
    chosen
        A penalty to mark, for example the one selected by cross-validation.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_coefficient_paths([0.1, 1.0], [[2.0, -1.0], [1.0, -0.2]], names=["a", "b"])
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b']
    """
    at, values = np.asarray(alphas, dtype=np.float64), np.asarray(coefs, dtype=np.float64)
    if at.ndim != 1 or values.ndim != 2 or len(values) != len(at) or not (at > 0).all():
        raise DataError(
            "plot_coefficient_paths: coefs must have one row for each of the positive alphas; "
            f"got shapes {at.shape} and {values.shape}."
        )
    if names is not None and len(names) != values.shape[1]:
        raise DataError(
            "plot_coefficient_paths: names must have one entry per coefficient, "
            f"{values.shape[1]}; got {len(names)}."
        )
    order = np.argsort(at)
    at, values = at[order], values[order]
    ax = axes_or_new(ax)
    lines = strokes(values.shape[1])
    for stroke, curve in zip(lines, values.T, strict=True):
        ax.plot(at, curve, linewidth=1.6, **stroke)
    ax.axhline(0, color="#999999", linewidth=0.7, zorder=0)
    if chosen is not None:
        label = f"chosen: {chosen:.3g}"
        ax.axvline(chosen, color="#222222", linewidth=1, linestyle="--", label=label)
        ax.legend(framealpha=0.9)
    ax.set_xscale("log")
    ax.set(xlabel=r"penalty $\alpha$", ylabel="coefficient")
    ax.set_xlim(at[0], at[-1])
    if names is not None:
        heights = _spread_out(values[0], 0.042 * np.ptp(values))
        for name, height, stroke in zip(names, heights, lines, strict=True):
            place: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "center"}
            ax.annotate(name, (at[0], height), (-5, 0), color=stroke["color"], fontsize=9, **place)
        ax.tick_params(axis="y", labelleft=False, labelright=True, left=False, right=True)
        ax.yaxis.set_label_position("right")
    return ax


def _spread_out(heights: Floats, gap: float) -> Floats:
    """Return the closest heights that are in the same order and at least `gap` apart.

    With p_i = q_i + i gap, q must be increasing: isotonic regression.
    """
    order = np.argsort(heights, kind="stable")
    increasing = gap * np.arange(len(heights))
    places = np.empty(len(heights))
    places[order] = isotonic_regression(heights[order] - increasing).x + increasing
    return places
