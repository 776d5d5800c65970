"""Which solver fits a penalised linear problem: the one that the shape makes the cheapest.

======================================  ====================================================
few unknowns                            Newton
many rows                               Newton on a sample first (`SampledNewton`)
sparse with over 250 columns, or wider  dual coordinates, or Newton with conjugate gradients
than 2000
all else                                L-BFGS, with a metric if it must (`PreconditionedLBFGS`)
======================================  ====================================================

More columns than rows, dense, take as many coordinates as there are rows first (`row_space`).
"""

import warnings
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.base.threads import one_blas_thread
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.loss import Floats
from gramian.objectives.problem import Problem
from gramian.solvers.dual_coordinate import DualCoordinate
from gramian.solvers.gradient import GradientDescent
from gramian.solvers.lbfgs import LBFGS
from gramian.solvers.newton import Newton
from gramian.solvers.preconditioned import PreconditionedLBFGS
from gramian.solvers.sampled import FORMED, NEWTON, SampledNewton
from gramian.solvers.schedules import InverseTime
from gramian.solvers.solver import Callback, Result, Solver
from gramian.solvers.stochastic import StochasticGradient

Route: TypeAlias = Literal[
    "auto",
    "lbfgs",
    "newton-cg",
    "newton-cholesky",
    "gradient",
    "sgd",
    "liblinear",
    "sag",
    "saga",
]
AUTOMATIC = ("auto", "liblinear", "sag", "saga")  # the minimum is one, so any way to it will do

SPARSE = 250  # columns above which sparse rows are not made dense for a Gram matrix
FACTORED = 2000  # columns up to which a Gram matrix is factorised at all
SMALL = 60  # unknowns up to which BLAS uses one thread anyway
CHUNKED = 250  # unknowns up to which chunks give Hessians
ROWS_PER_UNKNOWN = 100  # of a sample: its Hessian is then right to about a tenth; of K classes
ROWS_OF_CLASSES = 200  # a row tells of K - 1 directions, so this over K - 1 are enough
WORK = 2_000_000_000  # multiplications that the Hessian of a sample may cost


def solver_for(problem: Problem, route: Route, *, tol: float, max_iter: int, seed: Any) -> Solver:
    """Return the solver that a name stands for; those in AUTOMATIC choose by the shape."""
    limits: dict[str, Any] = {"tol": tol, "max_iter": max_iter}
    match route:
        case "lbfgs":
            return LBFGS(**limits)
        case "newton-cg":
            return Newton(system="cg", **limits)
        case "newton-cholesky":
            return Newton(**limits)
        case "gradient":
            return GradientDescent(**limits)
        case "sgd":
            return StochasticGradient(_rate(problem), batch_size=1, random_state=seed, **limits)
        case _:
            return _automatic(problem, limits)


def _rate(problem: Problem) -> InverseTime:
    """Return 1 / (curvature bound of an average row), halved after the first pass, and so on.

    A loss that names no bound counts as the squared loss, 1.
    """
    assert isinstance(problem, LinearProblem)
    values = problem.X.data if sp.issparse(problem.X) else problem.X
    square = float(np.sum(np.square(values, dtype=float))) / problem.n_rows + problem.intercept
    return InverseTime(1 / (min(problem.loss.curvature_bound, 1.0) * square), half=problem.n_rows)


