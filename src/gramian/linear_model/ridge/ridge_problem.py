"""The objective of ridge regression, and functions shared by its solvers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from gramian.base.rows.moments import Summary, Vector
from gramian.base.types import Matrix


@dataclass(frozen=True)
class RidgeProblem:
    """The penalty of the objective: alpha of each target, and P or None for I."""

    alpha: Vector
    penalty: Matrix | None
    fit_intercept: bool
    penalize_intercept: bool

    @property
    def has_bias_column(self) -> bool:
        """Whether the intercept is penalised like a column; then columns are not centred."""
        return self.fit_intercept and self.penalize_intercept

    @property
    def centred(self) -> bool:
        """Whether the columns are centred."""
        return self.fit_intercept and not self.penalize_intercept

    def matrix(self, d: int) -> Matrix:
        """Return P, with a 1 for the intercept if it is penalised."""
        P = np.eye(d) if self.penalty is None else self.penalty
        return scipy.linalg.block_diag(P, [[1.0]]) if self.has_bias_column else P


@dataclass(frozen=True)
class Fit:
    """The model (m, d + 1), intercept last; the solver; the iterations of an iterative one."""

    model: Matrix
    solver: str
    n_iter: Matrix | None = None


def moments(summary: Summary, problem: RidgeProblem) -> tuple[Matrix, Matrix, Vector]:
    """Return A'WA, A'WY for the columns that are penalised, and the means subtracted."""
    d = summary.n_features
    with np.errstate(over="ignore", invalid="ignore"):  # overflow is handled by another solver
        if problem.centred:
            products = summary.centred()
            return products[:d, :d], products[:d, d:], summary.means
        about_zero = summary.about(np.zeros_like(summary.shift)).gram
    columns = [*range(d), len(about_zero) - 1] if problem.has_bias_column else [*range(d)]
    zeros = np.zeros_like(summary.shift)
    return about_zero[np.ix_(columns, columns)], about_zero[columns, d:-1], zeros


def with_intercept(coef: Vector, means: Vector, target: Any, problem: RidgeProblem) -> Vector:
    """Return the coefficients and, as the last entry, the intercept."""
    if problem.has_bias_column:
        return coef
    d = len(coef)
    bias = means[d + target] - coef @ means[:d] if problem.centred else 0.0
    return np.append(coef, bias)
