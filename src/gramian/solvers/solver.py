"""The base class of solvers: a solver computes the next iterate; everything else is here.

A solver's file contains `_iterates`, the loop of the textbook, which yields x_0, x_1, ... forever.
`Solver.minimize` checks that the problem has the parts the solver needs, follows the iterates,
records them and decides when to stop:

    |grad J(x)| <= tol                         converged (Euclidean norm)
    J fell by at most `decrease` max(1, |J|)   converged
    max_iter steps, or a callback returns True not converged
    J is infinite or NaN                       diverged
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, NonNegative, NonNegativeInt, check_params, params
from gramian.base.types import Floats
from gramian.objectives.function import as_problem
from gramian.objectives.inner_product import length
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.solver_names import check_fits

SMALL = 100  # unknowns up to which the iterates are recorded by default


class Iterate(NamedTuple):
    """A point with the value and the (sub)gradient there."""

    x: Floats
    value: float
    gradient: Floats


Callback: TypeAlias = Callable[[int, Iterate], object]


class Stop(Exception):  # noqa: N818 - not an error: ends the iteration
    """Raised by a solver that has converged or cannot make progress."""

    def __init__(self, message: str, *, converged: bool = False) -> None:
        super().__init__(message)
        self.converged = converged


@dataclass(frozen=True)
class Trace:
    """The iterates of a solver, including the start.

    Attributes
    ----------
    values
        J at every iterate.
    gradient_norms
        The Euclidean norm of the (sub)gradient at every iterate.
    iterates
        The iterates, one per row; None if not recorded.
    """

    values: Floats
    gradient_norms: Floats
    iterates: Floats | None


@dataclass(frozen=True)
class Result:
    """The result of a solver.

    Attributes
    ----------
    x
        The unknowns: the last iterate, or the best one for methods that keep it.
    value
        J(x).
    gradient_norm
        The Euclidean norm of the (sub)gradient at x.
    iterations
        Number of steps.
    converged
        Whether a stopping rule was met; never True after `max_iter` alone.
    message
        The reason for stopping.
    trace
        Values, gradient norms, and iterates if recorded.
    """

    x: Floats
    value: float
    gradient_norm: float
    iterations: int
    converged: bool
    message: str
    trace: Trace = field(repr=False)


@params
class Solver(ABC):
    """Minimise a problem; these fields determine when to stop.

    Parameters
    ----------
    max_iter
        Maximum number of steps.
    tol
        Stop when the Euclidean norm of the gradient is at most this.
    decrease
        Stop when a step lowers J by at most `decrease` times `max(1, |J|)`; 0: when J no longer
        changes.
    """

    requires: ClassVar[tuple[Piece, ...]] = ("gradient",)
    monotone: ClassVar[bool] = True  # values fall at every step
    keeps_best: ClassVar[bool] = False  # the result is the best iterate, not the last

    _: KW_ONLY
    max_iter: NonNegativeInt = 1000
    tol: NonNegative = 1e-6
    decrease: NonNegative = 0.0

    @abstractmethod
    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        """Yield x_0, x_1, ...: the algorithm."""

    def needs(self) -> tuple[Piece, ...]:
        """Return the parts that a problem must have."""
        return self.requires

    def minimize(
        self,
        problem: Problem | Callable[[Any], Any],
        start: npt.ArrayLike | None = None,
        *,
        trace: bool | None = None,
        callback: Callback | None = None,
    ) -> Result:
        """Iterate from a start until a stopping rule is met.

        Parameters
        ----------
        problem
            The problem to minimise; derivatives of a plain function are computed numerically.
        start
            The first iterate; zeros by default.
        trace
            Whether to record the iterates; by default if there are at most 100 unknowns.
            Values and gradient norms are always recorded.
        callback
            Called as ``callback(t, iterate)`` for t = 0, 1, ...; returns True to stop.

        Returns
        -------
        result
            A `Result`.
        """
        check_params(self)
        problem = as_problem(problem)
        check_fits(self, problem)
        x = problem.start(start)
        record = x.size <= SMALL if trace is None else trace
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return self._run_iterates(self._iterates(problem, x), record, callback)

    def _run_iterates(
        self, iterates: Iterator[Iterate], record: bool, callback: Callback | None
    ) -> Result:
        values: list[float] = []
        norms: list[float] = []
        points: list[Floats] = []
        found: Iterate | None = None
        before: Iterate | None = None
        converged, message = False, ""
        try:
            for t, now in enumerate(iterates):
                values.append(now.value)
                norms.append(length(now.gradient))
                if record:
                    points.append(now.x.copy())
                if not isfinite(now.value) or not isfinite(norms[-1]):
                    message = f"diverged: J is {now.value} after {t} steps; lower the step"
                    found = found or now
                    break
                if found is None or not self.keeps_best or now.value < found.value:
                    found = now
                converged, message = self._verdict(t, now, norms[-1], before)
                if not message and callback is not None and callback(t, now) is True:
                    message = f"stopped by the callback after {t} steps"
                if message:
                    break
                before = now
        except Stop as end:
            converged, message = end.converged, str(end)
        assert found is not None, "a solver yields its start first"
        return Result(
            x=found.x,
            value=found.value,
            gradient_norm=length(found.gradient),
            iterations=len(values) - 1,
            converged=converged,
            message=message,
            trace=Trace(np.array(values), np.array(norms), np.array(points) if record else None),
        )

    def _verdict(
        self, t: int, now: Iterate, norm: float, before: Iterate | None
    ) -> tuple[bool, str]:
        """Return whether the iterates have converged, and a message if they should stop."""
        if norm <= self.tol:
            return True, f"the gradient's norm {norm:.3g} is at most tol={self.tol:g}"
        if self.monotone and before is not None:
            fall = before.value - now.value
            if 0 <= fall <= self.decrease * max(1.0, abs(now.value)):
                return True, f"the last step lowered J by only {fall:.3g}"
        if t >= self.max_iter:
            return False, f"stopped after max_iter={self.max_iter} steps; raise it or tol"
        return False, ""

    def __repr__(self) -> str:
        changed = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if getattr(self, f.name) != f.default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"
