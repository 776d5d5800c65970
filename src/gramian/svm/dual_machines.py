"""Dual problems as the core solves them: variables with signs, bounds and linear terms."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats

SharedValues = tuple[list[npt.NDArray[np.float32]], npt.NDArray[np.int32]]


@dataclass(frozen=True)
class Solved:
    """Solutions of several machines, one entry each.

    Attributes
    ----------
    rho
        The score is sum_i b_i k(x_i, x) - rho.
    r
        The margin of a nu machine.
    values
        Value of the dual objective, to be minimised.
    violations
        Largest remaining violation of the optimality conditions, plus possible rounding errors.
    steps
        Number of pair updates.
    entries
        Number of kernel values computed for all machines.
    gradients
        sum_j b_j k(x_j, x_i) at the points of all machines, concatenated.
    """

    rho: Floats
    r: Floats
    values: Floats
    violations: Floats
    steps: npt.NDArray[np.int32]
    entries: int
    gradients: Floats

    @classmethod
    def joined(cls, parts: list["Solved"]) -> "Solved":
        """Return the solutions of all parts together, without the gradients."""
        return cls(
            np.concatenate([part.rho for part in parts]),
            np.concatenate([part.r for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.violations for part in parts]),
            np.concatenate([part.steps for part in parts]),
            sum(part.entries for part in parts),
            np.empty(0),
        )


class Start(NamedTuple):
    """Initial variables of several machines, and their gradients if known."""

    alpha: Floats
    gradients: Floats | None = None


@dataclass(frozen=True)
class Settings:
    """Settings of the solver."""

    tol: float
    max_iter: int
    shrinking: bool
    cache_size: float  # MB

    def native(self) -> tuple[float, int, bool, int]:
        """Return the settings as the core reads them."""
        values = min(self.cache_size * 1e6 / 4, 2.0**62)
        return float(self.tol), int(self.max_iter), bool(self.shrinking), max(1, int(values))


@dataclass(frozen=True)
class Machines:
    """Dual problems of machines on the same points, with concatenated arrays.

    Attributes
    ----------
    ids
        The points of the machines.
    starts
        Start of each machine's points, and the end of the last.
    sign, upper, offset, alpha
        Values per variable; `offset` is the linear term, `alpha` the start. A machine with two
        variables per point has all first variables before all second ones.
    gradients
        Gradients at the start, as in `Solved`; None computes them from alpha.
    halves
        Variables per point.
    by_sign
        Whether the sums over each sign are fixed, not only their difference.
    """

    ids: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    sign: Floats
    upper: Floats
    offset: Floats
    alpha: Floats
    gradients: Floats | None = None
    halves: int = 1
    by_sign: bool = False

    @classmethod
    def one(
        cls,
        ids: npt.NDArray[np.int32],
        sign: Floats,
        upper: Floats,
        offset: Floats,
        alpha: Floats,
        *,
        halves: int = 1,
        by_sign: bool = False,
    ) -> Self:
        """Return a single machine."""
        starts = np.array([0, len(ids)], dtype=np.int64)
        return cls(ids, starts, sign, upper, offset, alpha, halves=halves, by_sign=by_sign)

    def solve(
        self,
        points: _native.SvmPoints,
        settings: Settings,
        shared: SharedValues | None = None,
    ) -> tuple[Solved, Floats]:
        """Solve; `shared` is kernel matrices of classes, and the two classes of each machine."""
        alpha = self.alpha.copy()
        known = self.gradients is not None
        gradient = np.empty(len(self.ids)) if self.gradients is None else self.gradients.copy()
        out = np.empty((len(self.starts) - 1, 6))
        points.solve(
            (self.ids, self.starts, self.halves, self.by_sign, known),
            (self.sign, self.upper, self.offset, alpha, gradient),
            settings.native(),
            shared,
            out,
        )
        rho, r, values, violations = out[:, :4].T.copy()
        steps = np.minimum(out[:, 4], np.iinfo(np.int32).max).astype(np.int32)
        entries = int(out[:, 5].sum())
        return Solved(rho, r, values, violations, steps, entries, gradient), alpha


def scaled_start(
    solved: Solved,
    alpha: Floats,
    signs: Floats,
    starts: npt.NDArray[np.int64],
    ratio: float,
) -> Start:
    """Return a start for the same class pairs with bounds `ratio` >= 1 times as large.

    It is the best multiple t of the solution: t b'Kb = sum_i alpha_i. If all variables are at their
    bounds, they remain so, t = ratio; if none is, the solution does not change, t = 1.
    """
    square = np.add.reduceat(signs * alpha * solved.gradients, starts[:-1])
    total = np.add.reduceat(alpha, starts[:-1])
    best = np.divide(total, square, out=np.full(len(square), ratio), where=square > 0)
    times = np.repeat(np.clip(best, 1.0, ratio), np.diff(starts))
    return Start(times * alpha, times * solved.gradients)


def fill_to_total(upper: Floats, total: float) -> Floats:
    """Return values within [0, upper] with the given total, the first ones at their bounds.

    Examples
    --------
    >>> fill_to_total(np.ones(4), 2.5)
    array([1. , 1. , 0.5, 0. ])
    """
    before = np.concatenate([[0.0], np.cumsum(upper)[:-1]])
    return np.asarray(np.clip(total - before, 0.0, upper))
