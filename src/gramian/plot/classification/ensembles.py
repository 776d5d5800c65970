"""Figures of ensembles: posterior maps, and error against the number of members."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, colours, frame, grid_over, number_list, plane
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_posterior_map(
    posterior: Callable[[Floats], ArrayLike],
    X: ArrayLike,
    y: ArrayLike,
    *,
    resolution: int = 200,
    ax: "Axes | None" = None,
) -> "Axes":
    """Colour the plane by the class probabilities: a mixture of the classes' colours.

    Colours mix where the model is uncertain; a sharp edge is an abrupt change of class.

    Parameters
    ----------
    posterior
        Function from points, shape (m, 2), to class probabilities, shape (m, n_classes): the
        `predict_proba` of any classifier.
    X
        Points to draw, shape (n, 2).
    y
        Classes of the points, shape (n,), whose sorted order is that of the probabilities.
    resolution
        Grid points along each axis; `posterior` is called once.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> import numpy as np
    >>> half = lambda points: np.column_stack([points[:, 0] < 0, points[:, 0] >= 0])
    >>> ax = plot_posterior_map(half, [[-1, 0], [1, 0]], [0, 1], resolution=10)
    >>> len(ax.images)
    1
    """
    ax = axes_or_new(ax)
    points = plane("plot_posterior_map", "X", X)
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    left, right, bottom, top = frame(points)
    everywhere = grid_over((left, right, bottom, top), resolution).points
    p = np.asarray(posterior(everywhere), dtype=np.float64)
    if p.shape != (len(everywhere), len(classes)):
        raise DataError(
            f"plot_posterior_map: posterior must return shape {(len(everywhere), len(classes))}, a "
            f"column per class of y; got {p.shape}."
        )
    ink = np.array(
        [need("matplotlib.colors", extra="plot").to_rgb(c) for c in colours(len(classes))]
    )
    picture = np.clip(1 - 0.75 * (1 - p @ ink), 0, 1).reshape(resolution, resolution, 3)
    ax.imshow(
        picture, origin="lower", extent=(left, right, bottom, top), aspect="auto",
        interpolation="bilinear",
    )  # fmt: skip
    right_of, above = points.T
    ax.scatter(right_of, above, c=ink[codes], s=9, edgecolors="white", linewidths=0.3)
    return ax


def plot_error_against_members(
    curves: Mapping[str, ArrayLike],
    *,
    single: float | None = None,
    single_label: str = "one member",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the errors of ensembles against the number of their members.

    Parameters
    ----------
    curves
        For each name, the errors of the first 1, 2, ... members, as from
        `gramian.ensemble.error_against_members`; they may differ in length.
    single
        The error of a single model for comparison, a dotted line.
    single_label
        Name of that model.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_error_against_members({"bagging": [0.3, 0.2, 0.18], "forest": [0.3, 0.15]})
    >>> [line.get_xdata().tolist() for line in ax.lines]
    [[1, 2, 3], [1, 2]]
    """
    ax = axes_or_new(ax)
    for stroke, (name, values) in zip(strokes(len(curves)), curves.items(), strict=True):
        errors = number_list("plot_error_against_members", repr(name), values)
        ax.plot(np.arange(1, len(errors) + 1), errors, linewidth=1.7, label=name, **stroke)
    if single is not None:
        ax.axhline(single, color="0.5", linestyle=":", label=single_label)
    ax.xaxis.set_major_locator(need("matplotlib.ticker", extra="plot").MaxNLocator(integer=True))
    ax.set(xlabel="members", ylabel="error", ylim=(0, None))
    ax.legend(framealpha=0.9)
    return ax
