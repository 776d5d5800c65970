"""Level sets of quadratic forms."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_quadratic_form(
    M: ArrayLike, *, extent: float = 2.0, levels: int = 7, ax: "Axes | None" = None
) -> "Axes":
    """Draw level sets of x' M x in the plane, and the eigenvectors as their axes.

    The level sets of 1 and -1 are dashed. The length of an axis is their radius 1 /
    sqrt(|eigenvalue|); an axis with eigenvalue 0, along which the form is flat, goes to the edge of
    the figure.

    Parameters
    ----------
    M
        Symmetric matrix of shape (2, 2).
    extent
        Coordinates go from -extent to extent.
    levels
        Number of level sets.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_quadratic_form([[4.0, 0.0], [0.0, 1.0]])
    >>> sorted(float(np.hypot(*line.get_data()).max().round(3)) for line in ax.lines)  # the radii
    [0.5, 1.0]
    """
    form = np.asarray(M, dtype=np.float64)
    if form.shape != (2, 2) or not np.isfinite(form).all() or not np.allclose(form, form.T):
        raise DataError(
            f"plot_quadratic_form: M must be a symmetric matrix of shape (2, 2); got {M!r}."
        )
    if not extent > 0:
        raise DataError(f"plot_quadratic_form: extent must be > 0; got {extent!r}.")
    ax = axes_or_new(ax)
    side = np.linspace(-extent, extent, 101)
    x, y = np.meshgrid(side, side)
    values = form[0, 0] * x**2 + 2 * form[0, 1] * x * y + form[1, 1] * y**2
    if np.ptp(values) > 0:
        ax.contour(x, y, values, levels=levels)
        unit = [level for level in (-1.0, 1.0) if values.min() < level < values.max()]
        if unit:
            ax.contour(x, y, values, levels=unit, colors="black", linestyles="dashed")
    eigenvalues, vectors = np.linalg.eigh(form)
    flat = np.abs(eigenvalues) <= 1e-12 * np.abs(eigenvalues).max()
    edge = extent / np.abs(vectors).max(axis=0)
    radii = np.where(flat, edge, 1 / np.sqrt(np.where(flat, 1.0, np.abs(eigenvalues))))
    for radius, vector in zip(radii, vectors.T, strict=True):
        ax.plot(*np.outer([-radius, radius], vector).T, color="black")
    ax.set(aspect="equal", xlim=(-extent, extent), ylim=(-extent, extent))
    return ax
