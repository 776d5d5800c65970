"""Many rows: a sample approximates the minimum and the Hessian there."""

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import count, islice

import numpy as np

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.second_order.lbfgs import LBFGS, Pairs
from gramian.solvers.second_order.newton import Newton
from gramian.solvers.second_order.preconditioners import (
    Bound,
    bound_preconditioner,
    hessian_preconditioner,
    sample_of,
)
from gramian.solvers.second_order.split_preconditioner import split_preconditioner
from gramian.solvers.solver import Iterate, Solver, Stop

FORMED = 600  # unknowns up to which the Hessian of the sample is formed
NEWTON = 60  # unknowns up to which Newton's method is cheapest on the sample
_SINGLE = 3e-8  # relative decrease of J required of a step in single precision


@params
class SubsampledNewton(Solver):
    """Newton's method on a sample of the rows, then L-BFGS on all of them.

    With m of n rows and p unknowns, the sample's minimum is off by about sqrt(p / m) standard
    errors and its Hessian has about that relative error, so with it as preconditioner each step on
    all rows gains one or two digits. A step costs one pass for value and gradient; Hessians, p / 20
    times as expensive, are computed on the sample only, and again if `refresh` steps are not
    enough. With more than 600 unknowns (classes times columns) the minimum of the sample is found
    with a bound of the Hessian,

        sum_i omega_i L''(y_i, z_i) x_i x_i' <= sup L'' sum_i omega_i x_i x_i'

    with one p x p matrix for all outputs (Boehning 1992; for softmax (I - 11'/K) / 2 in place of
    sup L''), and the Hessian is formed along the scores only, see `split_preconditioner`; the first
    steps are then made in single precision, if the problem supports it. Subsampled Newton methods:
    Roosta-Khorasani and Mahoney 2019.

    Parameters
    ----------
    rows
        m, the size of the sample, drawn with replacement with a fixed seed; all rows, each once, if
        there are at most m.
    refresh
        Steps after which the Hessian of the sample is recomputed; then twice as many, and so on.
    max_iter
        Maximum number of steps on all rows.

    Examples
    --------
    >>> from gramian.objectives import L2, LinearProblem, Logistic
    >>> X = np.random.default_rng(0).normal(size=(4000, 3))
    >>> problem = LinearProblem(X, (X.sum(axis=1) > 0.5) * 1.0, Logistic(), L2(0.02))
    >>> result = SubsampledNewton(rows=500).minimize(problem)
    >>> result.converged, result.iterations < 12
    (True, True)
    """

    requires = ("hessian", "rows")

    _: KW_ONLY
    rows: Count = 5000
    refresh: Count = 15
    max_iter: Count = 100

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        assert isinstance(problem, LinearProblem), "only a sum over rows can be sampled"
        sample = self._sample(problem)
        if sample.size > FORMED:
            yield from self._with_bound(problem, sample, x)
        x = self._minimum(sample, x)
        for iteration in count():
            preconditioner = hessian_preconditioner(sample.hessian(x))
            steps = LBFGS(preconditioner=preconditioner, memory=20)._iterates(problem, x)
            for now in islice(steps, min(iteration, 1), self.refresh * 2**iteration + 1):
                yield now
            x = now.x

    def _sample(self, problem: LinearProblem) -> LinearProblem:
        """Return the problem on a sample of the rows of positive weight."""
        weighted = np.flatnonzero(problem.functional.weights(np.zeros(problem.n_rows)))
        if len(weighted) in (0, problem.n_rows):
            return problem.subset(sample_of(problem.n_rows, self.rows))
        return problem.subset(weighted[sample_of(len(weighted), self.rows)], len(weighted))

    def _with_bound(
        self, problem: LinearProblem, sample: LinearProblem, x: Floats
    ) -> Iterator[Iterate]:
        """Yield iterates on all rows, preconditioned by the sample at its own minimum."""
        bound = Bound.of(sample)
        on_sample = LBFGS(
            preconditioner=bound_preconditioner(sample, bound),
            memory=30,
            decrease=1e-3,
            max_iter=50,
        )
        rough_sample = sample.in_single_precision() or sample
        x = on_sample._run_iterates(on_sample._iterates(rough_sample, x), False, None).x
        unknowns = _affordable(problem, sample)
        for iteration in count():
            steps = LBFGS(
                preconditioner=split_preconditioner(sample, x, bound, unknowns), memory=30
            )
            pairs: Pairs = deque(maxlen=steps.memory)
            if iteration == 0 and (rough := problem.in_single_precision()) is not None:
                x = yield from self._far_from_minimum(steps.iterates_from(rough, x, pairs), x)
            iterates = steps.iterates_from(problem, x, pairs)
            for now in islice(iterates, min(iteration, 1), self.refresh * 2**iteration + 1):
                yield now
            x = now.x

    def _far_from_minimum(
        self, iterates: Iterator[Iterate], x: Floats
    ) -> Generator[Iterate, None, Floats]:
        """Yield iterates in single precision while J falls; return where to continue in double."""
        before = np.inf
        with suppress(Stop):  # no step lowers J: rounding
            for now in iterates:
                norm = float(np.linalg.norm(now.gradient))
                if not np.isfinite(now.value) or not np.isfinite(norm):
                    break
                x = now.x
                if norm <= self.tol or before - now.value <= _SINGLE * abs(now.value):
                    break
                yield now
                before = now.value
        return x

    def _minimum(self, sample: LinearProblem, x: Floats) -> Floats:
        """Return an approximate minimum of the sample."""
        if len(sample.shape) == 1 and (
            sample.size <= NEWTON or not np.isfinite(sample.loss.curvature_bound)
        ):
            return Newton(decrease=1e-4, max_iter=20).minimize(sample, x, trace=False).x
        # Hessians of many unknowns are expensive: twice, not at every step
        rough = LBFGS(preconditioner=bound_preconditioner(sample), decrease=1e-3, max_iter=20)
        x = rough.minimize(sample, x, trace=False).x
        better = LBFGS(
            preconditioner=hessian_preconditioner(sample.hessian(x)), decrease=1e-4, max_iter=20
        )
        return better.minimize(sample, x, trace=False).x


def _affordable(problem: LinearProblem, sample: LinearProblem) -> int:
    """Return the number of unknowns for which a Hessian of the sample costs about three passes."""
    return min(FORMED, int((8 * problem.n_rows * problem.size / sample.n_rows) ** 0.5))
