"""Training and validation error against a hyperparameter, or against the number of rows."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gramian.base.types import Floats


def plot_error_curve(
    values: ArrayLike,
    train: ArrayLike,
    validation: ArrayLike,
    *,
    name: str = "value",
    log: bool | None = None,
    mark_best: bool = True,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw training and validation error against a hyperparameter, with the best value marked.

    Parameters
    ----------
    values
        Values of the hyperparameter, numbers of rows, or names, shape (m,).
    train, validation
        Errors, shape (m,), or (m, folds) to draw the mean with a band of one standard error.
    name
        Name of the hyperparameter, which labels the axis.
    log
        Whether the axis of values is logarithmic; None chooses automatically.
    mark_best
        Whether to mark the smallest validation error; use False for a learning curve.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_error_curve([1, 2, 3], [0.4, 0.1, 0.0], [0.5, 0.2, 0.3], name="degree")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['training', 'validation', 'best: degree = 2, error 0.2']
    """
    at = np.asarray(values)
    tables = [np.asarray(errors, dtype=np.float64) for errors in (train, validation)]
    if at.ndim != 1 or len(at) == 0 or any(table.shape[:1] != at.shape for table in tables):
        raise DataError(
            "plot_error_curve: train and validation must have one row for each value; "
            f"got shapes {at.shape}, {tables[0].shape} and {tables[1].shape}."
        )
    numeric = at.dtype.kind in "iuf"
    place: Any = at if numeric else np.arange(len(at))
    ax = axes_or_new(ax)
    drawn = zip(("training", "validation"), tables, COLOURS, ("s", "o"), strict=False)
    for label, table, colour, marker in drawn:
        folds = table.reshape(len(at), -1)
        mean: Floats = folds.mean(axis=1)
        ax.plot(place, mean, marker=marker, markersize=4, color=colour, label=label)
        if folds.shape[1] > 1:
            error = folds.std(axis=1, ddof=1) / np.sqrt(folds.shape[1])
            ax.fill_between(
                place, mean - error, mean + error, color=colour, alpha=0.18, linewidth=0
            )
    if mark_best:
        errors = tables[1].reshape(len(at), -1).mean(axis=1)
        best = int(errors.argmin())
        shown = f"{at[best]:.4g}" if numeric else str(at[best])
        label = f"best: {name} = {shown}, error {errors[best]:.3g}"
        ring: dict[str, Any] = {"s": 110, "facecolor": "none", "edgecolor": "black", "zorder": 3}
        ax.scatter(place[best], errors[best], label=label, **ring)
    if not numeric:
        ax.set_xticks(place, [str(value) for value in at])
    elif _logarithmic(at) if log is None else log:
        ax.set_xscale("log")
    ax.set(xlabel=name, ylabel="error")
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    ax.legend(framealpha=0.9)
    return ax


def _logarithmic(values: Any) -> bool:
    """Return whether values are spaced geometrically rather than evenly."""
    return bool(len(values) > 2 and values.min() > 0 and values.max() / values.min() >= 100)
