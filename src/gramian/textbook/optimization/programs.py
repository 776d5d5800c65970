"""Linear and quadratic programs, with details of the solution.

    min c'x  or  min x'Qx + c'x     subject to  Ax <= b

Linear programs are solved by SciPy's HiGHS, quadratic ones by an active-set method (Nocedal and
Wright 2006, 16.5).
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.optimize import linprog

from gramian.base.errors import ParameterError
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Floats

Status = Literal["optimal", "infeasible", "unbounded", "not converged"]
_TIGHT = 1e-9  # relative slack at which a constraint counts as active


@dataclass(frozen=True)
class Program:
    """The solution of a program.

    Attributes
    ----------
    status
        "optimal", "infeasible" (no point satisfies all constraints), "unbounded" or
        "not converged".
    x
        The minimiser; None if there is none.
    value
        The minimum; infinity if infeasible, minus infinity if unbounded.
    active
        Indices of the constraints that hold with equality.
    multipliers
        (m,), >= 0, and 0 for inactive constraints: gradient + A'multipliers = 0.
    unique
        Whether the minimiser is unique.
    other
        Another minimiser, if any; with x it spans part of the optimal face.
    """

    status: Status
    x: Floats | None
    value: float
    active: npt.NDArray[np.intp]
    multipliers: Floats
    unique: bool
    other: Floats | None = None


def linear_program(
    c: npt.ArrayLike,
    A: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    method: Literal["simplex", "interior-point"] = "simplex",
) -> Program:
    """Minimise c'x subject to Ax <= b, x free.

    Parameters
    ----------
    c
        Costs (d,).
    A, b
        Constraints (m, d) and (m,).
    method
        HiGHS's dual simplex or interior-point method; the value is the same.

    Returns
    -------
    Program

    Examples
    --------
    >>> from gramian.textbook.optimization import linear_program
    >>> found = linear_program([-1, -1], [[1, 0], [0, 1], [1, 1]], [2, 2, 3])
    >>> found.value, 2 in found.active, found.unique
    (-3.0, True, False)
    """
    cost, rows, bounds = _check(c, A, b)
    highs: Literal["highs-ds", "highs-ipm"] = "highs-ds" if method == "simplex" else "highs-ipm"

    def solve(g: Floats, A_eq: Floats | None = None, b_eq: Floats | None = None) -> Any:
        return interruptible(
            PROGRAM * rows.size,
            lambda: linprog(g, rows, bounds, A_eq, b_eq, (None, None), method=highs),
        )

    found = solve(cost)
    if found.status != 0 or found.x is None:
        return _failed(_reason(cost, rows, bounds), len(bounds))
    x = np.asarray(found.x)
    multipliers = np.maximum(-np.asarray(found.ineqlin.marginals), 0.0)
    # Another minimiser: move along the optimal face in a generic direction.
    direction = np.random.Generator(np.random.Philox(7)).normal(size=len(x))
    direction -= cost * (cost @ direction) / max(float(cost @ cost), 1e-300)
    other = None
    scale = 1 + float(np.abs(x).max())
    for sign in (1.0, -1.0):
        face = solve(sign * direction, A_eq=cost[None], b_eq=np.array([cost @ x]))
        if face.status == 3:
            other = x - sign * direction
        elif face.x is not None and np.abs(face.x - x).max() > 1e-6 * scale:
            other = np.asarray(face.x)
    active = _active(rows, bounds, x)
    return Program("optimal", x, float(cost @ x), active, multipliers, other is None, other)


def quadratic_program(
    Q: npt.ArrayLike,
    c: npt.ArrayLike,
    A: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    start: npt.ArrayLike | None = None,
    max_iter: int = 1000,
) -> Program:
    """Minimise x'Qx + c'x subject to Ax <= b (no factor 1/2), Q positive semidefinite.

    Keeps a working set of constraints as equalities. Each iteration moves to the minimum on them,
    or to the first blocking constraint, which is added; at the minimum a constraint with a negative
    multiplier is removed.

    Parameters
    ----------
    Q
        Symmetric positive semidefinite matrix (d, d); an indefinite one makes the problem NP-hard
        and raises an error.
    c
        (d,).
    A, b
        Constraints (m, d) and (m,).
    start
        A feasible point; None to find one by a linear program.
    max_iter
        Maximum number of iterations.

    Returns
    -------
    Program

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.textbook.optimization import quadratic_program
    >>> found = quadratic_program(np.eye(2), [-4, -4], [[1, 1]], [2])       # |x - (2, 2)|^2
    >>> found.x.round(6), found.multipliers.round(6)
    (array([1., 1.]), array([2.]))
    """
    cost, rows, bounds = _check(c, A, b)
    matrix = np.asarray(Q, dtype=float)
    d = len(cost)
    if matrix.shape != (d, d) or not np.allclose(matrix, matrix.T):
        raise ParameterError(
            f"quadratic_program: Q must be symmetric of shape {(d, d)}; got shape {matrix.shape}."
        )
    eigenvalues = np.linalg.eigvalsh(matrix)
    if eigenvalues[0] < -1e-10 * max(float(np.abs(eigenvalues).max()), 1e-300):
        raise ParameterError(
            "quadratic_program: Q must be positive semidefinite; got an eigenvalue "
            f"{eigenvalues[0]:.3g}. An indefinite program is NP-hard; for a local minimum use "
            "scipy.optimize.minimize(method='SLSQP')."
        )
    x = _feasible(rows, bounds) if start is None else np.asarray(start, dtype=float)
    if x is None:
        return _failed("infeasible", len(bounds))
    if (rows @ x > bounds + 1e-8 * (1 + np.abs(bounds))).any():
        raise ParameterError(
            "quadratic_program: start must satisfy Ax <= b; use start=None to find one."
        )
    H = 2 * matrix
    working: list[int] = []
    for _ in range(max_iter):
        g = H @ x + cost
        Z = scipy.linalg.null_space(rows[working]) if working else np.eye(d)
        step = _newton_direction(H, g, Z)
        if step is None:  # at the minimum on the working set
            multipliers = np.zeros(len(bounds))
            if working:
                multipliers[working] = np.linalg.lstsq(rows[working].T, -g, rcond=None)[0]
            if not working or multipliers.min() >= -1e-9 * (1 + float(np.abs(g).max())):
                value = float(x @ matrix @ x + cost @ x)
                active = _active(rows, bounds, x)
                unique = _is_unique(H, rows[active], multipliers[active])
                return Program("optimal", x, value, active, np.maximum(multipliers, 0), unique)
            working.remove(int(np.argmin(multipliers)))
            continue
        direction, length = step
        rise = rows @ direction
        rise[working] = 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(rise > 1e-12, np.maximum(bounds - rows @ x, 0.0) / rise, np.inf)
        blocking = int(np.argmin(room)) if len(room) else -1
        if blocking >= 0 and room[blocking] < length:
            x = x + room[blocking] * direction
            working.append(blocking)
        elif np.isinf(length):
            return _failed("unbounded", len(bounds))
        else:
            x = x + length * direction
    return Program(
        "not converged",
        x,
        float(x @ matrix @ x + cost @ x),
        _active(rows, bounds, x),
        np.zeros(len(bounds)),
        False,
    )


def _newton_direction(H: Floats, g: Floats, Z: Floats) -> tuple[Floats, float] | None:
    """Return a direction within Z and the step to its minimum; None at a stationary point."""
    slope = Z.T @ g
    if Z.shape[1] == 0 or np.abs(slope).max() <= 1e-10 * (1 + np.abs(g).max()):
        return None
    values, vectors = np.linalg.eigh(Z.T @ H @ Z)
    along = vectors.T @ slope
    flat = values <= 1e-12 * max(float(values.max()), 1e-300)
    if np.abs(along[flat]).max(initial=0.0) > 1e-10 * (1 + np.abs(g).max()):
        return -Z @ (vectors[:, flat] @ along[flat]), np.inf  # bounded only by the constraints
    inside = np.where(flat, 0.0, along / np.where(flat, 1.0, values))
    return -Z @ (vectors @ inside), 1.0


def _is_unique(H: Floats, active: Floats, multipliers: Floats) -> bool:
    """Return whether H is definite along all directions that keep the constraints active."""
    held = active[multipliers > 1e-9]
    Z = scipy.linalg.null_space(held) if len(held) else np.eye(len(H))
    if Z.shape[1] == 0:
        return True
    values = np.linalg.eigvalsh(Z.T @ H @ Z)
    return bool(values[0] > 1e-10 * max(float(np.abs(H).max()), 1e-300))


def _feasible(A: Floats, b: Floats) -> Floats | None:
    found = linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=b, bounds=(None, None))
    return None if found.x is None else np.asarray(found.x)


def _active(A: Floats, b: Floats, x: Floats) -> npt.NDArray[np.intp]:
    scale = 1 + np.abs(b) + np.abs(A) @ np.abs(x)
    return np.flatnonzero(b - A @ x <= _TIGHT * scale)


def _reason(c: Floats, A: Floats, b: Floats) -> Status:
    """Return why a linear program has no optimum; HiGHS's presolve may mix up the reasons."""
    if _feasible(A, b) is None:
        return "infeasible"
    ray = linprog(c, A_ub=A, b_ub=np.zeros(len(b)), bounds=(-1, 1))
    falls = ray.x is not None and float(c @ ray.x) < -1e-9 * float(np.abs(c).max())
    return "unbounded" if falls else "not converged"


def _failed(status: Status, m: int) -> Program:
    value = {"unbounded": -np.inf, "infeasible": np.inf}.get(status, np.nan)
    return Program(status, None, value, np.zeros(0, dtype=np.intp), np.zeros(m), False)


def _check(c: npt.ArrayLike, A: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    cost, bounds = np.asarray(c, dtype=float), np.asarray(b, dtype=float).reshape(-1)
    rows = (
        np.asarray(A, dtype=float).reshape(len(bounds), -1)
        if len(bounds)
        else np.zeros((0, len(cost)))
    )
    if rows.shape != (len(bounds), len(cost)):
        raise ParameterError(
            "A must have one row per bound and one column per unknown, "
            f"{(len(bounds), len(cost))}; got {rows.shape}."
        )
    return cost, rows, bounds
