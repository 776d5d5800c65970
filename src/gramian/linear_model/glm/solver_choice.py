"""The choice of a solver for a penalised linear problem: the cheapest one for its shape.

======================================  ====================================================
few unknowns                            Newton
many rows                               Newton on a sample first (`SubsampledNewton`)
sparse with over 250 columns, or wider  dual coordinate descent, or Newton with conjugate
than 2000                               gradients
otherwise                               L-BFGS, preconditioned if the first steps are not
                                        enough (`PreconditionedLBFGS`)
======================================  ====================================================

Dense data with more columns than rows are first reduced to n coordinates (`row_space`).
"""

import warnings
from collections.abc import Iterable
from contextlib import nullcontext
from math import isfinite
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats
from gramian.linear_model.glm.solver_costs import Costs
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.coordinate.dual_coordinate import DualCoordinate
from gramian.solvers.first_order.gradient_descent import GradientDescent
from gramian.solvers.second_order.lbfgs import LBFGS
from gramian.solvers.second_order.newton import Newton
from gramian.solvers.second_order.preconditioned_lbfgs import PreconditionedLBFGS
from gramian.solvers.second_order.subsampled_newton import SubsampledNewton
from gramian.solvers.solver import Callback, Result, Solver
from gramian.solvers.stochastic.schedules import InverseTime
from gramian.solvers.stochastic.stochastic_gradient import StochasticGradient

