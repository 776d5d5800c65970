"""Scores of the machines of all pairs of classes from kernel values, and their votes."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats

_MANY_CLASSES = 17  # from here on scores are computed pair by pair


def pair_scores(K: Floats, starts: npt.NDArray[Any], coef: Floats, intercept: Floats) -> Floats:
    """Return the scores of all pairs from a matrix of kernel values."""
    if len(starts) == 2:
        return K @ coef.T + intercept
    if len(starts) > _MANY_CLASSES:
        scores = np.empty((len(K), len(intercept)))
        _native.svm_pair_scores(_by_vector(K), starts, coef, intercept, scores, None)
        return scores
    parts = [
        K[:, a:b] @ coef[:, a:b].T for a, b in pairwise(starts.tolist())
    ]  # per class, a column for each other class
    pairs = [(i, j) for i in range(len(parts)) for j in range(i + 1, len(parts))]
    columns = [parts[i][:, j - 1] + parts[j][:, i] for i, j in pairs]
    return np.asarray(np.column_stack(columns) + intercept)


def pair_votes(
    K: Floats, starts: npt.NDArray[Any], coef: Floats, intercept: Floats
) -> npt.NDArray[np.int32]:
    """Return the class with most votes for each row; many classes need no table of scores."""
    if len(starts) <= _MANY_CLASSES:
        return winning_classes(pair_scores(K, starts, coef, intercept), len(starts) - 1)
    codes = np.empty(len(K), dtype=np.int32)
    _native.svm_pair_scores(_by_vector(K), starts, coef, intercept, None, codes)
    return codes


def _by_vector(K: Floats) -> Floats:
    return np.ascontiguousarray(K.T, dtype=np.float64)


def winning_classes(scores: Floats, n_classes: int) -> npt.NDArray[np.int32]:
    """Return the class that wins most pairs; the first one in a tie."""
    won = np.zeros((len(scores), n_classes), dtype=np.int32)
    first = 0
    for i in range(n_classes - 1):
        positive = scores[:, first : first + n_classes - 1 - i] > 0
        first += positive.shape[1]
        won[:, i] += positive.sum(axis=1)
        won[:, i + 1 :] += ~positive
    return np.asarray(won.argmax(axis=1), dtype=np.int32)
