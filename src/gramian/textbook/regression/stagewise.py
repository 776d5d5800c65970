"""Forward stagewise regression, and least squares with an l_q penalty."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_X_y

from gramian.base.errors import ParameterError
from gramian.base.rows.moments import Vector
from gramian.base.types import Matrix
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.lq_penalties import Lq, LqBall
from gramian.objectives.regression import SquaredError
from gramian.solvers.first_order.proximal_gradient import ProximalGradient


def stagewise_path(
    X: npt.ArrayLike, y: npt.ArrayLike, *, step: float = 0.01, n_steps: int = 1000
) -> Matrix:
    """Compute the path of forward stagewise regression.

    Each step moves the coefficient of the column most correlated with the residual by +-`step`;
    with small steps the path tends to that of the lasso (Hastie, Tibshirani and Friedman 2009,
    3.8.1). Columns are centred and scaled to unit length; the coefficients are returned on the
    original scale.

    Parameters
    ----------
    X
        Array (n, d).
    y
        Targets (n,).
    step
        epsilon, > 0.
    n_steps
        Number of steps.

    Returns
    -------
    array (n_steps + 1, d)
        The coefficients before the first step and after every step.

    Examples
    --------
    >>> from gramian.textbook.regression import stagewise_path
    >>> X, y = [[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [-1.0, 1.0, 0.0]
    >>> stagewise_path(X, y, n_steps=2)[-1].round(4)
    array([0.0141, 0.    ])
    """
    table, targets = check_X_y(X, y, dtype=np.float64, y_numeric=True)
    if not step > 0:
        raise ParameterError(f"stagewise_path: step must be > 0; got {step!r}.")
    Z = table - table.mean(axis=0)
    length = np.linalg.norm(Z, axis=0)
    length[length == 0] = 1.0
    Z = Z / length
    gram = Z.T @ Z
    c = Z.T @ (targets - targets.mean())
    path = np.zeros((n_steps + 1, Z.shape[1]))
    for t in range(n_steps):
        j = int(np.argmax(np.abs(c)))
        move = step * float(np.sign(c[j]))
        path[t + 1] = path[t]
        path[t + 1, j] += move
        c = c - move * gram[j]
    return np.asarray(path / length)


class LqFit(NamedTuple):
    """Least squares with an l_q penalty or constraint."""

    coef: Vector
    intercept: float
    value: float  # value of the cost


def lq_regression(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    q: float,
    *,
    strength: float | None = None,
    budget: float | None = None,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> LqFit:
    """Fit least squares with penalty lambda/2 sum_j |c_j|^q, or under sum_j |c_j|^q <= budget.

    Minimises 1/2 sum_i (y_i - b - x_i'c)^2 + lambda/2 sum_j |c_j|^q (Bishop 2006, 3.29), the
    intercept free. For q >= 1 the cost is convex and proximal gradients (projected ones for the
    constraint) find its minimum. For 0 < q < 1 it is not: iteratively reweighted ridge regression
    (Gorodnitsky and Rao 1997) finds a local minimum with many zeros; another strength may find
    another.

    Parameters
    ----------
    X
        Array (n, d).
    y
        Targets (n,).
    q
        The power, > 0; below 1 only with `strength`.
    strength
        lambda >= 0.
    budget
        The bound > 0, instead of `strength`.
    tol
        Stop when the norm of the gradient step is at most this.
    max_iter
        Maximum number of steps.

    Returns
    -------
    LqFit

    Examples
    --------
    >>> from gramian.textbook.regression import lq_regression
    >>> X, y = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], [2.0, -2.0, 0.1, -0.1]
    >>> lq_regression(X, y, 1.0, strength=2.0).coef.round(3)
    array([1.5, 0. ])
    """
    table, targets = check_X_y(X, y, dtype=np.float64, y_numeric=True)
    if (strength is None) == (budget is None):
        raise ParameterError("lq_regression: pass either strength or budget, not both.")
    if not q > 0 or (budget is not None and q < 1):
        raise ParameterError(
            "lq_regression: q must be > 0, and >= 1 with a budget, so that the set is convex; "
            f"got {q!r}."
        )
    centre, level = table.mean(axis=0), float(targets.mean())
    Z, r = table - centre, targets - level
    if q < 1:
        coef = _reweighted_ridge(Z, r, q, float(strength or 0.0), tol, max_iter)
        value = float(np.square(r - Z @ coef).sum() / 2) + Lq(q, float(strength or 0.0)).value(coef)
    else:
        n = len(r)
        penalty: Any = (
            LqBall(q, float(budget)) if budget is not None else Lq(q, float(strength or 0.0) / n)
        )
        problem = LinearProblem(Z, r, SquaredError(), penalty, intercept=False)
        found = ProximalGradient(tol=tol, max_iter=max_iter).minimize(problem, trace=False)
        coef, value = found.x, n * found.value
    return LqFit(coef, level - float(coef @ centre), value)


def _reweighted_ridge(
    Z: Matrix, r: Vector, q: float, strength: float, tol: float, max_iter: int
) -> Vector:
    """Iterate: replace |c|^q with a tangent parabola at the last c, and solve."""
    gram, moment = Z.T @ Z, Z.T @ r
    d = len(moment)
    c = np.linalg.lstsq(gram + 1e-10 * np.eye(d) * np.trace(gram) / d, moment, rcond=None)[0]
    floor = 1e-8 * max(float(np.abs(c).max(initial=0.0)), 1e-300)
    for _ in range(max_iter):
        kept = np.abs(c) > floor
        weight = strength * q / 2 * np.abs(c[kept]) ** (q - 2)
        after = np.zeros(d)
        after[kept] = np.linalg.solve(gram[np.ix_(kept, kept)] + np.diag(weight), moment[kept])
        converged = float(np.abs(after - c).max(initial=0.0)) <= tol
        c = after
        if converged:
            break
    return np.where(np.abs(c) > floor, c, 0.0)
