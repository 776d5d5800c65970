"""Class-conditional densities scaled by prior and loss, with the Bayes risk."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new, colours, number_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_scaled_densities(
    x: ArrayLike,
    heights: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    boundaries: ArrayLike = (),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw densities scaled by prior and loss, the decision boundaries, and the shaded Bayes risk.

    Class k is chosen where L(not k, k) p(x | k) P(k) is largest; the area below the other curves is
    lost. With two classes the shaded area, below the smaller curve, is the Bayes risk.

    Parameters
    ----------
    x
        Increasing numbers, shape (n,).
    heights
        The scaled density of each class, shape (classes, n).
    names
        Names of the classes.
    boundaries
        Points where the best class changes.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> x = np.linspace(-3, 5, 200)
    >>> curves = [norm.pdf(x) / 2, norm.pdf(x, 2) / 2]
    >>> ax = plot_scaled_densities(x, curves, names=["ash", "birch"], boundaries=[1.0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['ash', 'birch', 'Bayes risk', 'boundary']
    """
    owner = "plot_scaled_densities"
    at = number_list(owner, "x", x)
    curves = np.asarray(heights, dtype=np.float64)
    if curves.ndim != 2 or curves.shape[1] != len(at) or len(curves) < 2:
        raise DataError(
            f"{owner}: heights must have a row for each of at least two classes and a column for "
            f"each of the {len(at)} values of x; got shape {curves.shape}."
        )
    shown = [str(k) for k in range(len(curves))] if names is None else list(names)
    if len(shown) != len(curves):
        raise DataError(f"{owner}: names must have {len(curves)} entries; got {len(shown)}.")
    ax = axes_or_new(ax)
    for curve, name, ink in zip(curves, shown, colours(len(curves)), strict=True):
        ax.plot(at, curve, color=ink, linewidth=2, label=name)
    second = np.sort(curves, axis=0)[-2]
    ax.fill_between(at, 0, second, color="#bbbbbb", alpha=0.7, linewidth=0, label="Bayes risk")
    for i, point in enumerate(np.ravel(np.asarray(boundaries, dtype=np.float64))):
        label = "boundary" if i == 0 else None
        ax.axvline(point, color="#222222", linewidth=1, linestyle="--", label=label)
    ax.set(xlabel="x", ylabel="density times prior and loss", xlim=(at[0], at[-1]))
    ax.set_ylim(bottom=0)
    ax.legend(framealpha=0.9)
    return ax
