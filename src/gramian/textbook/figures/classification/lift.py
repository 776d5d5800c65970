"""The lifting map to a paraboloid: a plane in space is a circle in the plane."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, colours, frame, grid_over, plane, space_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_lift(
    X: ArrayLike,
    y: ArrayLike,
    coef: ArrayLike,
    intercept: float,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points lifted to a paraboloid, the separating plane, and its circle.

    The height of a point is its squared norm.

    Parameters
    ----------
    X
        Points of the plane, shape (n, 2).
    y
        Classes of the points, shape (n,).
    coef
        Weights of x_1, x_2 and the height in the linear function that is zero on the plane,
        shape (3,).
    intercept
        Its constant.
    ax
        Axes to draw on, made with ``projection="3d"``; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_lift([[0, 0], [2, 0]], ["in", "out"], [0, 0, 1], -1)  # the unit circle
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['in', 'out', 'boundary']
    """
    points, labels = plane("plot_lift", "X", X), np.asarray(y)
    weights = np.ravel(np.asarray(coef, dtype=np.float64))
    if labels.shape != (len(points),) or weights.shape != (3,) or weights[2] == 0:
        raise DataError(
            f"plot_lift: y must have one class for each of the {len(points)} points, and coef "
            f"three weights, the last not zero; got shape {labels.shape} and coef {weights}."
        )
    space = space_or_new(ax)
    across, up = np.meshgrid(*grid_over(frame(points), 60)[:2])
    bowl = across**2 + up**2
    flat = -(weights[0] * across + weights[1] * up + intercept) / weights[2]
    space.plot_wireframe(
        across, up, bowl, color="#888888", alpha=0.4, linewidth=0.5, rcount=12, ccount=12
    )
    space.plot_surface(across, up, flat, color=COLOURS[2], alpha=0.25, linewidth=0)
    classes, codes = np.unique(labels, return_inverse=True)
    floor = min(0.0, float(flat.min())) - 0.25 * float(bowl.max())
    for code, (name, colour) in enumerate(zip(classes, colours(len(classes)), strict=True)):
        at = points[codes == code]
        high = (at**2).sum(axis=1)
        space.scatter(*at.T, high, color=colour, s=16, depthshade=False, label=str(name))
        space.scatter(*at.T, np.full(len(at), floor), color=colour, s=5, alpha=0.5)
    above = bowl - flat
    if above.min() < 0 < above.max():  # otherwise the circle is outside the plot
        space.contour(across, up, above, levels=[0], colors=[COLOURS[2]], offset=floor)
    space.plot([], [], [], color=COLOURS[2], label="boundary")
    space.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="$|x|^2$", zlim=(floor, float(bowl.max())))
    space.view_init(elev=18, azim=-58)
    space.legend(loc="upper left")
    return space  # type: ignore[no-any-return]
