"""L-BFGS that pays for a metric only when the steps without one have not been enough."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, islice

import numpy as np

from gramian.base.fields import KW_ONLY, Count, NonNegativeInt, params
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.second_order.lbfgs import LBFGS
from gramian.solvers.second_order.preconditioners import bound_metric, hessian_metric, sample_of
from gramian.solvers.solver import Iterate, Solver, Stop

FACTORED = 2000  # unknowns up to which Hessians are formed


@params
class PreconditionedLBFGS(Solver):
    """L-BFGS with a metric that becomes better while the gradient stays large.

    1. `plain` steps without one: columns of like size and little correlation need no more.
    2. A bound B of the Hessian that holds at every point (Boehning 1992; see `bound_metric`), of
       one factorisation. In this metric units and correlations of the columns do not count.
    3. After `refresh` steps the Hessian at the point reached, then anew after twice as many, and so
       on: where most rows are sure of their class the bound is far from it.

    A step is one pass for value and gradient. With `plain` about the price of the metric in steps,
    the whole costs at most about twice the better of both ways, whichever that is.

    Parameters
    ----------
    rows
        Rows of the sample that metrics are made from; all, where there are no more.
    plain
        Steps without a metric.
    refresh
        Steps with the bound before the first Hessian is formed.
    max_iter
        The most steps.
    tol
        Stop where the norm of the gradient is at most this.
    decrease
        Stop where a step lowers J by at most this part of max(1, |J|).

    Examples
    --------
    >>> from gramian.objectives import L2, LinearProblem, Logistic
    >>> X = np.random.default_rng(0).normal(size=(400, 3)) * [1, 100, 10_000]
    >>> problem = LinearProblem(X, (X[:, 0] > 0.5) * 1.0, Logistic(), L2(0.01))
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
            with suppress(Stop):  # the line search is at its end: the metric gives another one
                for now in islice(LBFGS()._iterates(problem, x), 1, self.plain + 1):
                    yield now
        sample = problem.subset(sample_of(problem.n_rows, self.rows))
        for turn in count():
            steps = LBFGS(memory=20, metric=self._metric(sample, now.x, turn))
            last = None if sample.size > FACTORED else self.refresh * 2**turn + 1
            iterates = steps._iterates(problem, now.x)
            for now in islice(iterates, 1, last):
                yield now

    def _metric(self, sample: LinearProblem, x: Floats, turn: int) -> Callable[[Floats], Floats]:
        if turn == 0 and np.isfinite(sample.loss.curvature_bound):
            return bound_metric(sample)
        return hessian_metric(sample.hessian(x))
