"""Helpers of the plots: colours, bounding boxes, and Axes to draw on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError, need
from gramian.base.types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Distinguishable in print and for most colour-blind readers; consecutive colours differ.
COLOURS = (
    "#2f6db5", "#e0742c", "#2e9c6a", "#8d5fb4", "#c9434a", "#2aa3b8", "#d1a220", "#76777a",
)  # fmt: skip


def colours(count: int) -> list[Any]:
    """Return one colour per class: the palette, or a colour wheel if there are more classes."""
    if count <= len(COLOURS):
        return list(COLOURS[:count])
    wheel = need("matplotlib", extra="plot").colormaps["turbo"]
    return [wheel(fraction) for fraction in np.linspace(0.05, 0.95, count)]


def pale(colour: Any, fraction: float = 0.22) -> tuple[float, float, float]:
    """Mix a colour into white, for areas behind points."""
    rgb = np.asarray(need("matplotlib.colors", extra="plot").to_rgb(colour))
    red, green, blue = 1 - fraction * (1 - rgb)
    return float(red), float(green), float(blue)


def axes_or_new(ax: "Axes | None") -> "Axes":
    """Return the given Axes, or create a figure with Axes."""
    if ax is not None:
        return ax
    new: Axes = need("matplotlib.pyplot", extra="plot").subplots()[1]
    return new


def space_or_new(ax: "Axes | None") -> Any:
    """Return the given Axes, or create a figure with three-dimensional Axes."""
    if ax is not None:
        return ax
    plt = need("matplotlib.pyplot", extra="plot")
    return plt.subplots(subplot_kw={"projection": "3d"})[1]


def plane(owner: str, name: str, points: ArrayLike) -> Floats:
    """Return points of the plane as an array; raise if they are invalid."""
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or len(array) == 0:
        raise DataError(
            f"{owner}: {name} must have at least one row and 2 columns; got shape {array.shape}; "
            "choose two columns, or project the rows first, see gramian.decomposition.PCA."
        )
    return array


def number_list(owner: str, name: str, values: ArrayLike) -> Floats:
    """Return a non-empty list of numbers as an array; raise otherwise."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0:
        raise DataError(f"{owner}: {name} must be a list of numbers; got shape {array.shape}.")
    return array


def frame(*points: Floats, margin: float = 0.06) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of a box around all points."""
    every = np.concatenate(points)
    low, high = every.min(axis=0), every.max(axis=0)
    room = margin * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = low - room, high + room
    return float(left), float(right), float(bottom), float(top)


class Grid(NamedTuple):
    """A grid over a box of the plane."""

    across: Floats  # shape (resolution,)
    up: Floats
    points: Floats  # shape (resolution ** 2, 2), row after row from the bottom

    def values(self, heights: ArrayLike) -> Floats:
        """Return one number per grid point as a table, the form that `contour` accepts."""
        table = np.asarray(heights, dtype=np.float64)
        return table.reshape(len(self.up), len(self.across))


def grid_over(box: tuple[float, float, float, float], resolution: int) -> Grid:
    """Return a grid over a box: left, right, bottom, top."""
    left, right, bottom, top = box
    across, up = np.linspace(left, right, resolution), np.linspace(bottom, top, resolution)
    return Grid(across, up, np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2))


def scatter_by_class(
    ax: "Axes",
    X: Floats,
    codes: NDArray[np.intp],
    names: Sequence[str | None],
    ink: Sequence[Any],
) -> None:
    """Draw points in the colours of their classes; the more points, the smaller they are."""
    size = float(np.clip(5000 / len(X), 6, 36))
    for code, (name, colour) in enumerate(zip(names, ink, strict=True)):
        rows = codes == code
        if rows.any():
            across, up = X[rows].T
            ax.scatter(
                across, up, s=size, color=colour, edgecolors="white", linewidths=0.4, label=name
            )


def scatter_labelled(ax: "Axes", X: Floats, y: ArrayLike) -> None:
    """Draw points in the colours of their labels, with a legend."""
    labels, codes = np.unique(np.asarray(y), return_inverse=True)
    scatter_by_class(ax, X, codes, [str(label) for label in labels], colours(len(labels)))
    ax.legend(loc="best", fontsize="small")
