"""Linear programs for piecewise linear costs: least absolute deviations, Chebyshev, L1 SVMs."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from gramian.base.fields import params
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Floats
from gramian.objectives.functionals import Max
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import L1
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Iterate, Solver, Stop


@params
class LinearProgram(Solver):
    """The exact minimum of a piecewise linear cost, by SciPy's HiGHS.

    For a loss that is a maximum of linear functions, L = max_k s_k z + h_k, it solves::

        min sum_i omega_i t_i + sum_j lambda_j u_j
        s_ik (x_i . w + b) + h_ik <= t_i for all i, k,    -u_j <= w_j <= u_j

    With `AbsoluteError` and `Mean` this is least absolute deviations, with `Max` (one t for all
    rows) Chebyshev's minimax fit, with `Hinge` and `L1` the L1 support vector machine.

    Parameters
    ----------
    max_iter
        Maximum number of HiGHS iterations.
    tol
        Ignored: the minimum is exact, to the tolerances of HiGHS.
    decrease
        Ignored.

    Examples
    --------
    >>> from gramian.objectives import AbsoluteError, LinearProblem, Max
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 2.0, 3.0, 28.0]
    >>> LinearProgram().minimize(LinearProblem(X, y, AbsoluteError())).x.round(6) + 0.0
    array([1., 0.])
    >>> LinearProgram().minimize(LinearProblem(X, y, AbsoluteError(), None, Max())).value
    9.0
    """

    requires = ("linear program",)
    monotone = False

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        assert isinstance(problem, LinearProblem), "only these are known to be piecewise linear"
        yield Iterate(x, *problem.value_and_gradient(x))
        c, A, b = _program(problem)
        found = interruptible(
            PROGRAM * A.nnz,
            lambda: linprog(c, A, b, bounds=(None, None), options={"maxiter": self.max_iter}),
        )
        if found.x is None:
            raise Stop(f"HiGHS found no minimum: {found.message}")
        x = found.x[: len(x)]
        yield Iterate(x, *problem.value_and_gradient(x))
        raise Stop("HiGHS found the minimum", converged=bool(found.success))


def _program(problem: LinearProblem) -> tuple[Floats, sp.csr_array, Floats]:
    """Return c, A, b of min c.v with A v <= b, v = (w, b, t, u)."""
    X, n = problem.X, problem.n_rows
    design = sp.csr_array(X)
    if problem.intercept:
        design = sp.hstack([design, sp.csr_array(np.ones((n, 1)))])
    m = design.shape[1]
    shared = isinstance(problem.functional, Max)
    tops = sp.csr_array(np.ones((n, 1))) if shared else sp.eye_array(n)
    cost = np.ones(1) if shared else problem.functional.weights(np.zeros(n))

    blocks, bounds = [], []
    for slope, height in problem.loss.pieces(problem.y):
        blocks.append(sp.hstack([sp.diags_array(slope) @ design, -tops]))
        bounds.append(-height)
    A, b = sp.vstack(blocks), np.concatenate(bounds)
    c = np.concatenate([np.zeros(m), cost])

    if isinstance(problem.penalty, L1):
        p = m if problem.penalty.bias else X.shape[1]
        pick = sp.hstack([sp.eye_array(p), sp.csr_array((p, len(c) - p))])
        sides = sp.vstack([sp.hstack([sign * pick, -sp.eye_array(p)]) for sign in (1.0, -1.0)])
        A = sp.vstack([sp.hstack([A, sp.csr_array((A.shape[0], p))]), sides])
        b = np.concatenate([b, np.zeros(2 * p)])
        c = np.concatenate([c, np.broadcast_to(problem.penalty.strength, p)])
    return c, sp.csr_array(A), b
