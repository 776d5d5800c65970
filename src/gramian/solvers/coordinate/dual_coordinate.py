"""Dual coordinate descent: exact minimisation over one row at a time."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from gramian.base.fields import KW_ONLY, Count, NonNegativeInt, params
from gramian.base.types import Floats
from gramian.objectives.entropy import Logistic
from gramian.objectives.inner_product import inner
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.margin import Hinge, SquaredHinge
from gramian.objectives.penalties import L2
from gramian.objectives.problem import Problem
from gramian.objectives.regression import EpsilonInsensitive
from gramian.solvers.coordinate.dual_sweeps import DualSweeps, squared_norms
from gramian.solvers.second_order.newton import Newton
from gramian.solvers.solver import Iterate, Solver, Stop

_TRUST = 5.0  # initial ratio of the norm of the gradient to the prediction of a sweep
_SAFETY = 1.5  # safety factor on that ratio, once it has been measured
_ONES = 0.01  # squared value of the column of ones, relative to the squared norm of a row


@params
class DualCoordinate(Solver):
    """Coordinate descent on the dual of an L2-penalised linear problem.

    With c_i = omega_i / lambda the cost is lambda times

        |w|^2 / 2 + sum_i c_i L(y_i, x_i . w + b),

    whose dual has one unknown beta_i per row. An unpenalised bias adds the constraint
    sum_i beta_i = 0, which updates of one row at a time cannot keep. So a column of small ones
    enforces it approximately, and after each sweep its multiplier, a shift of the bias, absorbs the
    weight of that column (the method of multipliers: Hestenes 1969, Powell 1969). At convergence
    the weight of the column is 0, and the bias exact.

    For smooth losses the norm of the gradient is predicted from the sweep, and x is evaluated when
    the prediction is small. Each sweep gains a constant factor; if that factor is poor, Newton's
    method continues from there. For the hinge and epsilon-insensitive losses the largest violation
    of the optimality conditions replaces the gradient.

    Parameters
    ----------
    sweeps
        Maximum number of sweeps between two evaluations of x.
    patience
        Sweeps after which, for a smooth loss, Newton's method takes over if at least as many sweeps
        remain.
    seed
        Seed of the random order of the rows.
    max_iter
        Maximum number of evaluations after the first; a start at zero is not evaluated.
    tol
        Stop when the norm of the gradient, or the largest violation, is at most this.
    decrease
        Ignored.

    Examples
    --------
    >>> from gramian.objectives import L2, LinearProblem, Logistic
    >>> problem = LinearProblem([[0.0], [1.0], [3.0]], [0.0, 1.0, 1.0], Logistic(), L2(0.2))
    >>> DualCoordinate(tol=1e-8).minimize(problem).x.round(4)
    array([ 0.9485, -0.3177])
    """

    requires = ("dual",)
    monotone = False

    _: KW_ONLY
    sweeps: Count = 20
    patience: Count = 40
    seed: NonNegativeInt = 0

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        assert isinstance(problem, LinearProblem), "only these are known to have such a dual"
        machine = dual_of(problem, self.seed)
        if x.any():  # a start at zero is not evaluated
            yield Iterate(x, *problem.value_and_gradient(x))
            _start(machine, problem, x)
        smooth = isinstance(problem.loss, Logistic)
        yield from self._smooth(problem, machine) if smooth else self._kinked(problem, machine)

    def _smooth(self, problem: LinearProblem, machine: DualSweeps) -> Iterator[Iterate]:
        strength = float(_penalty(problem).strength)
        trust, first = _TRUST, np.inf
        while True:
            for _ in range(self.sweeps):
                _, total = machine.sweep()
                _free_the_bias(problem, machine)
                predicted = strength * float(np.sqrt(total))
                first = min(first, predicted)
                if trust * predicted <= self.tol:
                    break
            now = _primal(problem, machine)
            yield now
            norm = float(np.sqrt(inner(now.gradient, now.gradient)))
            trust = _SAFETY * norm / max(predicted, np.finfo(float).tiny)
            half_the_digits = np.sqrt(first * self.tol)
            if machine.sweeps >= self.patience and norm > half_the_digits:
                yield from Newton(system="cg")._iterates(problem, now.x)

    def _kinked(self, problem: LinearProblem, machine: DualSweeps) -> Iterator[Iterate]:
        bound = np.inf
        while True:
            for _ in range(self.sweeps):
                largest, _ = machine.sweep(bound)
                slip = _free_the_bias(problem, machine)
                # a change of the bias would invalidate the conditions of rows removed by shrinking
                bound = np.inf if slip else largest
                converged = max(largest, slip) <= self.tol
                if converged and machine.visits_all:
                    break
                if converged:
                    machine.visit_all()
                    bound = np.inf
            yield _primal(problem, machine)
            if converged:
                raise Stop(f"the largest violation is {max(largest, slip):.3g}", converged=True)


def _free_the_bias(problem: LinearProblem, machine: DualSweeps) -> float:
    """Move the weight of the column of ones to the multiplier, for an unpenalised bias.

    Returns how far the bias moved.
    """
    if not problem.intercept or _penalty(problem).bias:
        return 0.0
    return machine.free_the_bias()


def dual_of(problem: LinearProblem, seed: int = 0) -> DualSweeps:
    """Return the dual unknowns of a problem, at zero."""
    penalty, y = _penalty(problem), problem.y
    c = _costs(problem)
    norms = squared_norms(problem.X)
    ones = 0.0
    if problem.intercept:
        ones = 1.0 if penalty.bias else small_ones(norms, c)
    common: dict[str, Any] = {"ones": ones, "seed": seed, "norms": norms}
    match problem.loss:
        case Logistic():
            return DualSweeps(problem.X, "logistic", 2 * y - 1, 0.0, c, **common)
        case Hinge():
            low, high = np.minimum(y * c, 0), np.maximum(y * c, 0)
            return DualSweeps(problem.X, "box", y, low, high, **common)
        case SquaredHinge():
            free = np.where(c > 0, np.copysign(np.inf, y), 0.0)
            ridge = 1 / (2 * np.where(c > 0, c, 1.0))
            low, high = np.minimum(free, 0), np.maximum(free, 0)
            return DualSweeps(problem.X, "box", y, low, high, ridge, **common)
        case EpsilonInsensitive(epsilon=epsilon):
            return DualSweeps(problem.X, "box", y, -c, c, epsilon=epsilon, **common)
        case _:
            raise AssertionError("a loss with such a dual is one of these")


def small_ones(norms: Floats, costs: Floats) -> float:
    """Return the value of the column of ones for an unpenalised bias."""
    return float(np.sqrt(max(_ONES * norms.mean(), 4 / costs.sum())))


def _penalty(problem: LinearProblem) -> L2:
    assert isinstance(problem.penalty, L2)
    return problem.penalty


def _costs(problem: LinearProblem) -> Floats:
    """Return c."""
    omega = problem.functional.weights(np.zeros(problem.n_rows))
    return np.asarray(omega / float(_penalty(problem).strength))


def _start(machine: DualSweeps, problem: LinearProblem, x: Floats) -> None:
    """Start from the dual unknowns that correspond to x at the optimum, -c L'."""
    w, b = problem.unpack(x)
    z = np.asarray(problem.X @ w, dtype=float) + b
    machine.start(-_costs(problem) * problem.loss.derivative(problem.y, z))
    machine.offset = float(b) - machine.ones * float(machine.w[-1])


def _primal(problem: LinearProblem, machine: DualSweeps) -> Iterate:
    x = machine.w.copy() if problem.intercept else machine.w[:-1].copy()
    if problem.intercept:
        x[-1] = machine.bias
    return Iterate(x, *problem.value_and_gradient(x))
