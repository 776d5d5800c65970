"""Error against the number of neighbours."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_error_against_k(
    k: ArrayLike,
    train_error: ArrayLike,
    validation_error: ArrayLike,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw training and validation error against k, and mark the best k.

    Parameters
    ----------
    k
        The values of k, increasing, shape (m,).
    train_error
        Training error, shape (m,).
    validation_error
        Validation error, shape (m,) or (m, folds); for folds the mean is drawn, with a band of one
        standard error.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_error_against_k([1, 3, 5], [0.0, 0.1, 0.2], [0.3, 0.2, 0.25])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['training', 'validation', 'best: k = 3, error 0.2']
    """
    ks, train = np.asarray(k), np.asarray(train_error, dtype=np.float64)
    folds = np.asarray(validation_error, dtype=np.float64)
    if ks.ndim != 1 or len(ks) == 0 or train.shape != ks.shape or folds.shape[:1] != ks.shape:
        raise DataError(
            "plot_error_against_k: train_error and validation_error must have one row for each "
            f"k; got shapes {ks.shape}, {train.shape} and {folds.shape}."
        )
    folds = folds.reshape(len(ks), -1)
    validation, best = folds.mean(axis=1), int(folds.mean(axis=1).argmin())
    ax = axes_or_new(ax)
    ax.plot(ks, train, marker="o", markersize=3.5, color=COLOURS[0], label="training")
    ax.plot(ks, validation, marker="o", markersize=3.5, color=COLOURS[1], label="validation")
    if folds.shape[1] > 1:
        error = folds.std(axis=1, ddof=1) / np.sqrt(folds.shape[1])
        low, high = validation - error, validation + error
        ax.fill_between(ks, low, high, color=COLOURS[1], alpha=0.18, linewidth=0)
    label = f"best: k = {ks[best]}, error {validation[best]:.3g}"
    place = (ks[best], validation[best])
    ax.scatter(*place, s=110, facecolor="none", edgecolor="black", zorder=3, label=label)
    ax.set(xlabel="number of neighbours k", ylabel="error")
    ax.set_ylim(bottom=0)
    ax.legend()
    return ax
