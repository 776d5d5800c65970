"""Assign a limited number of labels to a partition of the inputs."""

from typing import Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from gramian.base.inputs.targets import LabelSets
from gramian.base.types import Floats

Assignment: TypeAlias = Literal["count", "greedy", "lp"]
Chosen: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def assign_labels(Y: LabelSets, weights: Floats, limit: int, assignment: Assignment) -> Chosen:
    """Return which labels are chosen for these rows; labels without rows are never chosen.

    Examples
    --------
    >>> Y = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]], bool)
    >>> assign_labels(Y, np.ones(3), 2, "count").tolist()         # a and b have most rows
    [True, True, False]
    >>> assign_labels(Y, np.ones(3), 2, "greedy").tolist()        # a and c cover all rows
    [True, False, True]
    """
    if not weights.any():
        weights = np.ones(len(Y))
    present: Chosen = np.asarray(Y.any(axis=0))
    if present.sum() <= limit:
        return present
    choose = {"count": _by_count, "greedy": _greedy, "lp": _by_linear_program}[assignment]
    return choose(Y, weights, limit)


def _by_count(Y: LabelSets, weights: Floats, limit: int) -> Chosen:
    """Choose the labels with the largest weighted counts."""
    return _largest(weights @ Y, limit)


def _greedy(Y: LabelSets, weights: Floats, limit: int) -> Chosen:
    """Choose labels one by one, each the label that covers most rows not yet covered.

    Covers at least 1 - 1/e of the weight of the best choice (Nemhauser, Wolsey and Fisher 1978).
    When all rows are covered, the most frequent remaining labels are chosen.
    """
    counts = weights @ Y
    chosen = np.zeros(Y.shape[1], dtype=bool)
    covered = np.zeros(len(Y), dtype=bool)
    for _ in range(limit):
        gain = (weights * ~covered) @ Y
        best = int(np.lexsort((-counts, -gain, chosen))[0])
        chosen[best] = True
        covered |= Y[:, best]
    return chosen


def _by_linear_program(Y: LabelSets, weights: Floats, limit: int) -> Chosen:
    """Solve the linear program of maximum coverage, and choose the labels with the largest values.

    max sum_i w_i z_i   with  z_i <= sum_{l in y_i} x_l,  sum_l x_l <= limit,  0 <= x, z <= 1.
    """
    n, n_labels = Y.shape
    cover = sp.hstack([-sp.csr_array(Y.astype(float)), sp.eye_array(n)])
    size = sp.csr_array(np.r_[np.ones(n_labels), np.zeros(n)][None])
    solved = linprog(
        np.r_[np.zeros(n_labels), -weights],
        A_ub=sp.vstack([cover, size], format="csr"),
        b_ub=np.r_[np.zeros(n), float(limit)],
        bounds=(0, 1),
        method="highs",
    )
    assert solved.x is not None, "0 satisfies all constraints"
    counts = weights @ Y
    return _largest(solved.x[:n_labels].round(6) + 1e-9 * counts / counts.max(), limit)


def _largest(values: Floats, limit: int) -> Chosen:
    chosen = np.zeros(len(values), dtype=bool)
    chosen[np.argsort(-values, kind="stable")[:limit]] = True
    return chosen
