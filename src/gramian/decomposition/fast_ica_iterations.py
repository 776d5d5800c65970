"""Fixed-point iterations of FastICA (Hyvaerinen 1999), and its contrast functions.

Each direction w moves to E[z g(w . z)] - E[g'(w . z)] w for white rows z: all directions at once,
or one after another.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gramian.base.callbacks import Task
from gramian.base.errors import ParameterError
from gramian.base.runtime.blas import product
from gramian.base.types import Floats

Contrast = Callable[[Floats], tuple[Floats, Floats]]  # from (k, n) to g and the means of g'


def contrast_function(fun: Any, fun_args: Mapping[str, Any] | None) -> Contrast:
    """Return the contrast function by its name, or a checked function of the user."""
    arguments = fun_args or {}
    if fun == "logcosh":
        alpha = float(arguments.get("alpha", 1.0))
        if not 1 <= alpha <= 2:
            raise ParameterError(f"FastICA: fun_args: alpha must be in [1, 2]; got {alpha}.")
        return lambda U: _logcosh(U, alpha)
    if callable(fun):
        return lambda U: _call(fun, arguments, U)
    return _exp if fun == "exp" else _cube


def _call(fun: Any, arguments: Mapping[str, Any], U: Floats) -> tuple[Floats, Floats]:
    """Call the user's function and check its result."""
    if not all(isinstance(name, str) for name in arguments):
        raise ParameterError(f"FastICA: the keys of fun_args must be strings; got {arguments!r}.")
    pair = fun(U, **arguments)
    try:
        g, derivative = (np.asarray(part, dtype=np.float64) for part in pair)
    except (TypeError, ValueError):
        g, derivative = np.empty(0), np.empty(0)
    if g.shape != U.shape or derivative.shape not in (U.shape, U.shape[:-1]):
        raise ParameterError(
            "FastICA: fun must return two arrays: the values, in the shape of its argument, "
            "and the means of the derivative over the last axis."
        )
    return g, derivative


def _logcosh(U: Floats, alpha: float) -> tuple[Floats, Floats]:
    g = np.tanh(alpha * U)
    return g, alpha * (1 - (g * g).mean(axis=-1))


def _exp(U: Floats) -> tuple[Floats, Floats]:
    gauss = np.exp(-(U**2) / 2)
    return U * gauss, ((1 - U**2) * gauss).mean(axis=-1)


def _cube(U: Floats) -> tuple[Floats, Floats]:
    return U**3, (3 * U**2).mean(axis=-1)


def parallel_iterations(
    Zt: Floats, W: Floats, contrast: Contrast, tol: float, max_iter: int, task: Task
) -> tuple[Floats, int, bool]:
    """Update all directions at once; return them, the iterations, and whether they converged."""
    n = Zt.shape[1]
    W = _decorrelate(W)
    for step in range(1, max_iter + 1):
        g, slope = contrast(product(W, Zt))
        new = _decorrelate(product(g, Zt.T) / n - np.asarray(slope)[:, None] * W)
        change = float(np.abs(np.abs((new * W).sum(axis=1)) - 1).max())
        W = new
        if change < tol or task.iteration(dict):
            return W, step, change < tol
    return W, max_iter, False


def deflation_iterations(
    Zt: Floats, W: Floats, contrast: Contrast, tol: float, max_iter: int, task: Task
) -> tuple[Floats, int, bool]:
    """Update one direction after another, each orthogonal to the earlier ones."""
    n = Zt.shape[1]
    directions = np.zeros((0, W.shape[1]))
    n_iter, all_converged = 1, True
    for start in W:
        w = _orthogonalize(start, directions)
        converged = False
        for step in range(1, max_iter + 1):
            g, slope = contrast(product(w[None], Zt))
            new = _orthogonalize(
                product(g, Zt.T)[0] / n - float(np.ravel(slope)[0]) * w, directions
            )
            converged = abs(abs(float(new @ w)) - 1) < tol
            w, n_iter = new, max(n_iter, step)
            if converged or task.iteration(dict):
                break
        all_converged = all_converged and converged
        directions = np.vstack([directions, w])
    return directions, n_iter, all_converged


def _orthogonalize(w: Floats, directions: Floats) -> Floats:
    w = w - (w @ directions.T) @ directions
    return np.asarray(w / max(float(np.linalg.norm(w)), 1e-300))


def _decorrelate(W: Floats) -> Floats:
    """Return the nearest orthonormal rows, (W W')^(-1/2) W."""
    U, _, Vt = np.linalg.svd(W, full_matrices=False)
    return np.asarray(U @ Vt)
