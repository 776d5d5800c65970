"""Many rows: a sample of them shows where the minimum is, and how the cost curves there."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import count, islice

import numpy as np
import numpy.typing as npt
import scipy.linalg

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.randomness import stream
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.loss import Floats
from gramian.objectives.problem import Problem
from gramian.objectives.regression import SquaredError
from gramian.solvers.lbfgs import LBFGS, Pairs
from gramian.solvers.newton import Newton
from gramian.solvers.solver import Iterate, Solver, Stop

FORMED = 600  # unknowns up to which the Hessian of the sample is formed
_SINGLE = 3e-8  # part of J that a step in single precision must gain: its rounding
_RIDGE = 1e-10  # part of the diagonal that keeps a singular Hessian factorisable


@params
class SampledNewton(Solver):
    """Newton's method on a sample of the rows, then L-BFGS on all of them.

    With m of n rows and p unknowns, the sample's minimum is off by about sqrt(p / m) standard
    errors and its Hessian by the same part, so with that Hessian as metric each step on all rows
    gains one or two digits. A step costs one pass for value and gradient; Hessians, p / 20 times
    as dear, are formed on the sample alone, anew where `refresh` steps were not enough. With more
    than 600 unknowns (classes times columns) a bound of the Hessian takes its place,

        sum_i omega_i L''(y_i, z_i) x_i x_i' <= sup L'' sum_i omega_i x_i x_i'

    of one p x p matrix for all outputs (Boehning 1992; for softmax (I - 11'/K) / 2 in place of
    sup L''); the first steps are then made in single precision, where the problem has such passes.
    Subsampled Newton methods: Roosta-Khorasani and Mahoney 2019.

    Parameters
    ----------
    rows
        m, the size of the sample, drawn with replacement by a fixed seed; all rows, each once,
        where there are no more than m.
    refresh
        Steps after which the Hessian of the sample is formed anew; then twice as many, and so on.
    max_iter
        The most steps on all rows.
    tol
        Stop where the norm of the gradient is at most this.
    decrease
        Stop where a step lowers J by at most this part of max(1, |J|).

    Examples
    --------
    >>> from gramian.objectives import L2, LinearProblem, Logistic
    >>> X = np.random.default_rng(0).normal(size=(4000, 3))
    >>> problem = LinearProblem(X, (X.sum(axis=1) > 0.5) * 1.0, Logistic(), L2(0.01))
    >>> result = SampledNewton(rows=500).minimize(problem)
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
        sample = problem.subset(sample_of(problem.n_rows, self.rows))
        if sample.size > FORMED:
            yield from self._with_bound(problem, sample, x)
        x = self._minimum(sample, x)
        for turn in count():
            metric = hessian_metric(sample.hessian(x))
            steps = LBFGS(metric=metric, memory=20)._iterates(problem, x)
            for now in islice(steps, min(turn, 1), self.refresh * 2**turn + 1):
                yield now
            x = now.x

    def _with_bound(
        self, problem: LinearProblem, sample: LinearProblem, x: Floats
    ) -> Iterator[Iterate]:
        """Yield L-BFGS's iterates on all rows; its memory begins with the steps on the sample."""
        steps = LBFGS(metric=bound_metric(sample), memory=30, decrease=1e-3, max_iter=50)
        pairs: Pairs = deque(maxlen=steps.memory)
        rough_sample = sample.in_single_precision() or sample
        x = steps._follow(steps.iterates_from(rough_sample, x, pairs), False, None).x
        if (rough := problem.in_single_precision()) is not None:
            x = yield from self._far_from_minimum(steps.iterates_from(rough, x, pairs), x)
        yield from steps.iterates_from(problem, x, pairs)

    def _far_from_minimum(
        self, iterates: Iterator[Iterate], x: Floats
    ) -> Generator[Iterate, None, Floats]:
        """Yield iterates in single precision while they gain; return where to go on without."""
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
        """Return roughly the minimum of the sample."""
        if len(sample.shape) == 1:
            return Newton(decrease=1e-4, max_iter=20).minimize(sample, x, trace=False).x
        # the Hessian of many outputs is dear: twice, not at every step
        rough = LBFGS(metric=bound_metric(sample), decrease=1e-3, max_iter=20)
        x = rough.minimize(sample, x, trace=False).x
        better = LBFGS(metric=hessian_metric(sample.hessian(x)), decrease=1e-4, max_iter=20)
        return better.minimize(sample, x, trace=False).x


def sample_of(n_rows: int, size: int) -> npt.NDArray[np.intp]:
    """Return the row numbers of a sample, sorted; the same at every call.

    They are drawn with replacement; a sample of at least as many as there are is all rows once.

    Examples
    --------
    >>> sample_of(10, 4)
    array([0, 0, 2, 6])
    >>> sample_of(3, 4)
    array([0, 1, 2])
    """
    if size >= n_rows:
        return np.arange(n_rows)
    return np.sort(stream(0).integers(n_rows, size=size))


def hessian_metric(H: Floats) -> Callable[[Floats], Floats]:
    """Return v -> H^-1 v; a singular direction, where the gradient is 0, is left as it is.

    Examples
    --------
    >>> hessian_metric(np.diag([2.0, 4.0]))(np.array([2.0, 4.0])).round(6)
    array([1., 1.])
    """
    diagonal = np.diag(H)
    floor = np.where(diagonal > 0, diagonal, 1.0)
    factor = scipy.linalg.cho_factor(H + np.diag(_RIDGE * floor), check_finite=False)
    return lambda v: np.asarray(scipy.linalg.cho_solve(factor, v, check_finite=False))


def bound_metric(problem: LinearProblem) -> Callable[[Floats], Floats]:
    """Return v -> B^-1 v for the bound B of the Hessian that does not depend on the point.

    Examples
    --------
    >>> from gramian.objectives import Logistic
    >>> problem = LinearProblem([[2.0], [-2.0]], [0.0, 1.0], Logistic(), intercept=False)
    >>> bound_metric(problem)(np.array([1.0])).round(6)        # Hessian at most 4 / 4
    array([1.])
    """
    omega = problem.functional.weights(np.zeros(problem.n_rows))
    plain = LinearProblem(
        problem.X,
        np.zeros(problem.n_rows),
        SquaredError(),
        functional=WeightedSum(omega),
        intercept=problem.intercept,
    )
    m, d = problem.shape[0], problem.X.shape[1]
    ridge = np.zeros(m)
    if problem.penalty is not None:
        one = np.zeros((m if problem.penalty.bias else d, 1))
        ridge[: len(one)] = np.diag(problem.penalty.hessian(one))
    inverse = hessian_metric(
        problem.loss.curvature_bound * plain.hessian(np.zeros(m)) + np.diag(ridge)
    )
    if problem.loss.targets != "classes":
        return lambda v: inverse(v.reshape(problem.shape)).reshape(-1)

    def of_classes(v: Floats) -> Floats:
        """Invert: where all classes move together the loss is flat, and the penalty alone acts."""
        V = v.reshape(problem.shape)
        together = V.mean(axis=1, keepdims=True)
        flat = np.divide(
            together, ridge[:, None], out=np.zeros_like(together), where=ridge[:, None] > 0
        )
        return np.asarray(inverse(V - together) + flat).reshape(-1)

    return of_classes
