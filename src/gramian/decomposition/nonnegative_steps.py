r"""Steps of nonnegative matrix factorisation, X ~ W H with W, H >= 0.

For given H each row of W solves a quadratic program with the k by k matrix H H'; column after
column has a closed form,

    w_t <- max(0, w_t + (X h_t - W H h_t - l1) / (h_t . h_t + l2)),

hierarchical alternating least squares (Cichocki and Phan 2009). The products X H' and H H' cost
more than a sweep over the columns, so that several sweeps are made with each
(Gillis and Glineur 2012). For other losses: multiplicative updates (Lee and Seung 2001).
"""

import numpy as np

from gramian.base.types import Data, Floats

_TINY = 1e-100


def sweep(Wt: Floats, cross: Floats, gram: Floats, l1: float, l2: float) -> None:
    """Update each row of W' (k, n) once, in place.

    `cross` is (X H')' (k, n), `gram` is H H'.
    """
    for t in range(len(Wt)):
        bend = gram[t, t] + l2
        if bend <= _TINY:
            continue
        step = gram[t] @ Wt
        step -= cross[t]
        if l1 or l2:
            step += l1 + l2 * Wt[t]
        step *= -1 / bend
        step += Wt[t]
        np.maximum(step, 0.0, out=Wt[t])


def violations(Wt: Floats, cross: Floats, gram: Floats, l1: float, l2: float) -> Floats:
    """Return the sum of the projected gradients of each row of W, 0 at its optimum."""
    gradient = gram @ Wt
    gradient -= cross
    if l1 or l2:
        gradient += l1 + l2 * Wt
    np.minimum(gradient, 0.0, out=gradient, where=Wt <= 0)
    return np.asarray(np.abs(gradient, out=gradient).sum(axis=0))


def solve_rows(X: Data, H: Floats, l1: float, l2: float) -> Floats:
    """Return W >= 0 of least |X - W H|^2 / 2 + l1 sum W + l2 |W|^2 / 2.

    A row is done when its projected gradient is small beside its products, or after 1000 sweeps;
    what becomes of it does not depend on the others.
    """
    k = len(H)
    gram = H @ H.T
    cross = np.ascontiguousarray(np.asarray(X @ H.T.astype(X.dtype), dtype=np.float64).T)
    # From the least squares of each row, its negative numbers set to 0.
    ridge = 1e-10 * max(float(np.trace(gram)), _TINY) + l2
    start = np.linalg.solve(gram + ridge * np.eye(k), cross - l1)
    Wt = np.maximum(start, 0.0)
    limits = 1e-8 * np.abs(cross).sum(axis=0)
    rows = np.arange(Wt.shape[1])
    left = np.ascontiguousarray(Wt)
    for _ in range(100):
        Wt[:, rows] = left
        open_ = violations(left, cross[:, rows], gram, l1, l2) > limits[rows]
        rows = rows[open_]
        if not len(rows):
            break
        left, products = np.ascontiguousarray(left[:, open_]), np.ascontiguousarray(cross[:, rows])
        for _ in range(10):
            sweep(left, products, gram, l1, l2)
    return np.asarray(Wt.T)


def multiply(X: Floats, W: Floats, H: Floats, beta: float, l1: float, l2: float) -> Floats:
    """Return W after one multiplicative update of the beta divergence."""
    fit = np.maximum(W @ H, _TINY**0.25)
    if beta == 2:
        up, down = X @ H.T, W @ (H @ H.T)
    else:
        up, down = (X * fit ** (beta - 2)) @ H.T, fit ** (beta - 1) @ H.T
    ratio = up / np.maximum(down + l1 + l2 * W, _TINY**0.25)
    power = 1 / (2 - beta) if beta < 1 else 1 / (beta - 1) if beta > 2 else 1.0
    return np.asarray(W * ratio**power)


def divergence(X: Floats, W: Floats, H: Floats, beta: float) -> float:
    """Return the beta divergence of X and W H; 2 is half the squares, 1 Kullback-Leibler."""
    fit = np.maximum(W @ H, 1e-16)
    if beta == 2:
        return float(((X - W @ H) ** 2).sum() / 2)
    some = X > 0
    if beta == 1:
        return float((X[some] * np.log(X[some] / fit[some])).sum() + fit.sum() - X.sum())
    if beta == 0:
        ratio = np.maximum(X, 1e-16) / fit
        return float((ratio - np.log(ratio) - 1).sum())
    powers = (X[some] ** beta).sum() + (beta - 1) * (fit**beta).sum()
    return float((powers - beta * (X * fit ** (beta - 1)).sum()) / (beta * (beta - 1)))
