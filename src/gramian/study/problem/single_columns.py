"""The skill of one column: how well it alone predicts the target of held-out rows.

The rows are split into two halves. One half gives the most frequent class, or the mean target, of
each value of the column. A row of the other half is predicted by its own value (a category) or the
nearest one (a number). The skill is

    1 - errors / errors of the most frequent class,

or for regression the largest r squared of the predictions, of a line, and of the ranks. It is 0 for
an uninformative column and 1 for one that determines the target.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from gramian.base.randomness import stream

_STREAM = 8


def skill_of_column(
    values: NDArray[Any], y: NDArray[Any], *, n_classes: int, ordered: bool
) -> float:
    """Return the skill of a column: codes or numbers (`ordered`), without missing values.

    Examples
    --------
    >>> y = np.arange(100) % 2
    >>> skill_of_column(y * 10.0, y, n_classes=2, ordered=True)
    1.0
    """
    order = stream(len(y), _STREAM).permutation(len(y))
    halves = order[::2], order[1::2]
    parts = [
        (y[b], _predictions(values[a], y[a], values[b], n_classes, ordered))
        for a, b in (halves, halves[::-1])
    ]
    truth, predicted = (np.concatenate(part) for part in zip(*parts, strict=True))
    if n_classes:
        most = int(np.bincount(truth).max())
        return float(1 - (truth != predicted).sum() / max(1, len(truth) - most))
    if not ordered:
        return _r2(truth, predicted)
    # A line is better than the nearest value for noisy values, ranks are better for few rows.
    return max(_r2(truth, predicted), _line(values, y), _line(rankdata(values), rankdata(y)))


def alike_in_groups(groups: NDArray[Any], y: NDArray[Any], *, n_classes: int) -> float:
    """Return the similarity of targets within groups: 0 as in all rows, 1 if equal in each group.

    For classes it is the probability that two rows of a group have the same class, for regression
    one minus the variance within groups, each relative to all rows.
    """
    codes = np.unique(groups, return_inverse=True)[1]
    sizes = np.bincount(codes)
    several = sizes >= 2
    if not several.any():
        return 0.0
    if n_classes:
        table = np.zeros((len(sizes), n_classes))
        np.add.at(table, (codes, y), 1)
        pairs = (sizes * (sizes - 1))[several].sum()
        same = (table * (table - 1)).sum(axis=1)[several].sum() / pairs
        chance = float(np.square(np.bincount(y, minlength=n_classes) / len(y)).sum())
        return float((same - chance) / (1 - chance)) if chance < 1 else 0.0
    means = np.bincount(codes, weights=y) / sizes
    inside = several[codes]
    within = np.square(y - means[codes])[inside].sum() / (sizes[several] - 1).sum()
    return float(1 - within / y.var())


def _predictions(
    known: NDArray[Any], y: NDArray[Any], asked: NDArray[Any], n_classes: int, ordered: bool
) -> NDArray[Any]:
    """Return predictions for values, learned from known ones."""
    levels, codes = np.unique(known, return_inverse=True)
    answer: NDArray[Any]
    default: float
    if n_classes:
        counts = np.zeros((len(levels), n_classes))
        np.add.at(counts, (codes, y), 1)
        answer, default = counts.argmax(axis=1), int(np.bincount(y).argmax())
    else:
        answer, default = np.bincount(codes, weights=y) / np.bincount(codes), float(y.mean())
    right = np.searchsorted(levels, asked).clip(0, len(levels) - 1)
    if ordered:
        left = (right - 1).clip(0)
        nearer = np.abs(asked - levels[left]) < np.abs(asked - levels[right])
        return np.asarray(answer[np.where(nearer, left, right)])
    return np.where(levels[right] == asked, answer[right], default)


def _r2(truth: NDArray[Any], predicted: NDArray[Any]) -> float:
    spread = float(np.square(truth - truth.mean()).sum())
    return float(1 - np.square(truth - predicted).sum() / spread) if spread > 0 else 0.0


def _line(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Return the squared correlation."""
    a, b = x - x.mean(), y - y.mean()
    size = float((a @ a) * (b @ b))
    return float((a @ b) ** 2 / size) if 0 < size < np.inf else 0.0
