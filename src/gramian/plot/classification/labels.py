"""Figures of labels: co-occurrence, hierarchy, F1 per label, and precision at k."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new, colours, number_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_label_cooccurrence(
    Y: ArrayLike, names: Sequence[str] | None = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Shade the proportion of rows with one label that also have another.

    Parameters
    ----------
    Y
        0s and 1s, shape (n, labels).
    names
        The labels; column numbers if None.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; row i, column j shades the proportion of rows with label i that have j.

    Examples
    --------
    >>> ax = plot_label_cooccurrence([[1, 1], [1, 0]], ["calm", "sad"])
    >>> ax.images[0].get_array().tolist()
    [[1.0, 0.5], [1.0, 1.0]]
    """
    n_with_label = np.asarray(Y, dtype=float)
    if n_with_label.ndim != 2 or not n_with_label.size:
        raise DataError(
            "plot_label_cooccurrence: Y must be a matrix of 0 and 1 with a column for each label; "
            f"got shape {n_with_label.shape}."
        )
    labels = _names("plot_label_cooccurrence", names, n_with_label.shape[1])
    together = n_with_label.T @ n_with_label
    proportion = together / np.maximum(np.diag(together), 1)[:, None]
    ax = axes_or_new(ax)
    image = ax.imshow(proportion, cmap="Blues", vmin=0, vmax=1)
    ax.figure.colorbar(image, ax=ax, label="proportion that also has the label")
    ax.set_xticks(range(len(labels)), labels, rotation=90)
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlabel="also has", ylabel="rows with")
    return ax


def plot_label_tree(
    parents: ArrayLike,
    names: Mapping[int, str],
    sizes: Sequence[int] | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a hierarchy of labels from left to right.

    Parameters
    ----------
    parents
        The parent of each node, -1 for the root; parents come before children.
    names
        The names of the leaves by node number.
    sizes
        The number of labels of each node, written at inner nodes; None omits it.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_label_tree([-1, 0, 0], {1: "calm", 2: "sad"})
    >>> [text.get_text() for text in ax.texts]
    ['calm', 'sad']
    """
    above = np.asarray(parents, dtype=int)
    if above.ndim != 1 or not len(above) or above[0] != -1:
        raise DataError("plot_label_tree: parents must begin with -1, the root.")
    if (above[1:] >= np.arange(1, len(above))).any() or (above[1:] < 0).any():
        raise DataError("plot_label_tree: parents must come before their children.")
    depth, height = _node_positions(above)
    ax = axes_or_new(ax)
    for node, parent in enumerate(above[1:], 1):
        across = [depth[parent], depth[parent], depth[node]]
        ax.plot(across, [height[parent], height[node], height[node]], color="#9a9b9e", lw=1)
    inner = np.unique(above[1:])
    ax.plot(depth[inner], height[inner], "o", color=COLOURS[0], ms=5)
    for node in range(len(above)):
        if node in names:
            ax.text(depth[node] + 0.04, height[node], names[node], va="center")
        elif sizes is not None and node in inner:
            text = f"{sizes[node]:,} labels"  # beside the line that leads down to the children
            ax.text(depth[node] + 0.05, height[node] - 0.15, text, va="bottom", size="small")
    ax.set_xlim(-0.2, float(depth.max()) + 1.2)
    ax.invert_yaxis()
    ax.axis("off")
    return ax


def _node_positions(above: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the depth and height of each node: leaves in order, parents in the middle."""
    children: list[list[int]] = [[] for _ in above]
    depth, height = np.zeros(len(above), dtype=int), np.zeros(len(above))
    for node, parent in enumerate(above[1:], 1):
        children[parent].append(node)
        depth[node] = depth[parent] + 1
    stack, leaves = [0], 0
    while stack:  # depth first, so that lines do not cross
        node = stack.pop()
        if not children[node]:
            height[node], leaves = leaves, leaves + 1
        stack += reversed(children[node])
    for node in range(len(above) - 1, -1, -1):
        if children[node]:
            height[node] = height[children[node]].mean()
    return depth, height


def plot_label_scores(
    scores: ArrayLike,
    names: Sequence[str] | None = None,
    *,
    rows: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a bar for the F1 or another score of each label, the highest on top.

    Parameters
    ----------
    scores
        A number for each label.
    names
        The labels; column numbers if None.
    rows
        Number of rows with each label, written next to the bars; None omits it.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_label_scores([0.4, 0.9], ["sad", "calm"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['calm', 'sad']
    """
    values = number_list("plot_label_scores", "scores", scores)
    labels = _names("plot_label_scores", names, len(values))
    order = np.argsort(-values, kind="stable")
    ax = axes_or_new(ax)
    ax.barh(np.arange(len(values)), values[order], color=COLOURS[0])
    if rows is not None:
        for place, label in enumerate(order):
            text = f" {np.asarray(rows)[label]:,} rows"
            ax.text(values[label], place, text, va="center", size="small")
        ax.margins(x=0.2)  # space for the text beside the longest bar
    ax.set_yticks(np.arange(len(values)), [labels[label] for label in order])
    ax.set_ylim(len(values) - 0.5, -0.5)
    ax.set_xlabel("F1")
    return ax


def plot_precision_at_k(
    curves: Mapping[str, ArrayLike], *, ks: ArrayLike | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw the precision at k of several learners.

    Parameters
    ----------
    curves
        The precision at each k of each learner, by name.
    ks
        The values of k; 1, 2, ... if None.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_precision_at_k({"MLkNN": [0.8, 0.6, 0.5]})
    >>> ax.get_xlabel()
    'k'
    """
    if not curves:
        raise DataError("plot_precision_at_k: curves must contain at least one learner.")
    ax = axes_or_new(ax)
    for (name, curve), colour in zip(curves.items(), colours(len(curves)), strict=True):
        values = number_list("plot_precision_at_k", name, curve)
        at = np.arange(1, len(values) + 1) if ks is None else np.asarray(ks)
        if len(at) != len(values):
            raise DataError(
                f"plot_precision_at_k: {name!r} must have a value for each of {len(at)} k; got "
                f"{len(values)}."
            )
        ax.plot(at, values, "o-", color=colour, ms=4, label=name)
    ax.set(xlabel="k", ylabel="precision of the first k labels")
    ax.set_ylim(0, 1)
    ax.legend()
    return ax


def _names(owner: str, names: Sequence[str] | None, count: int) -> list[str]:
    labels = [str(j) for j in range(count)] if names is None else list(map(str, names))
    if len(labels) != count:
        raise DataError(
            f"{owner}: names must have one entry for each of the {count} labels; got {len(labels)}."
        )
    return labels
