"""Machines as the core solves them: variables with signs, bounds and offsets on given points."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats


@dataclass(frozen=True)
class Solved:
    """What the core found for some machines, an entry each.

    Attributes
    ----------
    rho
        The score is sum_i b_i k(x_i, x) - rho.
    r
        The margin of a nu machine.
    values
        Value of the dual objective, to be minimised.
    violations
        The largest violation of the optimality conditions that remains.
    steps
        Number of steps of pairs.
    entries
        Number of kernel values computed for all machines.
    gradients
        sum_j b_j k(x_j, x_i) at the points of each machine.
    """

    rho: Floats
    r: Floats
    values: Floats
    violations: Floats
    steps: npt.NDArray[np.int64]
    entries: int
    gradients: list[Floats]


class Start(NamedTuple):
    """Variables of some machines to start from, and their gradients where they are known."""

    alpha: list[Floats]
    gradients: list[Floats] | None = None


@dataclass(frozen=True)
class Settings:
    """How the machines are solved."""

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
    """Machines on the same points.

    Attributes
    ----------
    ids
        The points of each machine.
    sign, upper, offset, alpha
        Of each machine an array with an entry for each variable; alpha is the start and becomes the
        solution. A machine with two variables per point has all first ones before all second ones.
    gradients
        What `Solved` has, of the start; None: computed from alpha.
    halves
        Variables per point.
    by_sign
        Whether the sums of both signs are kept, not only their difference.
    """

    ids: list[npt.NDArray[np.int32]]
    sign: list[Floats]
    upper: list[Floats]
    offset: list[Floats]
    alpha: list[Floats]
    gradients: list[Floats] | None = None
    halves: int = 1
    by_sign: bool = False

    def solve(
        self,
        points: _native.SvmPoints,
        settings: Settings,
        shared: tuple[list[npt.NDArray[np.float32]], npt.NDArray[np.int32]] | None = None,
    ) -> tuple[Solved, list[Floats]]:
        """Solve; `shared` are kernel matrices of classes, and the two classes of each machine."""
        starts = np.concatenate([[0], np.cumsum([len(ids) for ids in self.ids])])
        alpha = np.concatenate(self.alpha)
        known = self.gradients is not None
        gradient = np.concatenate(self.gradients) if self.gradients else np.empty(starts[-1])
        out = np.empty((len(self.ids), 6))
        points.solve(
            (np.concatenate(self.ids), starts.astype(np.int64), self.halves, self.by_sign, known),
            (
                np.concatenate(self.sign),
                np.concatenate(self.upper),
                np.concatenate(self.offset),
                alpha,
                gradient,
            ),
            settings.native(),
            shared,
            out,
        )
        solved = Solved(
            out[:, 0],
            out[:, 1],
            out[:, 2],
            out[:, 3],
            out[:, 4].astype(int),
            int(out[:, 5].sum()),
            np.split(gradient, starts[1:-1]),
        )
        return solved, np.split(alpha, self.halves * starts[1:-1])


def start_of_larger_bounds(
    solved: Solved, alpha: list[Floats], signs: list[Floats], ratio: float
) -> Start:
    """Return a start for the same machines of classes, with bounds `ratio` >= 1 times as large.

    It is the best multiple t of the solution: t b'Kb = sum_i alpha_i. With all variables at their
    bounds they are so again, t = ratio; with none, the solution remains one, t = 1.
    """
    times = []
    for values, sign, gradient in zip(alpha, signs, solved.gradients, strict=True):
        square = float((sign * values) @ gradient)
        best = float(values.sum()) / square if square > 0 else ratio
        times.append(min(max(best, 1.0), ratio))
    return Start(
        [t * values for t, values in zip(times, alpha, strict=True)],
        [t * gradient for t, gradient in zip(times, solved.gradients, strict=True)],
    )


def fill_up(upper: Floats, total: float) -> Floats:
    """Return values within [0, upper] with the given total, the first ones at their bounds.

    Examples
    --------
    >>> fill_up(np.ones(4), 2.5)
    array([1. , 1. , 0.5, 0. ])
    """
    before = np.concatenate([[0.0], np.cumsum(upper)[:-1]])
    return np.asarray(np.clip(total - before, 0.0, upper))
