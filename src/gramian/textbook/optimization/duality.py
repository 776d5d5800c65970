"""Lagrange multipliers, dual functions and the gap between a problem and its dual."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize as scipy_minimize
from scipy.optimize import root

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.objectives.derivatives import numeric_gradient

Scalar: TypeAlias = Callable[[Floats], float]


@dataclass(frozen=True)
class Lagrangian:
    """min f(x) subject to g_i(x) <= 0, with multipliers lambda_i >= 0.

    L(x, lambda) = f(x) + sum_i lambda_i g_i(x). Its maximum over lambda >= 0 is f(x) if x is
    feasible and infinite otherwise; its minimum over x is the dual function, a lower bound of f(x)
    for every feasible x (weak duality; Boyd and Vandenberghe 2004, 5.1).

    Parameters
    ----------
    f
        The objective.
    constraints
        The functions g_i.

    Examples
    --------
    >>> from gramian.textbook.optimization import Lagrangian
    >>> problem = Lagrangian(lambda x: float(x @ x), [lambda x: 1 - x[0]])     # x >= 1
    >>> round(problem.dual([2.0], [0.0]), 6), round(problem.gap([1.0], [2.0], [0.0]), 6)
    (1.0, 0.0)
    """

    f: Scalar
    constraints: Sequence[Scalar]

    def value(self, x: npt.ArrayLike, multipliers: npt.ArrayLike) -> float:
        """Return L(x, lambda)."""
        at = np.asarray(x, dtype=float)
        parts = [w * g(at) for w, g in zip(np.asarray(multipliers), self.constraints, strict=True)]
        return float(self.f(at) + sum(parts))

    def worst(self, x: npt.ArrayLike) -> float:
        """Return max over lambda >= 0 of L: f(x) if x is feasible, else infinity."""
        at = np.asarray(x, dtype=float)
        feasible = all(g(at) <= 0 for g in self.constraints)
        return float(self.f(at)) if feasible else float("inf")

    def minimiser(self, multipliers: npt.ArrayLike, start: npt.ArrayLike) -> Floats:
        """Return the x that minimises L, found from `start` by BFGS."""

        def value(x: Floats) -> float:
            return self.value(x, multipliers)

        begin = np.asarray(start, dtype=np.float64).ravel()
        found = scipy_minimize(value, begin, method="BFGS")
        return np.asarray(found.x)

    def dual(self, multipliers: npt.ArrayLike, start: npt.ArrayLike) -> float:
        """Return min over x of L, a lower bound of the problem where L is convex in x."""
        return self.value(self.minimiser(multipliers, start), multipliers)

    def gap(
        self, x: npt.ArrayLike, multipliers: npt.ArrayLike, start: npt.ArrayLike | None = None
    ) -> float:
        """Return f(x) minus the dual value, which is >= 0 for feasible x and lambda >= 0."""
        return self.worst(x) - self.dual(multipliers, x if start is None else start)


def equality_multipliers(
    f: Scalar, constraints: Sequence[Scalar], start: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Solve grad f = sum_i lambda_i grad g_i, g_i = 0: a stationary point on the constraints.

    Parameters
    ----------
    f
        The objective.
    constraints
        The functions g_i that must be 0.
    start
        Initial x.

    Returns
    -------
    x, multipliers
        The point and lambda.

    Examples
    --------
    >>> from gramian.textbook.optimization import equality_multipliers
    >>> x, w = equality_multipliers(lambda x: x[0] + x[1], [lambda x: x @ x - 2], [-0.5, -2.0])
    >>> x.round(5), w.round(5)
    (array([-1., -1.]), array([-0.5]))
    """
    x0 = np.asarray(start, dtype=float)
    d = len(x0)

    def residual(z: Floats) -> Floats:
        x, w = z[:d], z[d:]
        slopes = [numeric_gradient(g, x) for g in constraints]
        stationary = numeric_gradient(f, x) - sum(
            (w[i] * s for i, s in enumerate(slopes)), np.zeros(d)
        )
        return np.concatenate([stationary, [g(x) for g in constraints]])

    J = np.array([numeric_gradient(g, x0) for g in constraints])
    guess = np.linalg.lstsq(J.T, numeric_gradient(f, x0), rcond=None)[0]
    found = root(residual, np.concatenate([x0, guess]), tol=1e-10)
    if not np.abs(residual(found.x)).max() <= 1e-5:
        raise DataError(
            f"equality_multipliers: no stationary point found from {x0.tolist()}: {found.message} "
            "Try another start."
        )
    return found.x[:d], found.x[d:]
