"""Piecewise linear losses with a quadratic penalty, as quadratic programs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from gramian.base.fields import KW_ONLY, NonNegative, NonNegativeInt, params
from gramian.base.types import Data, Floats, Matrix, is_sparse
from gramian.objectives.functionals import Max
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Iterate, Solver, Stop

_INSIDE = 0.995  # maximum step, as a fraction of the distance to the nearest bound

_MIN_COST = 1e-3  # `tol` is relative to J, but at least to this times the initial gap


@params
class QuadraticProgram(Solver):
    """Mehrotra's interior-point method for piecewise linear losses and a quadratic penalty.

    For a loss that is a maximum of linear functions, L = max_k s_k z + h_k, it solves::

        min x'Px / 2 + sum_i omega_i t_i    with  s_ik z_i + h_ik + y_ik = t_i,   y_ik >= 0

    z_i = x_i . w + b; with `Max` all rows share one t. The optimality conditions are Px + D'(sum_k
    s_k lambda_k) = 0, sum_k lambda_ik = omega_i, lambda >= 0 and lambda_ik y_ik = 0. Each iteration
    takes a Newton step on them, a predictor followed by a corrector, with lambda y = sigma mu in
    place of 0 (Mehrotra 1992; Nocedal and Wright 2006, 16.6). Slacks and multipliers are
    eliminated, so an iteration costs O(n d^2); usually 10 to 40 suffice.

    `Hinge` with `L2` is the support vector machine with a bias that is not penalised,
    `EpsilonInsensitive` with `L2` support vector regression.

    Parameters
    ----------
    max_iter
        Maximum number of iterations.
    tol
        Stop when the duality gap is at most `tol` times J.
    decrease
        Ignored.

    Examples
    --------
    >>> from gramian.objectives import Hinge, L2, LinearProblem, WeightedSum
    >>> X, y = [[1.0, 1.0], [-1.0, -1.0]], [1.0, -1.0]
    >>> margin = LinearProblem(X, y, Hinge(), L2(1.0), WeightedSum(10.0))
    >>> QuadraticProgram().minimize(margin).x.round(6) + 0.0
    array([0.5, 0.5, 0. ])
    """

    requires = ("quadratic program",)
    monotone = False
    keeps_best = True

    _: KW_ONLY
    max_iter: NonNegativeInt = 200
    tol: NonNegative = 1e-9

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        assert isinstance(problem, LinearProblem), "only these are known to be such programs"
        point = _start(_Program.of(problem), x)
        least = _MIN_COST * point.gap()
        while True:
            J, g = problem.value_and_gradient(point.x)
            yield Iterate(point.x, J, g)
            gap, slope = point.gap(), point.slope()
            if gap <= self.tol * max(abs(J), least) and slope <= max(self.tol, 1e-9):
                raise Stop(f"the duality gap is {gap:.3g}", converged=True)
            step = point.step()
            if step < 1e-12:
                raise Stop(f"rounding error prevents a further step; the duality gap is {gap:.3g}")


@dataclass(frozen=True)
class _Program:
    """P, the rows D with their linear pieces s z + h (pieces, n), and the costs of t."""

    P: Floats
    D: Data
    s: Floats
    h: Floats
    omega: Floats
    shared: bool  # one t for all rows

    @classmethod
    def of(cls, problem: LinearProblem) -> "_Program":
        n, m = problem.n_rows, problem.size
        P = np.zeros((m, m))
        if problem.penalty is not None:
            width = m if problem.penalty.bias else problem.X.shape[1]
            problem.penalty.add_hessian(np.zeros(width), P)
        shared = isinstance(problem.functional, Max)
        omega = np.ones(n) if shared else problem.functional.weights(np.zeros(n))
        rows = np.flatnonzero(omega > 0)  # the others have no effect
        lines = problem.loss.pieces(problem.y[rows])
        D = problem.X[rows]
        if problem.intercept:
            ones = np.ones((len(rows), 1))
            D = sp.hstack([D, ones]).tocsr() if is_sparse(D) else np.hstack([D, ones])
        s, h = (np.array(part, dtype=float) for part in zip(*lines, strict=True))
        return cls(P, D.astype(float), s, h, omega[rows], shared)

    def over_rows(self, values: Floats) -> Floats:
        """Return a number for each t: one per row, or their sum if all rows share one t."""
        return values.sum(keepdims=True) if self.shared else values

    def newton(self, W: Floats) -> "_Newton":
        """Return the Newton system for the weights W = lambda / y, factored.

        With e = sum_k W_k and u = sum_k W_k s_k / e it is P + D' sum_k W_k (s_k - u)^2 D, and for
        a shared t also the scatter of the u_i x_i about their mean, weighted by e.
        """
        e: Floats = W.sum(axis=0)
        u = (W * self.s).sum(axis=0) / e
        M = self.P + _gram(self.D, (W * np.square(self.s - u)).sum(axis=0))
        if self.shared:
            rows = (self.D.toarray() if is_sparse(self.D) else self.D) * u[:, None]
            M += _gram(rows - e @ rows / e.sum(), e)
        return _Newton(self, W, e, u, *_factored(M))


@dataclass(frozen=True)
class _Newton:
    """The factored system of an iteration."""

    program: _Program
    W: Floats
    e: Floats
    u: Floats
    factor: tuple[Floats, bool]
    scale: Floats

    def direction(
        self, slope: Floats, shortfall: Floats, above: Floats, centred: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Return the steps of x, t and lambda for the residuals of the four conditions.

        `above` are those of s z + h + y = t, `centred` is (lambda y - sigma mu) / lambda.
        """
        program, W = self.program, self.W
        q = above - centred
        g: Floats = (W * q).sum(axis=0)
        c, e = self.e * self.u, program.over_rows(self.e)
        lift = (program.over_rows(g) - shortfall) / e  # of t, before x moves
        right = -slope - program.D.T @ ((W * program.s * q).sum(axis=0) - c * lift)
        dx = self.scale * scipy.linalg.cho_solve(self.factor, self.scale * right)
        dz = program.D @ dx
        dt = program.over_rows(c * dz) / e + lift
        return dx, dt, W * (program.s * dz - dt + q)


