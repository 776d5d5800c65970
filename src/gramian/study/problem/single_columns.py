"""How much of the target one column alone gives away, judged on rows it was not learned from.

The rows are cut into two halves. From one half each value of the column learns its most frequent
class, or its mean target; a row of the other half gets the answer of its own value (a category) or
of the nearest one (a number). The skill is

    1 - errors / errors of the most frequent class,

or r squared for numbers (of the answers, of a line, or of the ranks, whichever is most), so that it
is 0 for a column that says nothing and 1 for one that says all.
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
        (y[b], _answers(values[a], y[a], values[b], n_classes, ordered))
        for a, b in (halves, halves[::-1])
    ]
    truth, said = (np.concatenate(part) for part in zip(*parts, strict=True))
    if n_classes:
        most = np.bincount(truth).max()
        return float(1 - (truth != said).sum() / max(1, len(truth) - most))
    if not ordered:
        return _r2(truth, said)
    # Of noisy values a line tells more than the nearest value, of few ones any rising curve does.
    return max(_r2(truth, said), _line(values, y), _line(rankdata(values), rankdata(y)))


def alike_in_groups(groups: NDArray[Any], y: NDArray[Any], *, n_classes: int) -> float:
    """Return how alike the targets of a group are: 0 as in all rows, 1 the same in each group.

    For classes it is the probability that two rows of a group have one class, for numbers one minus
    the variance within groups, each relative to all rows.
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


def _answers(
    known: NDArray[Any], y: NDArray[Any], asked: NDArray[Any], n_classes: int, ordered: bool
) -> NDArray[Any]:
    """Return the answers for the values asked, learned from those known."""
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


def _r2(truth: NDArray[Any], said: NDArray[Any]) -> float:
    spread = float(np.square(truth - truth.mean()).sum())
    return float(1 - np.square(truth - said).sum() / spread) if spread > 0 else 0.0


def _line(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Return the squared correlation."""
    a, b = x - x.mean(), y - y.mean()
    size = float((a @ a) * (b @ b))
    return float((a @ b) ** 2 / size) if 0 < size < np.inf else 0.0
