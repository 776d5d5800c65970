"""L-BFGS that computes a preconditioner only if the steps without one are not enough."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, islice

import numpy as np

from gramian.base.fields import KW_ONLY, Count, NonNegativeInt, params
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.second_order.lbfgs import LBFGS
from gramian.solvers.second_order.preconditioners import (
    bound_preconditioner,
    hessian_preconditioner,
    sample_of,
)
from gramian.solvers.solver import Iterate, Solver, Stop

FACTORED = 2000  # unknowns up to which Hessians are formed


@params
class PreconditionedLBFGS(Solver):
    """L-BFGS with a preconditioner that improves while the gradient stays large.

    1. `plain` steps without one: enough for columns of similar scale and little correlation.
    2. A bound B of the Hessian at all points (Boehning 1992; `bound_preconditioner`), with
       one factorisation. With it, units and correlations of the columns have no effect.
    3. After `refresh` steps the Hessian at the current point, then again after twice as many, and
       so on: if most rows have probabilities near 0 or 1, the bound is far from the Hessian.

    A step is one pass for value and gradient. With `plain` about the cost of the preconditioner in
    steps, the total costs at most about twice the cheaper of the two.

    Parameters
    ----------
    rows
        Size of the sample that preconditioners are computed from; all rows if there are fewer.
    plain
        Steps without a preconditioner.
    refresh
        Steps with the bound before the first Hessian is formed.

    Examples
    --------
    >>> from gramian.objectives import L2, LinearProblem, Logistic
    >>> X = np.random.default_rng(0).normal(size=(400, 3)) * [1, 100, 10_000]
    >>> problem = LinearProblem(X, (X[:, 0] > 0.5) * 1.0, Logistic(), L2(0.02))
    >>> result = PreconditionedLBFGS().minimize(problem)
    >>> result.converged, result.iterations < 20
    (True, True)
    """

    requires = ("hessian", "rows")

    _: KW_ONLY
    rows: Count = 5000
    plain: NonNegativeInt = 0
    refresh: Count = 40
    max_iter: Count = 100

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        assert isinstance(problem, LinearProblem), "only a sum over rows can be sampled"
        now = Iterate(x, *problem.value_and_gradient(x))
        yield now
        if self.plain > 0:
            with suppress(Stop):  # the preconditioner may find a step
                for now in islice(LBFGS()._iterates(problem, x), 1, self.plain + 1):
                    yield now
        sample = problem.subset(sample_of(problem.n_rows, self.rows))
        for iteration in count():
            steps = LBFGS(memory=20, preconditioner=self._preconditioner(sample, now.x, iteration))
            last = None if sample.size > FACTORED else self.refresh * 2**iteration + 1
            iterates = steps._iterates(problem, now.x)
            for now in islice(iterates, 1, last):
                yield now

    def _preconditioner(
        self, sample: LinearProblem, x: Floats, iteration: int
    ) -> Callable[[Floats], Floats]:
        if iteration == 0 and np.isfinite(sample.loss.curvature_bound):
            return bound_preconditioner(sample)
        return hessian_preconditioner(sample.hessian(x))
