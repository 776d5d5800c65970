"""Ellipses of covariance matrices over data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, colours, plane, scatter_by_class

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def covariance_ellipse(
    mean: ArrayLike, covariance: ArrayLike, radius: float = 1.0, points: int = 200
) -> Floats:
    """Return points of {x: (x - mean)' S^-1 (x - mean) = radius^2} in the plane.

    Parameters
    ----------
    mean
        Shape (2,).
    covariance
        S, shape (2, 2), without negative eigenvalues; if singular, the ellipse is a segment.
    radius
        Mahalanobis distance from the mean.
    points
        Number of points; the last equals the first.

    Returns
    -------
    array of shape (points, 2)

    Examples
    --------
    >>> curve = covariance_ellipse([1.0, 0.0], [[4.0, 0.0], [0.0, 1.0]])
    >>> curve[:, 0].max().round(3), curve[:, 1].max().round(3)
    (np.float64(3.0), np.float64(1.0))
    """
    center, S = np.asarray(mean, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    if center.shape != (2,) or S.shape != (2, 2) or not np.allclose(S, S.T):
        raise DataError(
            "covariance_ellipse: mean must have shape (2,) and covariance must be symmetric "
            f"with shape (2, 2); got shapes {center.shape} and {S.shape}."
        )
    variances, directions = np.linalg.eigh(S)
    if variances[0] < -1e-10 * max(abs(variances[1]), 1e-300):
        raise DataError(
            "covariance_ellipse: covariance must have no negative eigenvalue; got "
            f"{variances[0]:.3g}."
        )
    angles = np.linspace(0, 2 * np.pi, points)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(center + radius * (circle * np.sqrt(np.maximum(variances, 0))) @ directions.T)


def plot_covariance_ellipses(
    X: ArrayLike,
    means: ArrayLike,
    covariances: ArrayLike,
    y: ArrayLike | None = None,
    *,
    radii: Sequence[float] = (1.0, 2.0, 3.0),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points of the plane and contours of the normal densities fitted to them.

    Parameters
    ----------
    X
        Rows of the plane, shape (n, 2).
    means
        A mean for each class, shape (classes, 2), or (2,) for one.
    covariances
        Covariance matrices of the classes, shape (classes, 2, 2), or (2, 2) for one.
    y
        Labels of the rows; their sorted order is that of the means. None means one class.
    radii
        Mahalanobis distances of the ellipses.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 5.0]])
    >>> ax = plot_covariance_ellipses(X, X.mean(axis=0), np.cov(X.T, bias=True))
    >>> len(ax.lines)
    4
    """
    owner = "plot_covariance_ellipses"
    rows = plane(owner, "X", X)
    centers = np.atleast_2d(np.asarray(means, dtype=np.float64))
    matrices = np.asarray(covariances, dtype=np.float64)
    matrices = matrices[None] if matrices.ndim == 2 else matrices
    labels = np.zeros(len(rows), dtype=int) if y is None else np.asarray(y)
    names, codes = np.unique(labels, return_inverse=True)
    if labels.shape != (len(rows),) or not len(names) == len(centers) == len(matrices):
        raise DataError(
            f"{owner}: there must be a label for each row, and a mean and a covariance for each of "
            f"the {len(names)} classes; got {len(centers)} means and {len(matrices)} covariances."
        )
    ax = axes_or_new(ax)
    ink = colours(len(names))
    shown = [None if y is None else str(name) for name in names]
    scatter_by_class(ax, rows, codes, shown, ink)
    for center, S, colour in zip(centers, matrices, ink, strict=True):
        for radius in radii:
            ax.plot(*covariance_ellipse(center, S, radius).T, color=colour, linewidth=1.4)
        ax.plot(*center, "X", color="#222222", markeredgecolor="white", markersize=9, zorder=4)
    if y is not None:
        ax.legend(framealpha=0.9)
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    return ax
