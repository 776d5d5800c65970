r"""Steps of nonnegative matrix factorisation, X ~ W H with W, H >= 0.

For given H each row of W solves a quadratic program with the k by k matrix H H'; each column has a
closed-form update,

    w_t <- max(0, w_t + (X h_t - W H h_t - l1) / (h_t . h_t + l2)),

hierarchical alternating least squares (Cichocki and Phan 2009). The products X H' and H H' cost
more than a sweep over the columns, so several sweeps are made with each (Gillis and Glineur 2012).
For other losses see `multiplicative_updates`.
"""

import numpy as np

from gramian import _native
from gramian.base.rows.table_products import times
from gramian.base.types import Data, Floats

_TINY = 1e-100
_MOST_SWEEPS = 1000
_SMALL = 1e-8  # projected gradient of a finished row, relative to the sum of its products


def improve(
    W: Floats, cross: Floats, gram: Floats, penalties: tuple[float, float], *, done: float = 0.0
) -> float:
    """Sweep over the columns of W (n, k), in place; return the projected gradient at the start.

    `cross` is X H' (n, k), `gram` is H H'. A row is finished when its projected gradient has fallen
    to `done` times the first, or is small relative to its products, or after 1000 sweeps. Rows do
    not affect each other.
    """
    stop = _MOST_SWEEPS, done, _SMALL
    return _native.nonnegative_rows(np.ascontiguousarray(gram), cross, penalties, stop, W)


def solve_rows(X: Data, H: Floats, l1: float, l2: float) -> Floats:
    """Return W >= 0 that minimises |X - W H|^2 / 2 + l1 sum W + l2 |W|^2 / 2, row by row."""
    gram, cross = H @ H.T, times(X, H.T)
    # Start from the least-squares solution of each row, with negative entries set to 0.
    ridge = 1e-10 * max(float(np.trace(gram)), _TINY) + l2
    start = np.linalg.solve(gram + ridge * np.eye(len(H)), cross.T - l1).T
    W: Floats = np.ascontiguousarray(np.maximum(start, 0.0))
    improve(W, cross, gram, (l1, l2))
    return W


def positive_parts(U: Floats, values: Floats, Vt: Floats) -> tuple[Floats, Floats]:
    """Return the larger of the positive and negative parts of each singular pair, scaled."""
    W, H = np.zeros_like(U), np.zeros_like(Vt)
    for j, value in enumerate(values):
        u, v = U[:, j], Vt[j]
        sides = [(np.maximum(s * u, 0.0), np.maximum(s * v, 0.0)) for s in (1.0, -1.0)]
        sizes = [(np.linalg.norm(a), np.linalg.norm(b)) for a, b in sides]
        best = int(sizes[1][0] * sizes[1][1] > sizes[0][0] * sizes[0][1])
        (a, b), (left, right) = sides[best], sizes[best]
        if left * right > 0:
            root = np.sqrt(value * left * right)
            W[:, j], H[j] = root * a / left, root * b / right
    for factor in (W, H):
        factor[factor < 1e-9 * factor.max(initial=0.0)] = 0.0  # drop rounding errors
    return W, H