@dataclass
class _Point:
    """The unknowns x and t, slacks and multipliers."""

    program: _Program
    x: Floats
    t: Floats
    y: Floats
    multipliers: Floats

    def gap(self) -> float:
        """Return the duality gap, which is valid if the other conditions are met."""
        return float((self.multipliers * self.y).sum())

    def _slope(self) -> Floats:
        pull: Floats = (self.multipliers * self.program.s).sum(axis=0)
        return np.asarray(self.program.P @ self.x + self.program.D.T @ pull)

    def slope(self) -> float:
        """Return the largest entry of the gradient of the Lagrangian, relative to its terms.

        Each entry is divided by the sum of the absolute values of its terms, as units differ.
        """
        pull: Matrix = np.abs(self.multipliers * self.program.s).sum(axis=0)
        size = np.abs(self.program.D).T @ pull + np.abs(self.program.P) @ np.abs(self.x)
        return float((np.abs(self._slope()) / np.maximum(size, 1e-300)).max())

    def step(self) -> float:
        """Take a predictor-corrector step; return its length, at most 1."""
        program, y, old = self.program, self.y, self.multipliers
        cost = program.omega[:1] if program.shared else program.omega
        slope, shortfall = self._slope(), cost - program.over_rows(old.sum(axis=0))
        above = program.s * (program.D @ self.x) + program.h + y - self.t
        newton = program.newton(old / y)
        # Predictor: the Newton step without centring gives sigma.
        *_, toward = newton.direction(slope, shortfall, above, y)
        fall = -y - y * toward / old
        a = min(_max_step(y, fall), _max_step(old, toward))
        mu = self.gap() / y.size
        foreseen = float(((old + a * toward) * (y + a * fall)).sum()) / y.size
        aim = mu * (foreseen / mu) ** 3
        # Corrector: with that centring and the second-order term.
        centred = y + (toward * fall - aim) / old
        dx, dt, change = newton.direction(slope, shortfall, above, centred)
        dy = -centred - y * change / old
        a = min(1.0, _INSIDE * min(_max_step(y, dy), _max_step(old, change)))
        self.x = self.x + a * dx
        self.t = self.t + a * dt
        self.y, self.multipliers = y + a * dy, old + a * change
        return a


def _start(program: _Program, x: Floats) -> _Point:
    """Return a start that violates only the gradient condition, well inside the bounds."""
    lines = program.s * (program.D @ x) + program.h
    tops: Floats = lines.max(axis=0)
    if program.shared:
        tops = tops.max(keepdims=True)
    t = tops + max(1e-3, float(np.abs(lines).mean()))
    weight = program.omega / (program.omega.sum() if program.shared else 1.0)
    multipliers = np.broadcast_to(weight / len(lines), lines.shape).copy()
    return _Point(program, x, t, t - lines, multipliers)


def _gram(D: Data, weights: Floats) -> Floats:
    """Return D' diag(weights) D."""
    if is_sparse(D):
        return np.asarray((D.T @ (sp.diags_array(weights) @ D)).toarray())
    return np.asarray(D.T @ (weights[:, None] * D))


def _factored(M: Floats) -> tuple[tuple[Floats, bool], Floats]:
    """Return the Cholesky factor of M scaled to a diagonal of ones, and the scale."""
    scale = 1 / np.sqrt(np.maximum(np.diag(M), np.finfo(float).tiny))
    scaled = scale[:, None] * M * scale
    ridge = np.finfo(float).eps * len(M)
    while True:
        try:
            return scipy.linalg.cho_factor(scaled + ridge * np.eye(len(M))), scale
        except np.linalg.LinAlgError:  # linearly dependent columns without penalty
            ridge *= 100


def _max_step(values: Floats, change: Floats) -> float:
    """Return the largest step that keeps the values positive, at most 1 / `_INSIDE`."""
    falls = change < 0
    return float(min(1 / _INSIDE, np.min(values[falls] / -change[falls], initial=np.inf)))
