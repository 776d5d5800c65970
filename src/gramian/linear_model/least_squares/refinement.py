"""Iterative refinement: add the solution for the residual until no digit changes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gramian.base.rows.moments import Rows, Vector
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.solution import EPS, Factor, Solution


def refined(rows: Rows, solution: Solution, factor: Factor, *, extended: bool) -> Solution:
    """Add the solution for the remaining residual until no digit changes.

    If products of X and y underflow, refinement would lose digits, so it is skipped.
    """
    if _products_vanish(solution, factor):
        return solution
    model = np.column_stack([solution.coef, solution.intercept])
    model, rss = refine(rows, model, factor.solve, extended=extended)
    if factor.null is not None:
        means = model[:, -1] + model[:, :-1] @ factor.means
        model = factor.model(model[:, :-1], means)
    return replace(
        solution,
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=rss,
        solver=f"{solution.solver}, refined",
    )


def _products_vanish(solution: Solution, factor: Factor) -> bool:
    """Return whether underflow in the gradient is visible in the fitted values.

    Column j is of size 1 / |F_j|, so c_j / |F_j| is the size of its part of y, and a change g of
    the gradient changes the values by g |F_k|.
    """
    length: Matrix = np.abs(factor.inverse).max(axis=1, initial=0.0)
    used = length > 0
    size = np.max(np.abs(solution.coef[:, used]) / length[used], initial=0.0)
    noise = solution.n_rows * np.finfo(np.float64).smallest_subnormal * length.max(initial=0.0)
    return bool(0 < EPS * size < noise)


def refine(
    rows: Rows,
    model: Matrix,
    solve: Callable[[Matrix], Matrix],
    *,
    penalty: Callable[[Matrix], Matrix] | None = None,
    extended: bool = True,
) -> tuple[Matrix, Vector]:
    """Refine (coef, intercept) of each target; return it with the sums of squares.

    An iteration computes the gradient X'W(y - Xc) - Pc, and adds its solution to the model, which
    is stored as high + low with `extended`. It ends when no coefficient changes in its last digit,
    or an iteration no longer halves the change. Without `extended` (float32 rows, condition below
    32) one iteration reduces an error of at most 1e-4 to 1e-7, which is enough.
    """
    low = np.zeros_like(model)
    last = np.inf
    rss = np.zeros(len(model))
    for _ in range(10 if extended else 1):
        with np.errstate(over="ignore", invalid="ignore"):  # products may overflow, X does not
            gradient, rss = rows.residuals(model, low, extended=extended)
            if penalty is not None:
                gradient = gradient - penalty(model)
            change = solve(gradient)
        if not np.all(np.isfinite(change)):
            break
        size = _relative(change, model)
        if size > last / 2:
            break
        total = model + (low + change)
        low = (model - total) + (low + change)
        model, last = total, size
        if size <= EPS / 2:
            break
    return model, rss


def _relative(change: Matrix, model: Matrix) -> float:
    """Return the largest relative change of a coefficient; infinite if one is near 0."""
    with np.errstate(over="ignore"):
        return float(np.max(np.abs(change) / np.maximum(np.abs(model), np.finfo(float).tiny)))