def _automatic(problem: Problem, limits: dict[str, Any]) -> Solver:
    assert problem.size is not None
    unknowns = problem.size
    if type(problem) is not LinearProblem:  # chunks, a reference class: no sample, no bound
        return Newton(**limits) if unknowns <= CHUNKED else LBFGS(memory=20, **limits)
    n, m = problem.n_rows, problem.shape[0]
    outputs = unknowns // m
    if m > FACTORED or (sp.issparse(problem.X) and m > SPARSE and outputs == 1):
        if "dual" not in problem.lacking():
            return DualCoordinate(**limits)
        return Newton(system="cg", **limits) if outputs == 1 else LBFGS(memory=20, **limits)
    cost = Costs.of(problem)
    match cost.cheapest():
        case "newton":
            return Newton(**limits)
        case "sampled":
            return SampledNewton(rows=cost.sample(), **limits)
        case _:
            plain = int(1.5 * cost.metric() / cost.step(n))
            plain = 0 if plain < 8 else min(plain, limits["max_iter"] // 3)
            return PreconditionedLBFGS(rows=cost.metric_rows(), plain=plain, **limits)


class Costs(NamedTuple):
    """What ways to the minimum cost, in multiplications of a pass for value and gradient.

    The rates were measured with one thread in float64: a call of a pass and the step around it take
    as long as half a million multiplications, a row's exponential 40; in a Gram matrix a
    multiplication costs 0.35, in a factorisation 1. The numbers of steps are typical ones.
    """

    n: int
    m: int
    outputs: int
    values: float  # of a row, at most m

    @classmethod
    def of(cls, problem: LinearProblem) -> "Costs":
        """Return the costs of a problem, from its shape."""
        n, m = problem.n_rows, problem.shape[0]
        values = problem.X.nnz / n + 1 if sp.issparse(problem.X) else m
        return cls(n, m, problem.size // m, values)

    def cheapest(self) -> Literal["newton", "sampled", "metric"]:
        """Return the cheapest way."""
        sample = self.sample()
        formed = self.unknowns <= FORMED
        steps_with_bound = 12 if self.outputs == 1 else 40  # of classes the bound is a worse one
        totals: dict[Literal["newton", "sampled", "metric"], float] = {
            "newton": 5 * self.hessian(self.n),
            "metric": self.metric() + steps_with_bound * self.step(self.n),
        }
        if self.n >= 1.5 * sample:
            steps = 5 if formed else 30
            totals["sampled"] = self._on_sample(sample) + steps * self.step(self.n)
        return min(totals, key=totals.__getitem__)

    @property
    def unknowns(self) -> int:
        """The columns, the bias among them, times the outputs."""
        return self.m * self.outputs

    def step(self, rows: int) -> float:
        """Return the cost of a step of L-BFGS on so many rows."""
        return 5e5 + rows * self.outputs * (2 * self.values + 40)

    def hessian(self, rows: int) -> float:
        """Return the cost of a pass for the Hessian, factorised."""
        p = self.unknowns
        multiplication = 0.35 if self.outputs == 1 else 1.5  # rows are multiplied out for classes
        return 6e5 + rows * (multiplication * p**2 / 2 + 4 * p + 40) + p**3 / 3

    def metric_rows(self) -> int:
        """Return how many rows make a bound of the Hessian that is good enough as a metric."""
        return min(self.n, max(2000, 8 * self.m))

    def metric(self, rows: int | None = None) -> float:
        """Return the cost of that bound, factorised; one for all outputs."""
        rows = self.metric_rows() if rows is None else rows
        return 5e5 + 0.35 * rows * self.m**2 / 2 + self.m**3 / 3

    def sample(self) -> int:
        """Return how many rows make a sample whose Hessian, or bound of it, is good enough."""
        p = self.unknowns
        if p > FORMED:
            return max(2000, self.n // 8, 5 * self.m)
        each = min(ROWS_PER_UNKNOWN, ROWS_OF_CLASSES // max(1, self.outputs - 1))
        return max(2000, min(each * p, WORK // p**2), 5 * self.m)

    def _on_sample(self, rows: int) -> float:
        """Return the cost of what `SampledNewton` does before it comes to all rows."""
        if self.unknowns > FORMED:
            return self.metric(rows) + 16 * self.step(rows)
        if self.outputs == 1 and self.m <= NEWTON:
            return 5 * self.hessian(rows)
        return 2 * (self.metric(rows) + 12 * self.step(rows)) + self.hessian(rows)


def solve(
    problem: Problem,
    route: Route,
    start: Floats | None,
    *,
    owner: str,
    tol: float,
    max_iter: int,
    seed: Any = None,
    callback: Callback | None = None,
) -> tuple[Result, str]:
    """Minimise; return the result and the name of the solver; `owner` is who asks."""
    solver = solver_for(problem, route, tol=tol, max_iter=max_iter, seed=seed)
    alternates = route in AUTOMATIC and (problem.size or 0) > SMALL
    with one_blas_thread() if alternates else nullcontext():
        result = solver.minimize(problem, start, trace=False, callback=callback)
    if not np.isfinite(result.gradient_norm):  # later iterates that are not finite are not kept
        raise DataError(
            f"{owner}: the cost or its gradient is not finite at the start, because the values of "
            "X are too large; scale the columns, for example to unit variance."
        )
    return result, type(solver).__name__


def has_settled(result: Result) -> bool:
    """Tell whether no more can be gained: a rule was met, or rounding is all that is left."""
    if _has_diverged(result):
        return False
    first = float(result.trace.gradient_norms[0])
    return result.converged or result.gradient_norm <= 1e-9 * max(first, np.finfo(float).tiny)


def _has_diverged(result: Result) -> bool:
    last = result.trace.values[-1], result.trace.gradient_norms[-1]
    return not np.all(np.isfinite(last))


def warn_unless_settled(owner: str, results: Iterable[Result], *, stacklevel: int) -> None:
    """Warn if one of the results is not a minimum; one that a callback stopped is as wanted."""
    for result in results:
        if not has_settled(result) and "callback" not in result.message:
            advice = " Scale the columns of X, or try another solver." * _has_diverged(result)
            warnings.warn(
                f"{owner}: not converged: {result.message}.{advice}",
                ConvergenceWarning,
                stacklevel=stacklevel + 1,
            )
            return
