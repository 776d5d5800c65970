"""Quasi-separable classes: no finite minimum, although rows lie on the hyperplane.

Without a penalty the cost of logistic regression has a minimum unless some direction U of the
weights lowers no row's own score against another's (Albert and Anderson 1984),

    (u_{y_i} - u_k) . x_i >= 0   for all i and k,    > 0 for some of them:

along it J decreases without end. If all are > 0 the classes are separable, else quasi-separable; a
column that is non-zero in one class only is enough. The linear program (Konis 2007)

    maximise  sum_ik t_ik   subject to   (u_{y_i} - u_k) . x_i >= t_ik,    0 <= t_ik <= 1

finds a direction that moves as many rows as possible; if its value is 0, there is none.

When to test: along U a Newton step does not become short. The rows that U moves have
residuals r_i and curvatures of about the same size, so that a step moves their scores by about
sum_i r_i a_i / sum_i r_i a_i^2 in units of 1 / a, a_i = U . x_i > 0: by one, however small the
gradient has become. At a minimum it vanishes with the gradient.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linprog

from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Data, Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.solvers.second_order.linear_systems import solve_system

_MAX_UNKNOWNS = 600  # largest number of unknowns for a Newton step
_MAX_VALUES = 1_000_000  # in the matrix of the linear program: more take many seconds
_LONG_STEP = 0.3  # a Newton step that changes a score by more is long
_TOLERANCE = 1e-6  # HiGHS satisfies its constraints to about a tenth of this


def newton_step_is_long(problem: LinearProblem, x: Floats) -> bool:
    """Return whether a Newton step from x still changes some row's score by about one."""
    if problem.size > _MAX_UNKNOWNS:
        return False
    _, g, H = problem.second_order(x)
    if not np.isfinite(H).all():
        return False
    step, bias = problem.unpack(solve_system(H, -g))
    return bool(np.abs(problem.X @ step + bias).max() > _LONG_STEP)


def recession_direction(
    X: Data, targets: npt.NDArray[Any], n_classes: int, *, fit_intercept: bool
) -> Floats | None:
    """Return a direction (m, K) along which the unpenalised cost always decreases, or None.

    Parameters
    ----------
    X
        Rows of positive weight, dense or CSR.
    targets
        Class codes, or probabilities (n,) or (n, K). A row with two classes of positive probability
        must not move.
    n_classes
        Number K of classes.
    fit_intercept
        Whether the last row of the direction is for a bias.

    Examples
    --------
    >>> rows, labels = np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([0, 0, 1, 1])
    >>> U = recession_direction(rows, labels, 2, fit_intercept=True)
    >>> (U[:, 1] - U[:, 0]).round(6)                    # x - 1: two rows stay in doubt
    array([ 1., -1.])
    >>> recession_direction(rows, np.array([0, 1, 0, 1]), 2, fit_intercept=True) is None
    False
    >>> recession_direction(rows, np.array([1, 0, 0, 1]), 2, fit_intercept=True) is None
    True
    """
    design = sp.csr_array(X, dtype=float)
    if fit_intercept:
        design = sp.hstack([design, np.ones((design.shape[0], 1))], format="csr")
    m, K = design.shape[1], n_classes
    if 2 * design.nnz * (K - 1) > _MAX_VALUES:
        return None
    scale = abs(design).max(axis=0).toarray().reshape(-1)
    scale[scale == 0] = 1.0
    gains, ambiguous = _gains(sp.csr_array(design @ sp.diags_array(1 / scale)), targets, K)
    pairs, n_ambiguous = len(ambiguous), int(ambiguous.sum())
    found = interruptible(
        PROGRAM * pairs * m * K,
        linprog,
        np.r_[np.zeros(m * K), -np.ones(pairs)],
        A_ub=sp.hstack([-gains, sp.eye_array(pairs)], format="csr"),
        b_ub=np.zeros(pairs),
        A_eq=sp.hstack([gains[ambiguous], sp.csr_array((n_ambiguous, pairs))], format="csr"),
        b_eq=np.zeros(n_ambiguous),
        bounds=[(None, None)] * (m * K) + [(0, 1)] * pairs,
        method="highs",
    )
    if found.x is None or found.fun is None or -found.fun <= _TOLERANCE * pairs:
        return None
    U = found.x[: m * K].reshape(m, K) / scale[:, None]
    return np.asarray(U - U.mean(axis=1, keepdims=True))


def _gains(
    design: sp.csr_array, targets: npt.NDArray[Any], K: int
) -> tuple[sp.csr_array, npt.NDArray[np.bool_]]:
    """Return the matrix of u -> (u_own - u_k) . x_i over all rows i and other classes k.

    Also return which of them compare two classes of positive probability in their row.
    """
    probabilities = _class_probabilities(targets, K)
    own: npt.NDArray[np.intp] = (probabilities > 0).argmax(axis=1)
    row, other = np.nonzero(np.arange(K) != own[:, None])
    rows = design[row]
    length = np.diff(rows.indptr)

    def in_class_columns(classes: npt.NDArray[Any]) -> sp.csr_array:
        columns = rows.indices * K + np.repeat(classes, length)
        shape = (len(row), design.shape[1] * K)
        return sp.csr_array((rows.data, columns, rows.indptr), shape=shape)

    gains = sp.csr_array(in_class_columns(own[row]) - in_class_columns(other))
    return gains, probabilities[row, other] > 0


def _class_probabilities(targets: npt.NDArray[Any], K: int) -> Floats:
    """Return the probability of each class in each row."""
    if targets.ndim == 2:
        return targets
    if targets.dtype.kind == "f":
        return np.column_stack([1 - targets, targets])
    return np.asarray(np.eye(K)[targets])
