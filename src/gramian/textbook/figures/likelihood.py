"""Curves over a parameter: likelihoods, and sequences of posteriors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import COLOURS, axes_or_new, number_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_likelihood_curve(
    theta: ArrayLike,
    likelihood: ArrayLike,
    *,
    best: float | None = None,
    name: str = "theta",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the likelihood over a parameter, and its maximum.

    Parameters
    ----------
    theta
        The parameter, shape (n,).
    likelihood
        L(theta), shape (n,).
    best
        The maximum likelihood estimate; None means the maximum of the curve.
    name
        Name of the parameter.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> p = np.linspace(0, 1, 101)
    >>> ax = plot_likelihood_curve(p, 45 * p**8 * (1 - p) ** 2, name="p")
    >>> ax.get_legend().get_texts()[0].get_text()
    'maximum at 0.8'
    """
    owner = "plot_likelihood_curve"
    at, height = number_list(owner, "theta", theta), number_list(owner, "likelihood", likelihood)
    if len(at) != len(height):
        raise DataError(
            f"{owner}: likelihood must have one number for each theta; got {len(height)} for "
            f"{len(at)}."
        )
    top = float(at[int(np.argmax(height))]) if best is None else float(best)
    ax = axes_or_new(ax)
    ax.plot(at, height, color=COLOURS[0], linewidth=2)
    label = f"maximum at {top:.4g}"
    ax.axvline(top, color="#222222", linestyle="--", linewidth=1, label=label)
    ax.plot([top], [np.interp(top, at, height)], "o", color=COLOURS[1], zorder=3)
    ax.set(xlabel=name, ylabel=f"L({name})", xlim=(at[0], at[-1]))
    ax.set_ylim(bottom=0)
    ax.legend(framealpha=0.9)
    return ax


def plot_posterior_sequence(
    theta: ArrayLike,
    densities: ArrayLike,
    labels: Sequence[str] | None = None,
    *,
    truth: float | None = None,
    name: str = "theta",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the prior and the posteriors after more and more data, increasingly dark.

    Parameters
    ----------
    theta
        The parameter, shape (n,).
    densities
        Densities over theta, first the prior, shape (steps, n).
    labels
        A label for each density.
    truth
        The true parameter, if known.
    name
        Name of the parameter.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from gramian.distributions import Beta
    >>> p = np.linspace(0, 1, 101)
    >>> steps = [Beta(2, 2).prob(p), Beta(10, 4).prob(p)]
    >>> ax = plot_posterior_sequence(p, steps, ["prior", "after 10 tosses"], name="p")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['prior', 'after 10 tosses']
    """
    owner = "plot_posterior_sequence"
    at = number_list(owner, "theta", theta)
    curves = np.asarray(densities, dtype=np.float64)
    if curves.ndim != 2 or curves.shape[1] != len(at) or not len(curves):
        raise DataError(
            f"{owner}: densities must have a row for each step and a column for each of the "
            f"{len(at)} values of theta; got shape {curves.shape}."
        )
    named = [str(t) for t in range(len(curves))] if labels is None else list(labels)
    if len(named) != len(curves):
        raise DataError(f"{owner}: labels must have {len(curves)} entries; got {len(named)}.")
    ax = axes_or_new(ax)
    shades = need("matplotlib", extra="plot").colormaps["Blues"](np.linspace(0.35, 1, len(curves)))
    for step, (curve, label) in enumerate(zip(curves, named, strict=True)):
        prior = {"color": "#76777a", "linestyle": "--"}
        style = prior if step == 0 else {"color": shades[step], "linestyle": "-"}
        ax.plot(at, curve, linewidth=2, label=label, **style)
    if truth is not None:
        ax.axvline(truth, color=COLOURS[1], linewidth=1, label="truth")
    ax.set(xlabel=name, ylabel="density", xlim=(at[0], at[-1]))
    ax.set_ylim(bottom=0)
    ax.legend(framealpha=0.9)
    return ax