SolverName: TypeAlias = Literal[
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
AUTO_SOLVERS = (
    "auto",
    "liblinear",
    "sag",
    "saga",
)  # the minimum is unique, so the solver does not matter

MAX_SPARSE_GRAM_COLUMNS = 250  # for sparse rows, which a Gram matrix makes dense
MAX_GRAM_COLUMNS = 2000  # a larger Gram matrix is not factorised
ONE_THREAD_UNKNOWNS = 60  # BLAS uses one thread up to here anyway
MAX_CHUNKED_UNKNOWNS = 250  # chunks give Hessians up to here
_KEEP_HESSIAN_GAIN = 10.0  # a step that divides the gradient by more keeps its Hessian


def solver_for(
    problem: Problem,
    name: SolverName,
    *,
    tol: float,
    max_iter: int,
    seed: Any,
    near_minimum: bool = False,
) -> Solver:
    """Return the solver with this name; the names in AUTOMATIC choose by the shape.

    `near_minimum` means that the start is near the minimum, so one Hessian may be used for all
    steps.
    """
    limits: dict[str, Any] = {"tol": tol, "max_iter": max_iter}
    match name:
        case "lbfgs":
            return LBFGS(**limits)
        case "newton-cg":
            return Newton(system="cg", **limits)
        case "newton-cholesky":
            return Newton(**limits)
        case "gradient":
            return GradientDescent(**limits)
        case "sgd":
            if type(problem) is not LinearProblem:
                raise ParameterError(
                    "LogisticRegression: solver='sgd' visits single rows, which is not possible "
                    "with multi_class='reference'. Choose another solver, or 'multinomial'."
                )
            return StochasticGradient(
                _learning_rate(problem), batch_size=1, random_state=seed, **limits
            )
        case _:
            return _automatic(problem, limits, near_minimum)


def _learning_rate(problem: Problem) -> InverseTime:
    """Return a step size that starts at 1 / (curvature bound of an average row) and decays.

    It is halved after the first pass. A loss without a bound uses that of the squared loss, 1.
    """
    assert isinstance(problem, LinearProblem)
    values = problem.X.data if sp.issparse(problem.X) else problem.X
    square = float(np.sum(np.square(values, dtype=float))) / problem.n_rows + problem.intercept
    return InverseTime(1 / (min(problem.loss.curvature_bound, 1.0) * square), half=problem.n_rows)


def _automatic(problem: Problem, limits: dict[str, Any], near_minimum: bool) -> Solver:
    assert problem.size is not None
    unknowns = problem.size
    if type(problem) is not LinearProblem:  # chunks, a reference class: no sample, no bound
        if unknowns > MAX_CHUNKED_UNKNOWNS:
            return LBFGS(memory=20, **limits)
        return Newton(keep=_KEEP_HESSIAN_GAIN if near_minimum else np.inf, **limits)
    m = problem.shape[0]
    outputs = unknowns // m
    if m > MAX_GRAM_COLUMNS or (
        sp.issparse(problem.X) and m > MAX_SPARSE_GRAM_COLUMNS and outputs == 1
    ):
        if "dual" not in problem.lacking():
            return DualCoordinate(**limits)
        return Newton(system="cg", **limits) if outputs == 1 else LBFGS(memory=20, **limits)
    cost = Costs.of(problem)
    match cost.cheapest():
        case "newton":
            return Newton(**limits)
        case "sampled":
            return SubsampledNewton(rows=cost.sample(), **limits)
        case _:
            plain = min(cost.plain_steps(), limits["max_iter"] // 3)
            return PreconditionedLBFGS(rows=cost.preconditioner_rows(), plain=plain, **limits)


def solve(
    problem: Problem,
    name: SolverName,
    start: Floats | None,
    *,
    owner: str,
    tol: float,
    max_iter: int,
    seed: Any = None,
    callback: Callback | None = None,
    near_minimum: bool = False,
) -> tuple[Result, str]:
    """Minimise; return the result and the name of the solver. Options are those of `solver_for`."""
    if start is not None and not np.isfinite(start).all():
        raise DataError(
            f"{owner}: Floating-point under-/overflow: the coefficients for warm_start are not "
            "finite; set warm_start=False."
        )
    solver = solver_for(
        problem, name, tol=tol, max_iter=max_iter, seed=seed, near_minimum=near_minimum
    )
    alternates = name in AUTO_SOLVERS and (problem.size or 0) > ONE_THREAD_UNKNOWNS
    with one_blas_thread() if alternates else nullcontext():
        result = solver.minimize(problem, start, trace=False, callback=callback)
    # Only the start: later iterates that are not finite are dropped.
    if not isfinite(result.gradient_norm):
        raise DataError(
            f"{owner}: Floating-point under-/overflow: the cost or its gradient is not finite at "
            "the start, because the values of X are too large; scale the columns, for example to "
            "unit variance."
        )
    return result, type(solver).__name__


# The wording of scikit-learn's warnings.
_NOT_CONVERGED = {
    "liblinear": "Liblinear failed to converge, increase the number of iterations.",
    "newton-cholesky": "Newton solver did not converge after {} iterations",
    "sag": "The max_iter was reached which means the coef_ did not converge",
    "saga": "The max_iter was reached which means the coef_ did not converge",
}


def has_converged(result: Result) -> bool:
    """Return whether a stopping rule was met, or only rounding errors are left."""
    if _has_diverged(result):
        return False
    first = float(result.trace.gradient_norms[0])
    return result.converged or result.gradient_norm <= 1e-9 * max(first, np.finfo(float).tiny)


def _has_diverged(result: Result) -> bool:
    return not (isfinite(result.trace.values[-1]) and isfinite(result.trace.gradient_norms[-1]))


def warn_unless_converged(
    owner: str, results: Iterable[Result], *, solver: str = "the solver"
) -> None:
    """Warn if a solver did not converge, unless a callback stopped it."""
    for result in results:
        if not has_converged(result) and "callback" not in result.message:
            advice = (
                "Scale the columns of X, or try another solver."
                if _has_diverged(result)
                else "Increase the number of iterations, or scale the columns of X."
            )
            what = _NOT_CONVERGED.get(solver, f"{solver} failed to converge")
            warnings.warn(
                f"{owner}: {what.format(result.iterations)}: {result.message}. {advice}",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
            return
